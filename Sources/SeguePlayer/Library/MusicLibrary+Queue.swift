// Thread: the loop.

internal import SegueFiles
internal import SegueIndex
internal import SegueSQLite
internal import SegueSystem
internal import SegueWire

/// Requests of the play queue to the library.
extension MusicLibrary {
  /// The URIs of a request, in which files replace `segue:` URIs.
  struct Expansion: Sendable {
    var uris: [String] = []
    var refusals = URIFailureList()
    /// The `segue:playlist/` URIs of the request. The keys are the URIs of the playlists' files.
    var playlists: [String: String] = [:]
  }

  /// Replaces `segue:` URIs by files. If there are none, `then` is called before this returns.
  func expand(_ uris: [String], then: @escaping @MainActor (Expansion) -> Void) {
    guard uris.contains(where: { $0.hasPrefix(LibraryURI.scheme) }) else { return then(Expansion(uris: uris)) }
    let playlists = playlists
    read(
      { reader throws(StoreError) in
        var expansion = Expansion()
        for uri in uris { try expansion.add(uri, reader, playlists) }
        return .success(expansion)
      },
      then: { result in
        switch result {
        case .success(let expansion): then(expansion)
        case .failure(let failure):
          // Files and URLs do not need the index.
          var expansion = Expansion()
          for uri in uris {
            if uri.hasPrefix(LibraryURI.scheme) {
              expansion.refusals.append(URIFailure(uri: uri, failure: failure))
            } else {
              expansion.uris.append(uri)
            }
          }
          then(expansion)
        }
      })
  }

  /// Returns whether the running scan reads the file at `uri`, or has done so.
  func isScanning(_ uri: String) -> Bool { isScanning && folderURIs.contains { uri.hasPrefix($0) } }

  /// Finds files in the index, in their order, whether or not they have changed since; nil for a file that it does not have.
  func tracks(_ uris: [String], then: @escaping @MainActor ([LibraryTrack?]) -> Void) {
    lookUp(
      { reader throws(StoreError) in try reader.tracks(uris) },
      then: { result in then((try? result.get()) ?? uris.map { _ in nil }) })
  }

  /// Finds the tracks of a batch in the index, in their order; nil for a track that it does not have, or whose file has
  /// changed since. `then` is called before this returns while the index is empty.
  func findInfo(of batch: FoundBatch, then: @escaping @MainActor ([EntryInfo?]) -> Void) {
    let nothing = [EntryInfo?](repeating: nil, count: batch.tracks.count)
    guard !isKnownEmpty, batch.stamps.contains(where: { $0 != nil }) else { return then(nothing) }
    lookUp(
      { reader throws(StoreError) in
        let known = try reader.unchangedTracks(zip(batch.tracks, batch.stamps).map { ($0.uri, $1) })
        return zip(batch.tracks, known).map { track, known in
          known.map { EntryInfo(known: $0, before: EntryInfo(playlist: track)) }
        }
      },
      then: { result in
        if case .success(let known) = result { then(known) } else { then(nothing) }
      })
  }
}

extension MusicLibrary.Expansion {
  /// Adds a URI. Called on the thread that reads the index.
  fileprivate mutating func add(_ uri: String, _ reader: LibraryReader, _ playlists: PlaylistStore) throws(StoreError) {
    guard uri.hasPrefix(LibraryURI.scheme) else { return uris.append(uri) }
    switch LibraryURI(uri) {
    case nil:
      let failure = Failure(
        .notFound,
        "\(uri): invalid library URI; use segue:album/ID, segue:artist/ID, segue:genre/NAME, segue:playlist/NAME or "
          + "segue:search/QUERY")
      refusals.append(URIFailure(uri: uri, failure: failure))
    case .playlist(let name):
      guard let file = playlists.file(named: name) else {
        let failure = Failure(.notFound, "playlist \"\(name)\" not found")
        return refusals.append(URIFailure(uri: uri, failure: failure))
      }
      let fileURI = FileURI.encode(file)
      self.playlists[fileURI] = uri
      uris.append(fileURI)
    case .some(let named):
      if let found = try reader.uris(of: named), !found.isEmpty {
        uris += found
      } else {
        let failure = Failure(.notFound, "\(uri): not found in the library")
        refusals.append(URIFailure(uri: uri, failure: failure))
      }
    }
  }
}
