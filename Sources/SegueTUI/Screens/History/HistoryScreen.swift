internal import SegueClientKit
internal import SegueWire

/// The tracks that were played: every play, or every track once with the number of its plays.
struct HistoryScreen: ItemScreen {
  var tabs = ItemTabs([.history(.time)])
  var title: String { HistoryMessages.title }
  let ownCommands: [Command] = [.cycleOrder]
}

/// The messages about the history.
enum HistoryMessages {
  static var title: String { tr("History") }
}
