internal import SegueFrontend
internal import SegueWire

/// The playlists of the user. The queue is saved as one under a name that is typed.
struct PlaylistsScreen: ItemScreen {
  var tabs = ItemTabs([.playlists])
  let title = PlaylistMessages.title
  let ownCommands: [Command] = [.remove, .savePlaylist]
  /// The name of the playlist as which the queue is to be saved, while it is typed.
  private var name: TextField?

  var takesText: Bool { name != nil || list.takesText }

  func reasonOwnDisabled(_ command: Command, _ state: SharedState) -> String? {
    command == .savePlaylist && state.queue.length == 0 ? PlaybackMessages.emptyQueue : nil
  }

  mutating func performOwn(_ command: Command, _ state: SharedState) -> [Action] {
    if command == .savePlaylist {
      name = TextField()
      return []
    }
    guard case .playlist(let playlist)? = list.focused else { return [] }
    guard state.confirmed == .remove else {
      return [.showMessage(.confirmation(of: .remove, PlaylistMessages.confirmDeletion(playlist.name.visible)))]
    }
    return [.call(.deletePlaylist(name: playlist.name))]
  }

  mutating func type(_ key: Key, _ state: SharedState) -> [Action]? {
    guard var edited = name else { return list.navigation.type(key) ? [] : nil }
    switch key.code {
    case .escape:
      name = nil
      return []
    case .enter:
      let text = edited.text
      return text.isEmpty
        ? [.showMessage(.information(PlaylistMessages.nameNeeded))]
        : [.call(.savePlaylist(name: text, replace: state.confirmed == .savePlaylist))]
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
      return [.showMessage(.confirmation(of: .savePlaylist, PlaylistMessages.confirmReplacement(saved.visible)))]
    case .failure(let error) where error.kind == Failure.Kind.invalidParams.rawValue:
      return [.showMessage(.failure(SettingsMessages.refused(error)))]
    case .failure: break
    }
    return []
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

  mutating func performOwn(_ command: Command, _ state: SharedState) -> [Action] {
    let count = max(1, list.navigation.selection.count)
    guard state.confirmed == .remove else {
      return [.showMessage(.confirmation(of: .remove, PlaylistMessages.confirmRemoval(count)))]
    }
    let indices = list.takeTargets().compactMap { $0.place.map(Int.init) }
    return [.call(.removeFromPlaylist(name: name, indices: indices))]
  }
}
