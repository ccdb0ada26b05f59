internal import SegueClientKit
internal import SegueSystem
internal import SegueWire

/// The details of an item, with its picture and with what belongs to it: the songs of an album, the films of a person.
struct DetailsScreen: Screen {
  /// A line of the text beside the picture.
  enum Line: Equatable {
    case text(String, isEmphasized: Bool)
    case label(String, String)
    case heading(String)
    /// An item that belongs to this one, by its index.
    case content(Int)
  }

  private(set) var item: CatalogItem
  /// The details of an item of a catalogue; nil while they are loading.
  private(set) var details: CatalogDetails?
  private var arrival = MonotonicTime(nanoseconds: 0)
  private var isRequested = false
  private(set) var failure: ClientError?
  /// The focused line of the text.
  private(set) var scrolling = ListScrolling()

  init(_ item: CatalogItem) { self.item = item }

  let commands: [Command] =
    [.open, .playNow, .replaceQueue, .add, .addNext, .addToPlaylist, .toggleFavorite, .openLink] + Command.navigation
    + [
      .refresh, .back,
    ]
    // The key of the repeat mode refreshes the details here.
    + Command.playback.filter { $0 != .cycleRepeat } + Command.everywhere
  var hints: [Command] {
    [.open, .playNow, .add, .toggleFavorite] + (link == nil ? [] : [.openLink]) + (item.isOnline ? [.refresh] : [])
      + [.back, .help]
  }

  /// The picture of the item; nil if there is none or the terminal displays none.
  func art(_ state: SharedState) -> Art? { state.cover(of: item.uri, .medium) }

  /// The address of the home page, or of the page at the provider; nil if there is none on the web.
  private var link: String? {
    [item.fact(.homepage), item.link].compactMap { $0 }.first { $0.hasPrefix("https://") || $0.hasPrefix("http://") }
  }

  var isLoading: Bool { item.isOnline && details == nil && failure == nil }

  // MARK: Commands

  private func focusedContent(_ state: SharedState) -> CatalogItem? {
    let lines = DetailsText(self, state).lines
    guard lines.indices.contains(scrolling.focus), case .content(let index) = lines[scrolling.focus] else { return nil }
    return details?.contents[index]
  }

  func reasonDisabled(_ command: Command, _ state: SharedState) -> String? {
    let target = focusedContent(state)
    switch command {
    case .playNow, .replaceQueue, .add, .addNext, .addToPlaylist:
      return (target ?? item).playable ? nil : tr("This item cannot be played.")
    case .openLink: return link == nil ? tr("This item has no page on the web.") : nil
    case .open where target == nil:
      if state.graphics == nil { return DetailsMessages.noGraphics }
      return art(state) == nil ? tr("There is no picture of this item, or it is still loading.") : nil
    default: return nil
    }
  }

  mutating func perform(_ command: Command, _ state: SharedState) -> [Action] {
    if scrolling.perform(command, count: DetailsText(self, state).lines.count) { return [] }
    let content = focusedContent(state)
    switch command {
    case .open:
      if let content { return CatalogActions.perform(.open, content, state) }
      return art(state).map { [.show(PictureScreen(title: item.title, art: $0))] } ?? []
    case .playNow: return [.call(.playTrack(uri: (content ?? item).uri))]
    case .openLink: return link.map { [.openLink($0)] } ?? []
    case .refresh:
      isRequested = false
      failure = nil
      return []
    default: return CatalogActions.perform(command, content ?? item, state)
    }
  }

  mutating func click(row: Int, isDouble: Bool, _ state: SharedState) -> [Action] {
    scrolling.focus(on: row)
    guard isDouble else { return [] }
    if let reason = reasonDisabled(.open, state) { return [.showMessage(.information(reason))] }
    return perform(.open, state)
  }

  mutating func scroll(by rows: Int, _ state: SharedState) -> [Action] {
    scrolling.scroll(by: rows, count: DetailsText(self, state).lines.count)
    return []
  }

  // MARK: The daemon

  mutating func fit(_ state: SharedState) {
    let layout = DetailsLayout(state.size, art(state), cell: state.graphics?.cellSize)
    scrolling.fit(count: DetailsText(self, state).lines.count, height: layout.text.rows)
  }

  mutating func prepare(_ state: inout SharedState) -> [DaemonCall] {
    var calls: [DaemonCall] = []
    if !isRequested {
      isRequested = true
      if item.isOnline {
        calls.append(.details(uri: item.uri, isPerson: item.kind == .person, refresh: details != nil))
      } else if item.isLeaf {
        calls.append(.track(uri: item.uri))
      }
    }
    if item.canHaveCover { calls += state.prepareCovers(of: [item.uri], .medium) }
    return calls
  }

  mutating func receive(_ call: DaemonCall, _ result: CallResult, _ state: SharedState) -> [Action] {
    switch (call, result) {
    case (.details(item.uri, _, _), .success(let received as CatalogDetails)):
      (details, item, failure, arrival) = (received, received.item, nil, state.now)
    case (.details(item.uri, _, _), .failure(let error)):
      failure = error
      return [.showMessage(.failure(CatalogMessages.failure(error, state)))]
    case (.track(item.uri), .success(let report as TrackReport)): item.add(report)
    case (.setFavorite(let uris, let isFavorite), .success):
      if uris.contains(item.uri) { item.favorite = isFavorite }
      for index in details?.contents.indices ?? 0..<0 where uris.contains(details?.contents[index].uri ?? "") {
        details?.contents[index].favorite = isFavorite
      }
    default: break
    }
    return []
  }

  mutating func disconnect() {
    if details == nil { isRequested = false }
  }

  /// The age of outdated details; nil if they are not outdated.
  func staleAge(at now: MonotonicTime) -> MediaTime? {
    guard let details, details.stale else { return nil }
    return (details.age ?? .zero) + (now - arrival)
  }
}

/// The picture of an item on the whole screen.
struct PictureScreen: Screen {
  let title: String
  let art: Art

  let commands: [Command] = [.back, .open] + Command.playback + Command.everywhere
  let hints: [Command] = [.back, .toggle, .help]

  mutating func perform(_ command: Command, _ state: SharedState) -> [Action] { command == .open ? [.back] : [] }

  func draw(_ frame: inout TerminalFrame, _ state: SharedState) {
    TitleLine.draw(&frame, title, "", state)
    frame.cursor = Position(row: 0, column: 0)
    guard let cell = state.graphics?.cellSize else { return }
    var area = Area(row: 1, column: 1, rows: max(1, state.size.rows - 4), columns: state.size.columns - 2)
    let box = PictureBox(
      art.width, art.height, cell: cell, maximum: (columns: area.columns, rows: area.rows), scalesUp: true)
    area.column += (area.columns - box.columns) / 2
    frame.addPicture(art, in: area, cell: cell)
  }
}
