internal import SegueFrontend
internal import SegueSystem
internal import SegueWire

/// The items that a query finds, which are read a page at a time while the focus moves down, as a table or as tiles.
struct CatalogList {
  /// The state of the reading.
  private enum Reading: Equatable {
    /// The list is to be read from its start.
    case needed(refresh: Bool)
    /// A page was requested.
    case requested(offset: Int)
    case idle
    /// The last request has failed.
    case failed
  }

  let query: CatalogQuery
  private(set) var items: [Item] = []
  /// The last page that has arrived; nil before the first one.
  private(set) var page: CatalogPage?
  /// The age of outdated items when they arrived; nil if the provider has confirmed them. Later pages may come from the cache,
  /// and say nothing about the first one.
  private var staleness: (age: MediaTime, arrival: MonotonicTime)?
  private(set) var failure: ClientError?
  private var reading = Reading.needed(refresh: false)
  /// The focused row and the first row on the screen; a row of tiles has `columnCount` items.
  private(set) var scrolling = ListScrolling()
  private var column = 0
  /// The number of items beside each other.
  private(set) var columnCount = 1

  init(_ query: CatalogQuery) { self.query = query }

  /// The index of the focused item.
  var focus: Int { min(scrolling.focus * columnCount + column, max(0, items.count - 1)) }
  var focused: Item? { items.indices.contains(focus) ? items[focus] : nil }
  /// Whether the first page has not arrived yet.
  var isLoading: Bool { page == nil && failure == nil }

  private var rowCount: Int { (items.count + columnCount - 1) / columnCount }

  /// Whether the provider has, or may have, more items than were read.
  private var hasMore: Bool {
    guard let page else { return true }
    if let total = page.total { return items.count < total && !page.items.isEmpty }
    return page.items.count >= page.limit
  }

  // MARK: Commands

  /// Moves the focus. Returns false for a command that does not.
  mutating func move(_ command: Command) -> Bool {
    switch command {
    case .left where columnCount > 1: column = max(0, column - 1)
    case .right where columnCount > 1: column = min(columnCount - 1, column + 1)
    default: return scrolling.perform(command, count: rowCount)
    }
    return true
  }

  mutating func focus(on index: Int) {
    scrolling.focus(on: index / columnCount)
    column = index % columnCount
  }

  mutating func scroll(by rows: Int) { scrolling.scroll(by: rows, count: rowCount) }

  /// Has the list read again, by the provider if possible. The items stay until new ones arrive.
  mutating func refresh() { reading = .needed(refresh: true) }

  // MARK: The daemon

  /// Returns the call for what is missing of `rows` rows on the screen.
  mutating func prepare(_ state: inout SharedState, rows: Int, showsTiles: Bool) -> [DaemonCall] {
    let pages = preparePages(state, rows: rows, showsTiles: showsTiles)
    guard showsTiles else { return pages }
    let first = scrolling.top * columnCount
    let displayed = items.dropFirst(first).prefix(rows / CatalogTile.rowCount * columnCount)
    return pages + state.prepareCovers(of: displayed.filter(\.canHaveCover).map(\.uri), .small)
  }

  private mutating func preparePages(_ state: SharedState, rows: Int, showsTiles: Bool) -> [DaemonCall] {
    let index = focus
    columnCount = showsTiles && state.size.columns >= CatalogTile.minimumColumns ? 2 : 1
    focus(on: index)
    scrolling.fit(count: rowCount, height: showsTiles ? max(1, rows / CatalogTile.rowCount) : rows)
    switch reading {
    case .needed(let refresh):
      reading = .requested(offset: 0)
      return [.catalog(query, offset: 0, refresh: refresh)]
    case .idle where hasMore && index + CatalogQuery.pageLength / 2 >= items.count:
      reading = .requested(offset: items.count)
      return [.catalog(query, offset: items.count, refresh: false)]
    case .idle, .requested, .failed: return []
    }
  }

  /// Takes over the response to a request for this list. Ignores any other response. Returns the action after it.
  mutating func receive(
    _ call: DaemonCall, _ result: Result<JSON, ClientError>, _ state: SharedState
  ) -> [Action] {
    switch (call, result) {
    case (.catalog(query, let offset, _), .success(let response)) where reading == .requested(offset: offset):
      let received = query.page(in: response)
      items = (offset == 0 ? [] : items) + received.items
      (page, failure) = (received, nil)
      if offset == 0 { staleness = nil }
      if received.stale { staleness = (received.age ?? .zero, state.now) }
      reading = .idle
    case (.catalog(query, let offset, _), .failure(let error)) where reading == .requested(offset: offset):
      reading = .failed
      failure = error
      // The list itself shows why it is empty.
      return items.isEmpty ? [] : [.showMessage(.failure(CatalogMessages.failure(error)))]
    case (.setFavorite(let uris, let isFavorite), .success):
      for index in items.indices where uris.contains(items[index].uri) { items[index].favorite = isFavorite }
    default: break
    }
    return []
  }

  /// Has an unanswered request, or a failed one, sent to the next daemon.
  mutating func disconnect() {
    switch reading {
    case .requested, .failed: reading = items.isEmpty ? .needed(refresh: false) : .idle
    case .needed, .idle: break
    }
  }

  /// The age of outdated items; nil if they are not outdated.
  func staleAge(at now: MonotonicTime) -> MediaTime? {
    staleness.map { $0.age + (now - $0.arrival) }
  }
}

/// The commands that apply to the focused item of a list of a catalogue.
enum CatalogActions {
  static let commands: [Command] = [.open, .details, .add, .addNext, .toggleFavorite]

  static func reasonDisabled(_ command: Command, _ item: Item?) -> String? {
    guard commands.contains(command) else { return nil }
    guard let item else { return CatalogMessages.noItem }
    return (command == .add || command == .addNext) && !item.playable ? CatalogMessages.notPlayable : nil
  }

  static func perform(_ command: Command, _ item: Item, _ state: SharedState) -> [Action] {
    switch command {
    case .open: open(item, state.configuration.defaultAction)
    case .details: [.show(DetailsScreen(item))]
    case .add: [.call(.add([item.uri], .end))]
    case .addNext: [.call(.add([item.uri], .next))]
    case .toggleFavorite: [.call(.setFavorite([item.uri], !item.favorite))]
    default: []
    }
  }

  /// Performs the default action on something that is played as a whole, and shows everything else.
  private static func open(_ item: Item, _ action: DefaultAction) -> [Action] {
    guard item.playable, item.isLeaf else { return [.show(DetailsScreen(item))] }
    return switch action {
    case .play: [.call(.playTrack(uri: item.uri))]
    case .add: [.call(.add([item.uri], .end))]
    case .details: [.show(DetailsScreen(item))]
    }
  }
}

extension Item {
  /// Whether the item contains no others.
  var isLeaf: Bool {
    switch kind {
    case .song, .film, .audiobook, .episode, .station: true
    case .album, .artist, .podcast, .person: false
    }
  }

  /// Whether the item is one of an online catalogue.
  var isOnline: Bool { CatalogItemURI.hasScheme(uri) }

  /// Whether the daemon may have a picture of the item. It says so for items of catalogues.
  var canHaveCover: Bool { art != nil || !isOnline }

  /// Returns the value of a fact, or nil if the item does not have it.
  func fact(_ name: Fact.Name) -> String? { facts.first { $0.name == name }?.value }
}
