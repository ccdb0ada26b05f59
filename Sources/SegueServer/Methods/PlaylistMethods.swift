internal import SegueFiles
internal import SegueLibrary
internal import SeguePlayer
internal import SegueSQLite
internal import SegueSystem
internal import SegueWire

/// The methods for playlists, which are `.m3u8` files in `$XDG_DATA_HOME/segue/playlists`.
let playlistMethods = [
  Method(PlaylistsListRequest.self) { call in
    let (page, responder) = (call.page, call.responder)
    call.player.playlists.access(
      { folder throws(Failure) in
        let (playlists, total) = try folder.list(page)
        return ListPage(items: playlists, total: total, offset: page.offset)
      }, then: responder.sendOffLoop)
  },
  Method(PlaylistsGetRequest.self) { call in
    let (name, page, responder, index) = (call.request.name, call.page, call.responder, call.player.index)
    call.player.playlists.access({ folder throws(Failure) in
      let (entries, total) = try folder.contents(name, page)
      return ListPage(items: entries.map(ListedTrack.init(_:)), total: total, offset: page.offset)
    }) { result in
      guard case .success(let listed) = result else { return responder.sendOffLoop(result) }
      let uris = listed.items.map(\.uri)
      index.read({ reader throws(StoreError) in
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
  Method(PlaylistsSaveRequest.self) { call in
    call.player.savePlaylist(
      call.request.name, call.request.uris, replaces: call.request.replace, then: call.responder.sendOffLoop)
  },
  Method(PlaylistsAddRequest.self) { call in
    call.player.addToPlaylist(
      call.request.name, call.request.uris, at: call.request.at, then: call.responder.sendOffLoop)
  },
  Method(PlaylistsRemoveRequest.self) { call in
    let request = call.request
    call.change { folder throws(Failure) in try folder.remove(request.name, request.indices, uris: request.uris) }
  },
  Method(PlaylistsRenameRequest.self) { call in
    let request = call.request
    call.change { folder throws(Failure) in try folder.rename(request.name, to: request.to) }
  },
  Method(PlaylistsDeleteRequest.self) { call in
    let (name, responder) = (call.request.name, call.responder)
    call.player.playlists.access(
      { folder throws(Failure) in
        try folder.delete(name)
        return Nothing()
      }, then: responder.send)
  },
]

extension Call where Request.Result == PlaylistResult {
  /// Changes a playlist and responds with its new state.
  fileprivate func change(_ body: @escaping @Sendable (PlaylistFolder) throws(Failure) -> PlaylistInfo) {
    let responder = responder
    player.playlists.access(
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
