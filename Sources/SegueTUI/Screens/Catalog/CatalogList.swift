internal import SegueClientKit
internal import SegueSystem
internal import SegueWire

/// The items that a query finds, which are read a page at a time while the focus moves down, as a table or as tiles.
struct CatalogList {
  /// The state of the reading.
  private enum Reading: Equatable {
    /// A page is to be read, with `refresh` by the provider even if the cache has it.
    case needed(offset: Int, refresh: Bool)
    /// A page was requested.
    case requested(offset: Int, refresh: Bool)
    case idle
    /// The last request, for the page at this offset, has failed.
    case failed(offset: Int)
  }

  let query: PageQuery
  private(set) var items: [CatalogItem] = []
  /// The last page that has arrived; nil before the first one.
  private(set) var page: CatalogPage?
  /// The age of outdated items when they arrived; nil if the provider has confirmed them. Later pages may come from the
  /// cache, and say nothing about the first one.
  private var staleness: (age: MediaTime, arrival: MonotonicTime)?
  private(set) var failure: ClientError?
  private var reading = Reading.needed(offset: 0, refresh: false)
  /// The focused row and the first row on the screen; a row of tiles has `columnCount` items.
  private(set) var scrolling = ListScrolling()
  private var column = 0
  /// The number of items beside each other.
  private(set) var columnCount = 1

  init(_ query: PageQuery) { self.query = query }

  /// The index of the focused item.
  var focus: Int { min(scrolling.focus * columnCount + column, max(0, items.count - 1)) }
  var focused: CatalogItem? { items.indices.contains(focus) ? items[focus] : nil }
  /// Whether the first page has not arrived yet.
  var isLoading: Bool { page == nil && failure == nil }

  private var rowCount: Int { (items.count + columnCount - 1) / columnCount }

  /// The offset of the next page; nil if there are no more items. A page may have fewer items than were requested
  /// although there are more.
  private var nextOffset: Int? {
    guard let page, page.limit > 0 else { return nil }
    let next = page.offset.addingReportingOverflow(page.limit).partialValue
    guard next > page.offset else { return nil }
    return page.total.map { next < $0 } ?? !page.items.isEmpty ? next : nil
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

  /// Has the list read again, by the provider if possible, or only the page that could not be read. The items stay
  /// until new ones arrive.
  mutating func refresh() {
    switch reading {
    case .requested(offset: 0, refresh: true), .needed: break
    case .failed(let offset) where offset > 0: reading = .needed(offset: offset, refresh: false)
    case .failed, .idle, .requested: reading = .needed(offset: 0, refresh: true)
    }
  }

  // MARK: The daemon

  /// Adapts the list to the size of the screen, on which `rows` rows are displayed.
  mutating func fit(_ state: SharedState, rows: Int, showsTiles: Bool) {
    let index = focus
    columnCount = showsTiles && state.size.columns >= CatalogTile.minimumColumns ? 2 : 1
    focus(on: index)
    scrolling.fit(count: rowCount, height: showsTiles ? max(1, rows / CatalogTile.rowCount) : rows)
  }

  /// Returns the calls for what is missing of `rows` rows on the screen.
  mutating func prepare(_ state: inout SharedState, rows: Int, showsTiles: Bool) -> [DaemonCall] {
    fit(state, rows: rows, showsTiles: showsTiles)
    let pages = preparePage()
    guard showsTiles else { return pages }
    let displayed = items.dropFirst(scrolling.top * columnCount).prefix(rows / CatalogTile.rowCount * columnCount)
    return pages + state.prepareCovers(of: displayed.filter(\.canHaveCover).map(\.uri), .small)
  }

  /// Returns the call for the next page if it is needed.
  private mutating func preparePage() -> [DaemonCall] {
    switch reading {
    case .needed(let offset, let refresh): return [request(offset: offset, refresh: refresh)]
    case .idle:
      guard let nextOffset, focus + PageQuery.pageLength / 2 >= items.count else { return [] }
      return [request(offset: nextOffset, refresh: false)]
    case .requested, .failed: return []
    }
  }

  private mutating func request(offset: Int, refresh: Bool) -> DaemonCall {
    reading = .requested(offset: offset, refresh: refresh)
    return .catalog(query, offset: offset, refresh: refresh)
  }

  /// Takes over the response to a request for this list. Ignores any other response.
  mutating func receive(_ call: DaemonCall, _ result: CallResult, _ state: SharedState) {
    switch (call, result) {
    case (.catalog(query, let offset, let refresh), .success(let response))
    where reading == .requested(offset: offset, refresh: refresh):
      guard let received = query.page(in: response) else { return }
      items = (offset == 0 ? [] : items) + received.items
      (page, failure) = (received, nil)
      if offset == 0 { staleness = nil }
      if received.stale { staleness = (received.age ?? .zero, state.now) }
      reading = .idle
    case (.catalog(query, let offset, let refresh), .failure(let error))
    where reading == .requested(offset: offset, refresh: refresh):
      reading = .failed(offset: offset)
      failure = error
    case (.setFavorite(let uris, let isFavorite), .success):
      for index in items.indices where uris.contains(items[index].uri) { items[index].favorite = isFavorite }
    default: break
    }
  }

  /// Has an unanswered request, or a failed one, sent to the next daemon.
  mutating func disconnect() {
    switch reading {
    case .requested, .failed: reading = items.isEmpty ? .needed(offset: 0, refresh: false) : .idle
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
  static let commands: [Command] = [
    .open, .details, .add, .addNext, .playNow, .replaceQueue, .addToPlaylist, .toggleFavorite,
  ]

  static func reasonDisabled(_ command: Command, _ item: CatalogItem?, _ state: SharedState) -> String? {
    guard commands.contains(command) else { return nil }
    guard let item else { return tr("There is nothing here to which the key applies.") }
    return [.add, .addNext, .playNow, .replaceQueue, .addToPlaylist].contains(command) && !item.playable
      ? tr("This item cannot be played. %1$s shows what belongs to it.", state.named(.open)) : nil
  }

  static func perform(_ command: Command, _ item: CatalogItem, _ state: SharedState) -> [Action] {
    switch command {
    case .open: open(item, in: nil, state)
    case .details: [.show(DetailsScreen(item))]
    case .add: [.call(.add([item.uri], .end))]
    case .addNext: [.call(.add([item.uri], .next))]
    case .playNow: [.call(.playItems([item.uri]))]
    case .replaceQueue: [.call(.replaceQueue([item.uri], playing: nil))]
    case .addToPlaylist: [.show(PlaylistNameScreen(.addition(of: [item.uri])))]
    case .toggleFavorite: [.call(.setFavorite([item.uri], !item.favorite))]
    default: []
    }
  }

  /// Performs the default action on something that is played as a whole, and shows everything else. `container` is the
  /// URI of what contains it, such as an album, if there is something like that.
  static func open(_ item: CatalogItem, in container: String?, _ state: SharedState) -> [Action] {
    if let contents = ContentsScreen(item) { return [.show(contents)] }
    guard item.playable, item.isLeaf else { return [.show(DetailsScreen(item))] }
    return switch state.configuration.defaultAction {
    case .play: [.call(container.map { .replaceQueue([$0], playing: item.uri) } ?? .playTrack(uri: item.uri))]
    case .insert: [.call(.playTrack(uri: item.uri))]
    case .add: [.call(.add([item.uri], .end))]
    case .details: [.show(DetailsScreen(item))]
    }
  }
}

extension CatalogItem {
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
