internal import SegueFrontend
internal import SegueWire

/// The tracks that were played: every play, or every track once with the number of its plays.
struct HistoryScreen: ItemScreen {
  var tabs = ItemTabs([.history(.time)])
  var title: String { HistoryMessages.title }
  let ownCommands: [Command] = [.cycleOrder]

  mutating func performOwn(_ command: Command, _ state: SharedState) -> [Action] {
    tabs.selectNextOrder()
    return []
  }
}

/// The messages about the history.
enum HistoryMessages {
  static var title: String { tr("History") }
  static var empty: String { tr("Nothing was played yet.") }
  static var emptyHint: String { tr("A track appears here after half of it, or four minutes, were played.") }

  static func plays(_ count: Int) -> String { trn("1 play", "%1$d plays", count) }
}
