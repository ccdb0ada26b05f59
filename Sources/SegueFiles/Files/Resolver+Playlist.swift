internal import Glibc
internal import SegueSystem
internal import SegueWire

extension Resolver {
  /// Adds the entries of a playlist. `parents` are the playlists that lead to it. A failed entry is reported with its
  /// line, and the others are added.
  func readPlaylist(_ path: FilePath, _ format: PlaylistFormat, within parents: [FileIdentity]) throws(Failure) {
    var status = stat()
    guard path.withCString({ stat($0, &status) }) == 0 else {
      throw Failure(SystemError("stat", path.description), path)
    }
    let identity = FileIdentity(status)
    guard !parents.contains(identity) else { throw Failure(.unplayable, "\(path): the playlist contains itself") }
    guard parents.count < PlaylistLimits.depth else {
      throw Failure(.unplayable, "\(path): playlists nested deeper than \(PlaylistLimits.depth)")
    }

    let source = FoundBatch.Source.playlist(path)
    guard case .items(let items) = try Playlist.read(path, format, converter) else {
      add(FoundTrack(uri: FileURI.encode(path)), to: source)
      return
    }
    guard items.count <= PlaylistLimits.entries else {
      throw Failure(.tooLarge, "\(path): more than \(PlaylistLimits.entries) entries")
    }
    guard !items.isEmpty else { throw Failure(.notFound, "\(path): nothing to play in this playlist") }
    let files = PlaylistFiles(items, of: path, format, names)
    for item in items where !isCancelled {
      try countEntry(of: path)
      do {
        try add(item, files, to: source, within: parents + [identity])
      } catch {
        fail(item, of: path, error, in: source)
      }
    }
  }

  /// Reports that an entry of a playlist cannot be played.
  func fail(_ item: PlaylistItem, of playlist: FilePath, _ error: Failure, in source: FoundBatch.Source) {
    let failure = Failure(error.kind, "\(error.localizableMessage) (line \(item.line) of \(playlist))")
    fail(item.namedURI(of: playlist), failure, in: source)
  }

  private func add(
    _ item: PlaylistItem, _ files: PlaylistFiles, to source: FoundBatch.Source, within playlists: [FileIdentity]
  ) throws(Failure) {
    if let fault = item.fault { throw Failure(.unplayable, fault) }
    if let uri = item.absoluteURI {
      switch try MediaURI(uri) {
      case .stream(let url):
        add(item.track(uri: url), to: source)
        return
      case .item(let uri):
        add(item.track(uri: uri.uri), to: source)
        return
      case .file(let named, let range):
        let path = files.file(at: named)
        let track = item.track(uri: MediaURI.file(path, range: item.range ?? range).uri)
        return try resolve(path, named: track, in: source, within: playlists)
      }
    }
    guard let path = files.file(of: item) else {
      throw Failure(.notFound, "the entry does not name a file")
    }
    try resolve(path, named: item.track(at: path), in: source, within: playlists)
  }
}
