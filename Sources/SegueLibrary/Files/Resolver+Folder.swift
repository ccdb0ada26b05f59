internal import SegueSystem
internal import SegueWire

extension Resolver {
  /// Adds the music in and under `root`: a folder's files first, then its folders, each in natural order. A folder that
  /// two ways lead to is visited once, so links in a circle end. Throws if nothing was there.
  func walk(_ root: FilePath) throws(Failure) {
    flush()
    var visited: Set<FileIdentity> = []
    var waiting = [root]
    var found = false
    while let path = waiting.popLast(), !ticket.isCancelled {
      let listing: FolderListing
      do {
        listing = try FolderListing(path)
      } catch {
        if path == root { throw Failure(error, path) }
        fail(FileURI.encode(path), Failure(error, path), in: .folder(path))
        found = true
        continue
      }
      // Whoever names a folder means it, mark or not.
      guard visited.insert(listing.identity).inserted, path == root || !listing.isMarked else { continue }
      if add(listing, of: path) { found = true }
      flush()
      waiting.append(contentsOf: listing.folders.reversed())
    }
    if !found, !ticket.isCancelled { throw Failure(.notFound, "\(root): no music in this folder") }
  }

  /// False if there was nothing to add.
  private func add(_ listing: FolderListing, of folder: FilePath) -> Bool {
    var replacing: [FilePath: [FoundTrack]] = [:]
    var replaced: Set<FilePath> = []
    for sheet in listing.cueSheets where !ticket.isCancelled {
      let (tracks, files) = cueTracks(sheet)
      // A second sheet for the same file is another description of the same music.
      guard let first = files.first, replaced.isDisjoint(with: files) else { continue }
      replaced.formUnion(files)
      replacing[first] = tracks
    }
    var found = false
    for file in listing.files {
      if let tracks = replacing[file] {
        for track in tracks { add(track, to: .folder(folder)) }
      } else if !replaced.contains(file) {
        add(FoundTrack(uri: FileURI.encode(file)), to: .folder(folder))
      }
      found = true
    }
    return found
  }

  /// The tracks of a cue sheet and the files of its folder they lie in, in the sheet's order; nothing if it cannot be
  /// read or names a file that is not there: then the files speak for themselves.
  private func cueTracks(_ sheet: FilePath) -> ([FoundTrack], [FilePath]) {
    guard let content = try? Playlist.read(sheet, .cue, transcoder), case .items(let items) = content else {
      return ([], [])
    }
    var tracks: [FoundTrack] = []
    var files: [FilePath] = []
    for item in items {
      guard let file = item.file(of: sheet, .cue), file.parent == sheet.parent, case .file = try? FileKind(file) else {
        return ([], [])
      }
      if files.last != file { files.append(file) }
      tracks.append(item.track(at: file))
    }
    return (tracks, files)
  }
}
