internal import SegueFrontend

/// The tracks that were played, newest first.
struct HistoryScreen: ItemScreen {
  var tabs = ItemTabs([.history])
  var title: String { HistoryMessages.title }
}

/// The messages about the history.
enum HistoryMessages {
  static var title: String { tr("History") }
  static var empty: String { tr("Nothing was played yet.") }
  static var emptyHint: String { tr("A track appears here after half of it, or four minutes, were played.") }

  static func plays(_ count: Int) -> String { trn("1 play", "%1$d plays", count) }
}
