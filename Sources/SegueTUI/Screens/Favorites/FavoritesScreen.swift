internal import SegueClientKit
internal import SegueWire

/// The favorites: tracks, albums and artists as tabs, in one of several orders.
struct FavoritesScreen: ItemScreen {
  var tabs = ItemTabs([.track, .album, .artist].map { .favorites($0, .title) })
  var title: String { tr("Favorites") }
  let ownCommands: [Command] = [.cycleOrder, .remove]

  /// A removal waits for the result of the last one.
  func isReady(for command: Command, _ state: SharedState) -> Bool {
    command == .remove ? list.isSettled(for: command, state) : list.isReady(for: command)
  }

  mutating func performOwn(_ command: Command, _ state: SharedState) -> [Action] {
    [.call(.setFavorite(list.targets(of: command).map(\.uri), false))]
  }
}

/// The messages about favorites.
enum FavoriteMessages {
  static var empty: String { tr("There are no favorites of this kind.") }
  static func emptyHint(_ state: SharedState) -> String {
    tr("%1$s on any screen adds what is focused, or the current track.", state.named(.toggleFavorite))
  }
}
