internal import SegueClientKit
internal import SegueSystem
internal import SegueWire

/// The list screen: the queue with a focused entry, a selection and a filter.
struct ListScreen: Screen {
  private(set) var navigation = ListNavigation<QueueEntry>()
  private(set) var filledColumns = QueueColumns()
  private var selectionCheck = SelectionCheck()
  /// Whether the focus was put on the current track at the start.
  private var isPlaced = false

  let commands: [Command] =
    [.open] + Command.navigation + [
      .filter, .showCurrent, .cancel, .select, .moveUp, .moveDown, .remove, .clear, .arrange, .savePlaylist,
      .addToPlaylist,
      .toggleFavorite, .rate, .details,
    ] + Command.playback + Command.everywhere

  var hints: [Command] {
    takesText
      ? [.open, .cancel] : [.open, .toggle, .next, .filter, .select, .remove, .showCurrent, .quit, .help]
  }

  var takesText: Bool { navigation.takesText }

  // MARK: Commands

  func reasonDisabled(_ command: Command, _ state: SharedState) -> String? {
    switch command {
    case .open, .select, .addToPlaylist, .toggleFavorite, .rate, .details, .remove, .clear, .moveUp, .moveDown:
      if state.queue.length == 0 { return PlaybackMessages.emptyQueue(state) }
      if command != .clear, !navigation.appliesToSelection(command), navigation.focused(state.queue) == nil {
        return tr("There is no track here.")
      }
      if command == .moveUp || command == .moveDown { return reasonMoveDisabled(command, state) }
      return nil
    case .showCurrent: return state.status?.index == nil ? ModelMessages.noCurrentTrack(state) : nil
    case .cancel:
      return navigation.filter == nil && navigation.selection.isEmpty
        ? tr("There is neither a filter nor a selection to end. %1$s quits.", state.named(.quit)) : nil
    case .filter, .savePlaylist: return state.queue.length == 0 ? PlaybackMessages.emptyQueue(state) : nil
    default: return nil
    }
  }

  func isReady(for command: Command, _ state: SharedState) -> Bool {
    let isNavigation = Command.navigation.contains(command)
    guard isNavigation || Command.onRows.contains(command) else { return true }
    let needsElement = !isNavigation && !navigation.appliesToSelection(command)
    return !state.unanswered.change([.queue]) && navigation.isSettled(state.queue, needsElement: needsElement)
  }

  private func reasonMoveDisabled(_ command: Command, _ state: SharedState) -> String? {
    if navigation.filter != nil { return ListMessages.moveInFilter(state) }
    let indices = navigation.selection.isEmpty ? [navigation.scrolling.focus] : selectedIndices(state) ?? []
    guard let first = indices.first, let last = indices.last else { return ListMessages.moveOfDistantEntries }
    // Entries that are apart come together when they are moved, also at the ends of the queue.
    guard last - first == indices.count - 1 else { return nil }
    if command == .moveUp, first == 0 { return ListMessages.alreadyFirst }
    if command == .moveDown, last == state.queue.length - 1 { return tr("This is already the end of the queue.") }
    return nil
  }

  /// Returns the indices of the selected entries in order; nil if not all of them are loaded.
  private func selectedIndices(_ state: SharedState) -> [Int]? {
    let indices = navigation.selection.elements.compactMap { state.queue.loadedIndex(of: $0.id) }.sorted()
    return indices.count == navigation.selection.count ? indices : nil
  }

  mutating func perform(_ command: Command, _ state: SharedState) -> [Action] {
    if navigation.perform(command, state.queue) { return [] }
    switch command {
    case .open: return open(state)
    case .filter: navigation.startFilter()
    case .cancel: navigation.cancel()
    case .showCurrent: if let index = state.status?.index { navigation.center(on: index, state.status?.track?.id) }
    case .select: navigation.toggleSelection(state.queue)
    case .moveUp: return move(command, by: -1, state)
    case .moveDown: return move(command, by: 1, state)
    case .remove: return [.call(.remove(navigation.targets(of: command, state.queue).map(\.id).sorted()))]
    case .clear:
      return [
        .confirm(
          Confirmation(
            calls: [.clear],
            question: trn(
              "Press the key again to remove the only track from the queue.",
              "Press the key again to remove all %1$d tracks from the queue.", state.queue.length)))
      ]
    case .toggleFavorite:
      let tracks = navigation.targets(of: command, state.queue)
      return [.call(.setFavorite(tracks.map(\.uri), !tracks.allSatisfy(\.favorite)))]
    case .rate:
      return navigation.focused(state.queue).map { [.show(RatingScreen(uri: $0.uri, title: $0.title))] } ?? []
    case .details: return navigation.focused(state.queue).map { [.show(DetailsScreen(CatalogItem($0)))] } ?? []
    case .arrange: return [.show(ArrangeScreen(selected: navigation.selection.elements.map(\.id)))]
    case .savePlaylist: return [.show(PlaylistNameScreen(.queue))]
    case .addToPlaylist:
      return [.show(PlaylistNameScreen(.addition(of: navigation.targets(of: command, state.queue).map(\.uri))))]
    default: break
    }
    return []
  }

  /// Starts the focused track unless it plays already, and shows the player.
  private func open(_ state: SharedState) -> [Action] {
    guard let track = navigation.focused(state.queue) else { return [] }
    let isPlaying = state.status?.track?.id == track.id && state.status?.state == .playing
    return (isPlaying ? [] : [.call(.play(id: track.id))]) + [.show(PlayerScreen())]
  }

  private func move(_ command: Command, by step: Int, _ state: SharedState) -> [Action] {
    if navigation.selection.count > 1 {
      guard let indices = selectedIndices(state), let first = indices.first else { return [] }
      let ids = indices.compactMap { state.queue.element(at: $0)?.id }
      let target = min(max(0, first + step), state.queue.length - ids.count)
      return [.call(.move(ids, to: target))]
    }
    guard let id = navigation.targets(of: command, state.queue).first?.id, let index = state.queue.loadedIndex(of: id)
    else { return [] }
    return [.call(.move([id], to: index + step))]
  }

  mutating func type(_ key: Key, _ state: SharedState) -> [Action]? { navigation.type(key) ? [] : nil }

  mutating func paste(_ text: String, _ state: SharedState) -> [Action] {
    navigation.paste(text)
    return []
  }

  mutating func receive(_ call: DaemonCall, _ result: CallResult, _ state: SharedState) -> [Action] {
    switch (call, result) {
    case (.read(.queue, .page(let number)), .success(let page as QueuePage)):
      filledColumns.receive(page, at: ListRead.page(number).offset, state.queue)
    case (.read(.queue, .filterPage(let offset, let number)), .success(let page as QueuePage)):
      navigation.receive(page.tracks, at: offset, filter: number)
      filledColumns.receiveWithoutHeadings(page)
    case (.read(.queue, .filterPage(_, let number)), .failure(let error)):
      navigation.fail(filter: number, error, at: state.now)
    case (.remove(let ids), .success):
      let removed = Set(ids)
      navigation.remove { removed.contains($0.id) }
      return [.showMessage(.information(ListMessages.removed(ids.count, state)))]
    case (.locate(let id), let result):
      selectionCheck.receive(id)
      if case .failure(let error) = result, error.kind == Failure.Kind.noSuchTrack.rawValue {
        navigation.remove { $0.id == id }
      }
    case (.clear, .success):
      navigation.selection.removeAll()
      return [.showMessage(.information(ListMessages.cleared(state)))]
    case (.setFavorite(let uris, _), .success), (.addToPlaylist(_, let uris), .success): navigation.deselect(uris)
    case (.undo, .success(let undone as QueueStepResult)):
      return [.showMessage(.information(ListMessages.undone(undone.step)))]
    case (.redo, .success(let redone as QueueStepResult)):
      return [.showMessage(.information(ListMessages.redone(redone.step)))]
    default: break
    }
    return []
  }

  mutating func disconnect() {
    navigation.disconnect()
    selectionCheck.disconnect()
  }

  // MARK: Mouse

  mutating func click(row: Int, isDouble: Bool, _ state: SharedState) -> [Action] {
    navigation.click(row: row, isDouble: isDouble, state.queue) ? open(state) : []
  }

  mutating func scroll(by rows: Int, _ state: SharedState) -> [Action] {
    navigation.scroll(by: rows, state.queue)
    return []
  }

  mutating func scroll(to fraction: Double, _ state: SharedState) { navigation.scroll(to: fraction, state.queue) }

  func problem(_ state: SharedState) -> Message? {
    navigation.filter?.failure.map { .failure(PlaybackMessages.failure($0, state)) }
  }

  // MARK: Preparation

  /// Returns the function for the number of entries on the screen; nil without headings of albums.
  private func capacity(_ state: SharedState) -> ListNavigation<QueueEntry>.Capacity? {
    guard showsHeadings(state) else { return nil }
    let height = ListLayout(state.size).rows
    return { QueueRows(from: $0, height: height, $1).entryCount }
  }

  /// Whether albums have headings.
  func showsHeadings(_ state: SharedState) -> Bool {
    state.configuration.showsAlbumHeadings && !state.appearance.isPlain && ListLayout(state.size).rows >= 8
  }

  mutating func fit(_ state: SharedState) {
    navigation.fit(state.queue, height: ListLayout(state.size).rows, capacity: capacity(state))
  }

  /// Returns the pane beside the queue; nil if there is none.
  func pane(_ state: SharedState) -> NowPlayingPane? {
    NowPlayingPane(state, above: ListLayout(state.size).progressRow)
  }

  func showsSound(_ state: SharedState) -> Bool { pane(state)?.showsVisualizer(state) == true }

  func nextChange(_ state: SharedState) -> MonotonicTime? {
    [
      pane(state) == nil ? state.nextSecond : state.nextLyricsChange, navigation.nextChange,
      selectionCheck.nextCheck(navigation.selection, state.queue),
    ]
    .compactMap { $0 }.min()
  }

  mutating func prepare(_ state: inout SharedState) -> [DaemonCall] {
    if !isPlaced {
      isPlaced = true
      if let index = state.status?.index { navigation.center(on: index, nil) }
    }
    let height = ListLayout(state.size).rows
    let reads = navigation.prepare(&state.queue, height: height, at: state.now, capacity: capacity(state))
    let track = pane(state) == nil ? [] : state.prepareCurrentTrack()
    return reads.map { .read(.queue, $0) } + track
      + selectionCheck.calls(navigation.selection, state.queue, at: state.now)
  }
}
