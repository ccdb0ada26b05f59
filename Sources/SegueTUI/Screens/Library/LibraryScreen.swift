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

  mutating func performOwn(_ command: Command, _ state: SharedState) -> [Action] {
    tabs.selectNextOrder()
    return []
  }
}

/// The page of an album, an artist or another item, which lists its contents.
struct ContentsScreen: ItemScreen {
  var tabs: ItemTabs
  /// The title and the facts of the list from which the page was opened. The page itself states them, too. The facts
  /// are nil if they are those of the list itself.
  private let listedTitle: String
  private let listedFacts: [String]?

  init(_ source: ListSource, of item: ListedItem) {
    tabs = ItemTabs([source])
    (listedTitle, listedFacts) = (item.title, item.facts)
  }

  /// Creates the page of the values of a tag.
  init(_ tag: LibraryTag) {
    tabs = ItemTabs([.values(tag)])
    (listedTitle, listedFacts) = (LibraryMessages.values(tag), nil)
  }

  /// Creates the page of a value of a tag, with its albums, if it has any, and its tracks.
  init?(_ value: TagValue) {
    guard let listed = ListedValue(value) else { return nil }
    let tracks = ListSource.tracks(.album, of: listed)
    tabs = ItemTabs(value.albumCount == 0 ? [tracks] : [.albums(.title, of: listed), tracks])
    let item = ListedItem.value(value)
    (listedTitle, listedFacts) = (item.title, item.facts)
  }

  /// Creates the page of an album or an artist of the library; nil for any other item.
  init?(_ item: CatalogItem) {
    guard let source = ListSource(contentsOf: item.uri) else { return nil }
    tabs = ItemTabs([source])
    (listedTitle, listedFacts) = (item.title.visible, [])
  }

  var title: String { list.container?.title ?? listedTitle }

  var ownCommands: [Command] { list.source.order == nil ? [] : [.cycleOrder] }

  mutating func performOwn(_ command: Command, _ state: SharedState) -> [Action] {
    tabs.selectNextOrder()
    return []
  }

  func facts(_ state: SharedState) -> String {
    guard let facts = list.container?.facts ?? listedFacts else { return listFacts(state) }
    let order = list.source.isInStandardOrder ? nil : list.source.order?.label
    return (facts + [order].compactMap(\.self)).joined(separator: " \(state.appearance.dot) ")
  }
}
