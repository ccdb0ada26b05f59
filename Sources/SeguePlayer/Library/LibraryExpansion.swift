// Thread: the loop.

internal import SegueFiles
internal import SegueLibrary
internal import SegueSQLite
internal import SegueSystem
internal import SegueWire

/// The URIs of a request, in which files replace `segue:` URIs.
struct LibraryExpansion: Sendable {
  var uris: [String] = []
  var refusals = URIFailureList()
  /// The `segue:playlist/` URIs of the request. The keys are the URIs of the playlists' files.
  var playlists: [String: String] = [:]
}

extension LibraryIndex {
  /// Replaces `segue:` URIs by files. If there are none, `then` is called before this returns.
  func expand(
    _ uris: [String], _ playlists: PlaylistStore, then: @escaping @MainActor (LibraryExpansion) -> Void
  ) {
    guard uris.contains(where: { $0.hasPrefix(LibraryURI.scheme) }) else { return then(LibraryExpansion(uris: uris)) }
    read(
      { reader throws(StoreError) in
        var expansion = LibraryExpansion()
        for uri in uris { try expansion.add(uri, reader, playlists) }
        return .success(expansion)
      },
      then: { result in
        switch result {
        case .success(let expansion): then(expansion)
        case .failure(let failure):
          // Files and URLs do not need the index.
          var expansion = LibraryExpansion()
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
}

extension LibraryExpansion {
  /// Adds a URI. Called on the thread that reads the index.
  fileprivate mutating func add(_ uri: String, _ reader: LibraryReader, _ playlists: PlaylistStore) throws(StoreError) {
    guard uri.hasPrefix(LibraryURI.scheme) else { return uris.append(uri) }
    switch LibraryURI(uri) {
    case nil:
      let failure = Failure(
        .notFound,
        "\(uri): invalid library URI; use segue:album/ID, segue:artist/ID, segue:genre/NAME, segue:composer/NAME, "
          + "segue:year/YEAR, segue:playlist/NAME or segue:search/QUERY")
      refusals.append(URIFailure(uri: uri, failure: failure))
    case .playlist(let name):
      guard let file = playlists.file(named: name) else {
        let failure = Failure(.notFound, "playlist “\(name)” not found")
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
