internal import SegueFrontend

/// The favourites: tracks, albums and artists as tabs, in one of several orders.
struct FavoritesScreen: ItemScreen {
  var tabs = ItemTabs(FavoritesScreen.sources(.title))
  private var order = ListSource.FavoriteOrder.title
  var title: String { FavoriteMessages.title }
  let ownCommands: [Command] = [.cycleOrder, .remove]

  /// A removal waits for the result of the last one.
  func isReady(for command: Command, _ state: SharedState) -> Bool {
    command == .remove ? list.isSettled(for: command, state) : list.isReady(for: command)
  }

  private static func sources(_ order: ListSource.FavoriteOrder) -> [ListSource] {
    [.favorites(.track, order), .favorites(.album, order), .favorites(.artist, order)]
  }

  func facts(_ state: SharedState) -> String {
    guard list.window.isLoaded else { return "" }
    return "\(list.source.counted(list.window.length)) \(state.appearance.dot) \(FavoriteMessages.order(order))"
  }

  mutating func performOwn(_ command: Command, _ state: SharedState) -> [Action] {
    if command == .remove { return [.call(.setFavorite(list.targets(of: command).map(\.uri), false))] }
    let orders = ListSource.FavoriteOrder.allCases
    order = orders[((orders.firstIndex(of: order) ?? 0) + 1) % orders.count]
    tabs.replace(with: Self.sources(order))
    return []
  }
}

/// The messages about favourites.
enum FavoriteMessages {
  static var title: String { tr("Favourites") }
  static var empty: String { tr("There are no favourites of this kind.") }
  static var emptyHint: String {
    tr("“%1$s” on any screen adds what is focused, or the current track.", Command.toggleFavorite.label)
  }

  static func order(_ order: ListSource.FavoriteOrder) -> String {
    switch order {
    case .title: tr("by title")
    case .date: tr("newest first")
    case .rating: tr("best first")
    }
  }
}
