internal import SegueFiles
internal import SegueIndex
internal import SeguePlayer
internal import SegueSQLite
internal import SegueSystem
internal import SegueWire

private let name = Method.Parameter(
  name: "name", schema: .string, summary: "The name of the playlist: not a path, no leading dot.", isRequired: true)
private let changed = (name: "playlist", schema: Schema.named("PlaylistResult"))

/// The methods for playlists, which are `.m3u8` files in `$XDG_DATA_HOME/segue/playlists`.
let playlistMethods = [
  Method(
    name: "playlists.list", summary: "Lists the playlists by name.", parameters: [.offset, .limit],
    result: (name: "page", schema: .named("PlaylistPage")), errors: .ofFiles
  ) { call in
    let (page, responder) = (call.page(), call.responder)
    call.library.accessPlaylists(
      { folder throws(Failure) in
        let (playlists, total) = try folder.list(page)
        return ListPage(items: playlists, total: total, offset: page.offset)
      }, then: responder.sendOffLoop)
  },
  Method(
    name: "playlists.load",
    summary: "Lists the entries of a playlist. `queue.add` accepts the playlist as segue:playlist/NAME.",
    parameters: [name, .offset, .limit], result: (name: "page", schema: .named("TrackPage")), errors: .ofFiles
  ) { call in
    let (wanted, page, responder, library) = (call.string("name") ?? "", call.page(), call.responder, call.library)
    library.accessPlaylists({ folder throws(Failure) in
      let (entries, total) = try folder.contents(wanted, page)
      return ListPage(items: entries.map(ListedTrack.init(_:)), total: total, offset: page.offset)
    }) { result in
      guard case .success(let listed) = result else { return responder.sendOffLoop(result) }
      let uris = listed.items.map(\.uri)
      library.read({ reader throws(StoreError) in
        let known = try reader.tracks(uris)
        var full = listed
        for index in full.items.indices { try full.items[index].fill(from: known[index], reader) }
        return .success(EncodedJSON(full))
      }) { result in
        // If the library cannot be read, the response contains what the playlist file states.
        if case .success(let full) = result { responder.send(full) } else { responder.sendOffLoop(.success(listed)) }
      }
    }
  },
  Method(
    name: "playlists.save", summary: "Saves the queue, or the given tracks, as a playlist.",
    parameters: [
      name,
      .init(
        name: "uris", schema: .array(of: .string),
        summary: "URIs as for `queue.add`; they are saved as single tracks. Default: the queue."),
      .init(
        name: "replace", schema: .boolean,
        summary: "true: replaces a playlist of that name; otherwise the error is `exists`.",
        defaultValue: "false"),
    ],
    result: changed, errors: [.exists] + .ofFiles + .ofNetwork
  ) { call in
    call.player.savePlaylist(
      call.string("name") ?? "", call["uris"] == nil ? nil : call.strings("uris"),
      replaces: call.bool("replace") ?? false, then: call.responder.sendOffLoop)
  },
  Method(
    name: "playlists.add", summary: "Adds to a playlist, which is created if it does not exist.",
    parameters: [
      name,
      .init(
        name: "uris", schema: .array(of: .string), summary: "URIs as for `queue.add`.", isRequired: true),
      .init(name: "at", schema: .count, summary: "The index at which the tracks are inserted. Default: the end."),
    ],
    result: changed, errors: [.outOfRange] + .ofFiles + .ofNetwork
  ) { call in
    call.player.addToPlaylist(
      call.string("name") ?? "", call.strings("uris"), at: call.integer("at"), then: call.responder.sendOffLoop)
  },
  Method(
    name: "playlists.remove", summary: "Removes entries from a playlist.",
    parameters: [
      name,
      .init(
        name: "indices", schema: .array(of: .count), summary: "The indices of the entries, from 0, before the removal.",
        isRequired: true),
      .init(
        name: "uris", schema: .array(of: .string),
        summary:
          "The URIs of these entries, in the same order. If an entry is another one meanwhile, the error is `not_found`, and "
          + "nothing is removed."),
    ],
    result: changed, errors: [.outOfRange] + .ofFiles
  ) { call in
    let (name, indices) = (call.string("name") ?? "", call["indices"]?.elements?.compactMap(\.int) ?? [])
    let uris = call["uris"] == nil ? nil : call.strings("uris")
    call.change { folder throws(Failure) in try folder.remove(name, indices, uris: uris) }
  },
  Method(
    name: "playlists.rename", summary: "Renames a playlist. If the new name is taken, the error is `exists`.",
    parameters: [name, .init(name: "to", schema: .string, summary: "The new name.", isRequired: true)], result: changed,
    errors: [.exists] + .ofFiles
  ) { call in
    let (name, new) = (call.string("name") ?? "", call.string("to") ?? "")
    call.change { folder throws(Failure) in try folder.rename(name, to: new) }
  },
  Method(
    name: "playlists.delete", summary: "Deletes a playlist; its tracks are not deleted.", parameters: [name],
    result: (name: "nothing", schema: .object([])), errors: .ofFiles
  ) { call in
    let (name, responder) = (call.string("name") ?? "", call.responder)
    call.library.accessPlaylists(
      { folder throws(Failure) in
        try folder.delete(name)
        return Empty()
      }, then: responder.send)
  },
]

extension Call {
  /// Changes a playlist and responds with its new state.
  fileprivate func change(_ body: @escaping @Sendable (PlaylistFolder) throws(Failure) -> PlaylistInfo) {
    let responder = responder
    library.accessPlaylists(
      { folder throws(Failure) in PlaylistResult(playlist: try body(folder)) }, then: responder.send)
  }
}

extension ListedTrack {
  /// Creates a track from what the playlist file states.
  fileprivate init(_ entry: PlaylistEntry) {
    var metadata = entry.track.metadata
    if metadata.title == nil { metadata.title = MediaURI.displayName(of: entry.track.uri) }
    self.init(
      index: entry.index, uri: entry.track.uri, duration: entry.track.duration,
      durationKind: entry.track.durationKind, metadata: metadata, error: entry.failure?.localizableMessage)
  }

  /// Replaces the facts of the playlist file by those of the library.
  fileprivate mutating func fill(from known: LibraryTrack?, _ reader: LibraryReader) throws(StoreError) {
    guard let known else {
      favorite = try reader.isFavorite(uri)
      rating = try reader.rating(uri)
      return
    }
    let (index, error) = (index, error)
    self = ListedTrack(known)
    self.index = index
    self.error = error ?? self.error
  }
}
