internal import SegueClientKit
internal import SegueWire

/// The library: albums, artists and tracks as tabs.
struct LibraryScreen: ItemScreen {
  var tabs = ItemTabs([.albums(.title), .artists, .tracks(.title)])
  var title: String { tr("Library") }
  let ownCommands: [Command] = [.cycleOrder]

  func reasonOwnDisabled(_ command: Command, _ state: SharedState) -> String? {
    list.source.order == nil ? tr("This list has a single order.") : nil
  }

  mutating func performOwn(_ command: Command, _ state: SharedState) -> [Action] {
    tabs.selectNextOrder()
    return []
  }
}

/// The page of an album, an artist or another item, which lists its contents.
struct ContentsScreen: ItemScreen {
  var tabs: ItemTabs
  /// The title and the facts of the list from which the page was opened. The page itself states them, too.
  private let listedTitle: String
  private let listedFacts: [String]

  init(_ source: ListSource, of item: ListedItem) {
    tabs = ItemTabs([source])
    (listedTitle, listedFacts) = (item.title, item.facts)
  }

  /// Creates the page of an album or an artist of the library; nil for any other item.
  init?(_ item: CatalogItem) {
    guard let source = ListSource(contentsOf: item.uri) else { return nil }
    tabs = ItemTabs([source])
    (listedTitle, listedFacts) = (item.title.visible, [])
  }

  var title: String { list.container?.title ?? listedTitle }

  func facts(_ state: SharedState) -> String {
    (list.container?.facts ?? listedFacts).joined(separator: " \(state.appearance.dot) ")
  }
}
