internal import SegueFrontend
internal import SegueSystem
internal import SegueWire

/// The list screen: the queue with a focused entry, a selection and a filter.
struct ListScreen: Screen {
  /// The focused row and the first row on the screen.
  private(set) var scrolling = ListScrolling()
  /// The identifier of the focused entry, by which it is found again when the queue changes.
  private var focusedID: UInt64?
  /// The version of the queue in which the focus was last put on its entry.
  private var version: UInt64 = 0
  /// The identifiers of the selected entries.
  private(set) var selection: Set<UInt64> = []
  /// The version of the queue in which all selected entries were known to exist.
  private var selectionVersion: UInt64?
  private(set) var filter: QueueFilter?
  /// The number of filters so far, which distinguishes responses.
  private var filterCount = 0
  /// Whether the focus was put on the current track at the start.
  private var isPlaced = false

  let commands: [Command] =
    [.open, .showPlayer] + Command.navigation + [
      .filter, .showCurrent, .cancel, .select, .moveUp, .moveDown, .remove, .clear, .undo, .redo,
    ] + Command.playback + [.showSettings, .help, .redraw, .suspend, .quit]

  var hints: [Command] {
    filter?.isEditing == true
      ? [.open, .cancel] : [.open, .toggle, .next, .filter, .select, .remove, .showCurrent, .quit, .help]
  }

  var takesText: Bool { filter?.isEditing ?? false }

  // MARK: Rows

  /// Returns the number of rows: of the queue, or of those that match the filter.
  func count(_ state: SharedState) -> Int { filter?.matches.count ?? state.queue.length }

  /// Returns the entry of a row; nil if it is not loaded.
  func track(at row: Int, _ state: SharedState) -> Track? {
    guard let filter else { return state.queue.track(at: row) }
    return filter.matches.indices.contains(row) ? filter.matches[row] : nil
  }

  /// The entries to which a command applies: the selected ones, or the focused one.
  private func targets(_ state: SharedState) -> [UInt64] {
    selection.isEmpty ? track(at: scrolling.focus, state).map { [$0.id] } ?? [] : selection.sorted()
  }

  // MARK: Commands

  func reasonDisabled(_ command: Command, _ state: SharedState) -> String? {
    switch command {
    case .open, .select, .remove, .clear, .moveUp, .moveDown:
      if state.queue.length == 0 { return PlaybackMessages.emptyQueue }
      if command != .clear, track(at: scrolling.focus, state) == nil { return ListMessages.noEntry }
      if command == .moveUp || command == .moveDown { return reasonMoveDisabled(command, state) }
      return nil
    case .showCurrent: return state.status?.index == nil ? ModelMessages.noCurrentTrack : nil
    case .cancel: return filter == nil && selection.isEmpty ? ListMessages.nothingToCancel : nil
    case .filter: return state.queue.length == 0 ? PlaybackMessages.emptyQueue : nil
    default: return nil
    }
  }

  private func reasonMoveDisabled(_ command: Command, _ state: SharedState) -> String? {
    if filter != nil { return ListMessages.moveInFilter }
    let indices = selection.isEmpty ? [scrolling.focus] : selectedIndices(state) ?? []
    guard let first = indices.first, let last = indices.last else { return ListMessages.moveOfDistantEntries }
    // Entries that are apart come together when they are moved, also at the ends of the queue.
    guard last - first == indices.count - 1 else { return nil }
    if command == .moveUp, first == 0 { return ListMessages.alreadyFirst }
    if command == .moveDown, last == state.queue.length - 1 { return ListMessages.alreadyLast }
    return nil
  }

  /// Returns the indices of the selected entries in order; nil if not all of them are loaded.
  private func selectedIndices(_ state: SharedState) -> [Int]? {
    let indices = selection.compactMap(state.queue.loadedIndex).sorted()
    return indices.count == selection.count ? indices : nil
  }

  mutating func perform(_ command: Command, _ state: SharedState) -> [Action] {
    let count = count(state)
    if scrolling.perform(command, count: count) {
      focusedID = track(at: scrolling.focus, state)?.id
      return []
    }
    switch command {
    case .open: return open(state)
    case .filter: startFilter()
    case .cancel:
      if filter != nil { endFilter() } else { selection = [] }
    case .showCurrent: showCurrent(state)
    case .select: toggleSelection(state)
    case .moveUp: return move(by: -1, state)
    case .moveDown: return move(by: 1, state)
    case .remove:
      let ids = targets(state)
      selection = []
      return [.call(.remove(ids)), .showMessage(.information(ListMessages.removed(ids.count)))]
    case .clear:
      guard state.confirmed == .clear else {
        return [.showMessage(.confirmation(of: .clear, ListMessages.confirmClear(state.queue.length)))]
      }
      selection = []
      return [.call(.clear), .showMessage(.information(ListMessages.cleared))]
    case .undo: return [.call(.undo)]
    case .redo: return [.call(.redo)]
    default: break
    }
    return []
  }

  /// Starts the focused track unless it plays already, and shows the player.
  private func open(_ state: SharedState) -> [Action] {
    guard let track = track(at: scrolling.focus, state) else { return [] }
    let isPlaying = state.status?.track?.id == track.id && state.status?.state == .playing
    return (isPlaying ? [] : [.call(.play(id: track.id))]) + [.show(PlayerScreen())]
  }

  private mutating func showCurrent(_ state: SharedState) {
    guard let index = state.status?.index else { return }
    if filter != nil { endFilter() }
    scrolling.center(on: index)
    focusedID = state.status?.track?.id
  }

  private mutating func toggleSelection(_ state: SharedState) {
    guard let id = track(at: scrolling.focus, state)?.id else { return }
    if selection.remove(id) == nil { selection.insert(id) }
    _ = scrolling.perform(.down, count: count(state))
    focusedID = track(at: scrolling.focus, state)?.id
  }

  private func move(by step: Int, _ state: SharedState) -> [Action] {
    if selection.count > 1 {
      guard let indices = selectedIndices(state), let first = indices.first else { return [] }
      let ids = indices.compactMap { state.queue.track(at: $0)?.id }
      let target = min(max(0, first + step), state.queue.length - ids.count)
      return [.call(.move(ids, to: target))]
    }
    guard let id = targets(state).first, let index = state.queue.loadedIndex(of: id) else { return [] }
    return [.call(.move([id], to: index + step))]
  }

  // MARK: Filter

  private mutating func startFilter() {
    if filter == nil {
      filterCount += 1
      filter = QueueFilter(number: filterCount)
      focusFirstMatch()
    }
    filter?.isEditing = true
  }

  private mutating func focusFirstMatch() {
    scrolling = ListScrolling()
    focusedID = nil
  }

  private mutating func endFilter() {
    // The focus stays on the same entry, which is at its index in the queue.
    let index = filter?.matches.indices.contains(scrolling.focus) == true ? filter?.matches[scrolling.focus].index : nil
    filter = nil
    if let index { scrolling.center(on: index) }
  }

  mutating func type(_ key: Key, _ state: SharedState) -> [Action]? {
    guard var edited = filter else { return nil }
    switch key.code {
    case .enter:
      if edited.field.isEmpty { endFilter() } else { filter?.isEditing = false }
      return []
    case .escape:
      endFilter()
      return []
    case .up, .down, .pageUp, .pageDown: return nil
    default: break
    }
    guard edited.edit({ $0.handle(key) }) else { return nil }
    replaceFilter(edited)
    return []
  }

  mutating func paste(_ text: String, _ state: SharedState) -> [Action] {
    guard var edited = filter else { return [] }
    _ = edited.edit { field in
      field.insert(text)
      return true
    }
    replaceFilter(edited)
    return []
  }

  private mutating func replaceFilter(_ edited: QueueFilter) {
    if edited.field.text != filter?.field.text { focusFirstMatch() }
    filter = edited
  }

  mutating func receive(_ call: DaemonCall, _ result: Result<JSON, ClientError>, _ state: SharedState) -> [Action] {
    switch (call, result) {
    case (.filterPage(let offset, let number), .success(let page)) where filter?.number == number:
      filter?.receive(QueuePage(page), at: offset)
    case (.filterPage(_, let number), .failure) where filter?.number == number: filter?.stop()
    case (.undo, .success(let response)):
      return [.showMessage(.information(ListMessages.undone(Self.step(in: response))))]
    case (.redo, .success(let response)):
      return [.showMessage(.information(ListMessages.redone(Self.step(in: response))))]
    default: break
    }
    return []
  }

  /// Returns the change that was undone or redone; nil for one that only a later version of the daemon knows.
  private static func step(in response: JSON) -> QueueStep? { response["step"].flatMap(QueueStep.init) }

  mutating func disconnect() { filter?.disconnect() }

  // MARK: Mouse

  mutating func click(row: Int, isDouble: Bool, _ state: SharedState) -> [Action] {
    scrolling.focus(on: row)
    focusedID = track(at: row, state)?.id
    filter?.isEditing = false
    return isDouble ? open(state) : []
  }

  mutating func scroll(by rows: Int, _ state: SharedState) -> [Action] {
    scrolling.scroll(by: rows, count: count(state))
    focusedID = track(at: scrolling.focus, state)?.id
    return []
  }

  // MARK: Preparation

  /// Deselects entries that have left the queue. That is known only while the whole queue is loaded.
  private mutating func pruneSelection(_ queue: QueueWindow) {
    guard !selection.isEmpty, selectionVersion != queue.version, queue.isCurrent(0..<queue.length) else { return }
    selectionVersion = queue.version
    selection = selection.filter { queue.loadedIndex(of: $0) != nil }
  }

  mutating func prepare(_ state: inout SharedState) -> [DaemonCall] {
    pruneSelection(state.queue)
    let height = ListLayout(state.size).rows
    if !isPlaced {
      isPlaced = true
      if let index = state.status?.index { scrolling.center(on: index) }
    }
    var calls = filter?.callsToRead(state.queue) ?? []
    if filter == nil, version != state.queue.version, let id = focusedID, let index = state.queue.loadedIndex(of: id) {
      scrolling.follow(to: index)
    }
    if let filter, let id = focusedID, track(at: scrolling.focus, state)?.id != id,
      let index = filter.matches.firstIndex(where: { $0.id == id })
    {
      scrolling.follow(to: index)
    }
    scrolling.fit(count: count(state), height: height)
    if filter != nil {
      focusedID = track(at: scrolling.focus, state)?.id
      return calls
    }
    // The next track is displayed elsewhere, and the pages around the screen are those that a key may show next.
    let range = scrolling.top..<min(scrolling.top + height, max(scrolling.top, state.queue.length))
    calls += state.queue.callsToLoad(range)
    if state.queue.isCurrent(range) {
      version = state.queue.version
      if let id = track(at: scrolling.focus, state)?.id { focusedID = id }
    }
    return calls
  }
}
