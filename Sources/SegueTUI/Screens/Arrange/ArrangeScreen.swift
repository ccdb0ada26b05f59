internal import SegueClientKit
internal import SegueSystem
internal import SegueWire

/// The prompt with the menu of what can be done with the whole queue: sorting it, removing tracks, and adding random
/// ones. Each line has a letter; the capital letter sorts in the reverse order.
struct ArrangeScreen: PromptScreen {
  /// The number of random tracks that are added.
  private static let randomCount = 50

  /// A line of the menu.
  private enum Line: Equatable {
    case sort(QueueSort)
    case shuffle, duplicates, crop, randomTracks, randomAlbum

    static let all =
      QueueSort.allCases.map(Line.sort) + [.shuffle, .duplicates, .crop, .randomTracks, .randomAlbum]

    var letter: Character {
      switch self {
      case .sort(.album): "a"
      case .sort(.title): "t"
      case .sort(.artist): "r"
      case .sort(.date): "y"
      case .sort(.duration): "l"
      case .sort(.path): "p"
      case .shuffle: "z"
      case .duplicates: "d"
      case .crop: "c"
      case .randomTracks: "n"
      case .randomAlbum: "m"
      }
    }

    /// The command that does the same without the menu; nil if there is none.
    var command: Command? { self == .shuffle ? .shuffleNow : nil }
  }

  private var scrolling = ListScrolling()
  private var submitted = SubmittedCall()
  /// The ids of the entries that were selected in the queue.
  private let selected: [UInt64]

  init(selected: [UInt64]) { self.selected = selected }

  mutating func type(_ key: Key, _ state: SharedState) -> [Action]? {
    let count = Line.all.count
    switch key.code {
    case .escape: return [.back]
    case .up: _ = scrolling.perform(.up, count: count)
    case .down: _ = scrolling.perform(.down, count: count)
    case .enter: return choose(Line.all[scrolling.focus], isReversed: false, state)
    case .character(let character) where key.modifiers.isEmpty:
      var letter = character
      if case .character(let latin)? = KeyboardLayout.latinKey(for: key)?.code { letter = latin }
      let lowercased = Character(letter.lowercased())
      guard let index = Line.all.firstIndex(where: { $0.letter == lowercased }) else {
        return [.showMessage(.information(tr("Press one of the letters, or Esc to return.")))]
      }
      scrolling.focus(on: index)
      return choose(Line.all[index], isReversed: letter != lowercased, state)
    default: return nil
    }
    return []
  }

  private mutating func choose(_ line: Line, isReversed: Bool, _ state: SharedState) -> [Action] {
    switch line {
    case .randomTracks: return submitted.submit(.randomTracks(Self.randomCount), state)
    case .randomAlbum: return submitted.submit(.randomAlbum, state)
    case _ where state.queue.length == 0: return [.showMessage(.information(PlaybackMessages.emptyQueue(state)))]
    case .shuffle: return submit(QueueShuffleNowRequest(), state)
    case .duplicates: return submit(QueueDedupeRequest(), state)
    case .crop:
      if selected.isEmpty, state.status?.track == nil {
        return [.showMessage(.information(ModelMessages.noCurrentTrack(state)))]
      }
      return submit(QueueCropRequest(ids: selected.isEmpty ? nil : selected), state)
    case .sort(let key):
      return submit(QueueSortRequest(by: key, order: isReversed ? .descending : .ascending), state)
    }
  }

  private mutating func submit(_ request: some ProtocolRequest<QueueSummary>, _ state: SharedState) -> [Action] {
    submitted.submit(.changeQueue(.init(request: request)), state)
  }

  mutating func click(row: Int, isDouble: Bool, _ state: SharedState) -> [Action] {
    scrolling.focus(on: row)
    return isDouble ? choose(Line.all[row], isReversed: false, state) : []
  }

  mutating func scroll(by rows: Int, _ state: SharedState) -> [Action] {
    scrolling.scroll(by: rows, count: Line.all.count)
    return []
  }

  mutating func receive(_ call: DaemonCall, _ result: CallResult, _ state: SharedState) -> [Action] {
    guard let actions = submitted.receive(call, result) else { return [] }
    switch result {
    case .success(let list as TrackList): return actions + added(list.tracks.map(\.uri))
    case .success(let page as ListPage<Album>): return actions + added(page.items.map(\.uri))
    case .success(let summary as QueueSummary):
      guard case .changeQueue(let command) = call else { return actions }
      let removed = max(0, state.queue.length - summary.length)
      return actions + [.showMessage(.information(ArrangeMessages.done(command.request, removed: removed, state)))]
    default: return actions
    }
  }

  private func added(_ uris: [String]) -> [Action] {
    uris.isEmpty ? [.showMessage(.information(LibraryMessages.empty))] : [.call(.add(uris, .end))]
  }

  mutating func disconnect() { submitted.disconnect() }

  mutating func fit(_ state: SharedState) {
    scrolling.fit(count: Line.all.count, height: box(state).contents.rows)
  }

  var title: String { tr("Arrange the queue") }
  var usage: String { ArrangeMessages.usage }

  func rows(_ state: SharedState) -> Int { Line.all.count }

  func draw(_ frame: inout TerminalFrame, in area: Area, _ state: SharedState) {
    for (number, line) in Line.all.dropFirst(scrolling.top).prefix(area.rows).enumerated() {
      let (place, index) = (area.line(number), scrolling.top + number)
      frame.grid.write(
        String(line.letter), row: place.row, column: place.column, look: state.appearance.look(.highlight, .bold))
      frame.grid.write(
        label(line).withKey(line.command.flatMap(state.configuration.bindings.messageKey)), row: place.row,
        column: place.column + 3, width: place.columns - 3, ellipsis: state.appearance.ellipsis)
      if index == scrolling.focus {
        frame.grid.restyle(place.widened) { $0.emphasis.insert(.reversed) }
        frame.cursor = Position(row: place.row, column: place.column)
      }
      frame.addTarget(.row(index), place.widened)
    }
  }

  private func label(_ line: Line) -> String {
    switch line {
    case .sort(.album): tr("sort by artist and album")
    case .sort(.title): tr("sort by title")
    case .sort(.artist): tr("sort by artist")
    case .sort(.date): tr("sort by date")
    case .sort(.duration): tr("sort by duration")
    case .sort(.path): tr("sort by path")
    case .shuffle: tr("shuffle the queue itself, the current track first")
    case .duplicates: tr("remove tracks that are in the queue twice")
    case .crop where selected.isEmpty: tr("remove all tracks but the current one")
    case .crop:
      trn("remove all tracks but the selected one", "remove all tracks but the %1$d selected ones", selected.count)
    case .randomTracks: trn("add %1$d random track", "add %1$d random tracks", Self.randomCount)
    case .randomAlbum: tr("add a random album")
    }
  }
}

/// The messages about what was done with the whole queue.
enum ArrangeMessages {
  static var usage: String {
    tr("Press a letter, or Enter on a line. A capital letter sorts in the reverse order. Esc changes nothing.")
  }

  /// Returns the message about a request that has succeeded.
  static func done(_ request: any ProtocolRequest, removed: Int, _ state: SharedState) -> String {
    switch request {
    case is QueueSortRequest: tr("The queue is sorted. %1$s takes that back.", state.named(.undo))
    case is QueueShuffleNowRequest: tr("The queue is shuffled. %1$s takes that back.", state.named(.undo))
    default:
      removed == 0
        ? tr("There is nothing to remove.")
        : ListMessages.removed(removed, state)
    }
  }
}
