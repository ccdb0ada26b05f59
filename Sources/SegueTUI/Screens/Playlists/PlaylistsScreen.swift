internal import SegueClientKit
internal import SegueWire

/// The playlists of the user.
struct PlaylistsScreen: ItemScreen {
  var tabs = ItemTabs([.playlists])
  var title: String { PlaylistMessages.title }
  let ownCommands: [Command] = [.remove, .rename, .savePlaylist]

  /// A deletion waits for the result of the last one.
  func isReady(for command: Command, _ state: SharedState) -> Bool {
    command == .remove ? list.isSettled(for: command, state) : list.isReady(for: command)
  }

  func reasonOwnDisabled(_ command: Command, _ state: SharedState) -> String? {
    command == .savePlaylist && state.queue.length == 0 ? PlaybackMessages.emptyQueue(state) : nil
  }

  mutating func performOwn(_ command: Command, _ state: SharedState) -> [Action] {
    let names = list.targets(of: command).compactMap {
      if case .playlist(let playlist) = $0 { playlist.name } else { nil }
    }
    switch command {
    case .savePlaylist: return [.show(PlaylistNameScreen(.queue))]
    case .rename: return names.first.map { [.show(PlaylistNameScreen(.newName(of: $0)))] } ?? []
    default:
      let question = PlaylistMessages.confirmDeletion(names)
      return [.confirm(Confirmation(calls: names.map { .deletePlaylist(name: $0) }, question: question))]
    }
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
    guard isNavigation || Command.onRows.contains(command) else { return list.isReady(for: command) }
    return list.isSettled(for: command, state)
  }

  mutating func performOwn(_ command: Command, _ state: SharedState) -> [Action] {
    let targets = list.targets(of: command)
    let indices = targets.compactMap { $0.id.place.map(Int.init) }
    return [
      .confirm(
        Confirmation(
          calls: [.removeFromPlaylist(name: name, indices: indices, uris: targets.map(\.uri))],
          question: trn(
            "Press the key again to remove one track from the playlist.",
            "Press the key again to remove %1$d tracks from the playlist.", indices.count)))
    ]
  }

  mutating func receive(_ call: DaemonCall, _ result: CallResult, _ state: SharedState) -> [Action] {
    tabs.receive(call, result, at: state.now)
    // Another program may have changed the playlist. The event of that may be late.
    if case (.removeFromPlaylist(name, _, _), .failure) = (call, result) { return [.reload] }
    return []
  }
}
