/// The library: albums, artists and tracks as tabs.
struct LibraryScreen: ItemScreen {
  var tabs = ItemTabs([.albums, .artists, .tracks])
  let title = LibraryMessages.title
}

/// The page of an album, an artist or another item, which lists its contents.
struct ContentsScreen: ItemScreen {
  var tabs: ItemTabs
  /// The item as the list stated it from which the page was opened.
  private let item: ListedItem

  init(_ source: ListSource, of item: ListedItem) {
    tabs = ItemTabs([source])
    self.item = item
  }

  var title: String { (list.container ?? item).title }

  func facts(_ state: SharedState) -> String {
    (list.container ?? item).facts.joined(separator: " \(state.appearance.dot) ")
  }
}
