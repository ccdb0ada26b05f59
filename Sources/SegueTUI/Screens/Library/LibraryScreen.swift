internal import SegueClientKit
internal import SegueWire

/// The library: albums, artists and tracks as tabs, and a tab with further lists, such as genres and composers.
struct LibraryScreen: ItemScreen {
  var tabs = ItemTabs([.albums(.title), .artists, .tracks(.title), .tags])
  var title: String { tr("Library") }
  let ownCommands: [Command] = [.cycleOrder]

  func reasonOwnDisabled(_ command: Command, _ state: SharedState) -> String? {
    list.source.order == nil ? tr("This list has a single order.") : nil
  }
}

/// The page of an album, an artist or another item, which lists its contents.
struct ContentsScreen: ItemScreen {
  var tabs: ItemTabs
  /// The title and the facts of the list from which the page was opened. The page itself states them, too. The facts
  /// are nil if they are those of the list itself.
  private let listedTitle: String
  private let listedFacts: [String]?

  /// Creates the page of an item; nil if it contains nothing.
  init?(of item: ListedItem) {
    guard !item.contents.isEmpty else { return nil }
    tabs = ItemTabs(item.contents)
    (listedTitle, listedFacts) = (item.title, item.facts.isEmpty ? nil : item.facts)
  }

  /// Creates the page of an album or an artist of the library; nil for any other item.
  init?(_ item: CatalogItem) {
    guard let source = ListSource(contentsOf: item.uri) else { return nil }
    tabs = ItemTabs([source])
    (listedTitle, listedFacts) = (item.title.visible, [])
  }

  var title: String { list.container?.title ?? listedTitle }

  var ownCommands: [Command] { list.source.order == nil ? [] : [.cycleOrder] }

  func facts(_ state: SharedState) -> String {
    guard let facts = list.container?.facts ?? listedFacts else { return listFacts(state) }
    let order = list.source.isInStandardOrder ? nil : list.source.order?.label
    return (facts + [order].compactMap(\.self)).joined(separator: " \(state.appearance.dot) ")
  }
}
