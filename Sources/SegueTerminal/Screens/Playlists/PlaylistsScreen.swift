internal import SegueFrontend
internal import SegueWire

/// The playlists of the user. The queue is saved as one under a name that is typed.
struct PlaylistsScreen: ItemScreen {
  var tabs = ItemTabs([.playlists])
  var title: String { PlaylistMessages.title }
  let ownCommands: [Command] = [.remove, .savePlaylist]
  /// The name of the playlist as which the queue is to be saved, while it is typed.
  private var name: TextField?
  /// The name of a playlist that exists, as the daemon has said when the queue was to be saved under it.
  private var existingName: String?

  var takesText: Bool { name != nil || list.takesText }

  /// A deletion waits for the result of the last one.
  func isReady(for command: Command, _ state: SharedState) -> Bool {
    command == .remove ? list.isSettled(for: command, state) : list.isReady(for: command)
  }

  func reasonOwnDisabled(_ command: Command, _ state: SharedState) -> String? {
    command == .savePlaylist && state.queue.length == 0 ? PlaybackMessages.emptyQueue : nil
  }

  mutating func performOwn(_ command: Command, _ state: SharedState) -> [Action] {
    if command == .savePlaylist {
      (name, existingName) = (TextField(), nil)
      return []
    }
    let names = list.targets(of: command).compactMap {
      if case .playlist(let playlist) = $0 { playlist.name } else { nil }
    }
    let question = PlaylistMessages.confirmDeletion(names)
    return [.confirm(Confirmation(calls: names.map { .deletePlaylist(name: $0) }, question: question))]
  }

  mutating func type(_ key: Key, _ state: SharedState) -> [Action]? {
    guard var edited = name else { return list.navigation.type(key) ? [] : nil }
    switch key.code {
    case .escape:
      name = nil
      return []
    case .enter:
      let text = edited.text
      if text.isEmpty { return [.showMessage(.information(PlaylistMessages.nameNeeded))] }
      return [text == existingName ? Self.replacement(of: text) : .call(.savePlaylist(name: text, replace: false))]
    default:
      guard edited.handle(key) else { return nil }
      name = edited
      return []
    }
  }

  mutating func paste(_ text: String, _ state: SharedState) -> [Action] {
    if name == nil { list.navigation.paste(text) } else { name?.insert(text) }
    return []
  }

  mutating func receive(_ call: DaemonCall, _ result: Result<JSON, ClientError>, _ state: SharedState) -> [Action] {
    tabs.receive(call, result, at: state.now)
    guard case .savePlaylist(let saved, _) = call, name != nil else { return [] }
    switch result {
    case .success: name = nil
    case .failure(let error) where error.kind == Failure.Kind.exists.rawValue:
      existingName = saved
      return [Self.replacement(of: saved)]
    case .failure(let error) where error.kind == Failure.Kind.invalidParams.rawValue:
      return [.showMessage(.failure(SettingsMessages.refused(error)))]
    case .failure: break
    }
    return []
  }

  /// Returns the action that saves the queue in place of a playlist.
  private static func replacement(of name: String) -> Action {
    let question = PlaylistMessages.confirmReplacement(name.visible)
    return .confirm(Confirmation(calls: [.savePlaylist(name: name, replace: true)], question: question))
  }

  func draw(_ frame: inout Frame, _ state: SharedState) {
    drawList(&frame, state)
    guard let name else { return }
    let columns = state.size.columns
    frame.grid.write(String(repeating: " ", count: columns), row: 0, column: 0)
    let start = 2 + frame.grid.write(PlaylistMessages.name, row: 0, column: 1)
    frame.write(name, row: 0, column: start, width: columns - start - 1)
  }
}

/// The entries of a playlist.
struct PlaylistScreen: ItemScreen {
  var tabs: ItemTabs
  private let name: String
  let ownCommands: [Command] = [.remove]

  init(_ playlist: PlaylistInfo) {
    name = playlist.name
    tabs = ItemTabs([.playlist(playlist.name)])
  }

  var title: String { name.visible }

  /// The entries are identified by their places, so that a change of the playlist has to arrive before a row is meant.
  func isReady(for command: Command, _ state: SharedState) -> Bool {
    let isNavigation = Command.navigation.contains(command) && list.failure == nil
    return isNavigation || Command.onRows.contains(command) ? list.isSettled(for: command, state) : true
  }

  mutating func performOwn(_ command: Command, _ state: SharedState) -> [Action] {
    let targets = list.targets(of: command)
    let indices = targets.compactMap { $0.id.place.map(Int.init) }
    return [
      .confirm(
        Confirmation(
          calls: [.removeFromPlaylist(name: name, indices: indices)],
          question: PlaylistMessages.confirmRemoval(indices.count), uris: targets.map(\.uri)))
    ]
  }
}
