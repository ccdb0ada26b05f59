internal import SegueSystem
internal import SegueWire

extension Resolver {
  /// Adds the music in and below `root`: the files of a folder come first, then its folders, each in natural order. A
  /// folder that can be reached by several paths is visited once, so circular links are harmless. Throws if there is no
  /// music.
  func walk(_ root: FilePath) throws(Failure) {
    flush()
    var visited: Set<FileIdentity> = []
    var pending = [root]
    var found = false
    while let path = pending.popLast(), !isCancelled {
      let listing: FolderListing
      do {
        listing = try FolderListing(path)
      } catch {
        if path == root { throw Failure(error, path) }
        fail(FileURI.encode(path), Failure(error, path), in: .folder(path))
        found = true
        continue
      }
      // A marker is ignored in the folder that the user has named.
      guard visited.insert(listing.identity).inserted, path == root || !listing.isIgnored else { continue }
      if add(listing, of: path) { found = true }
      flush()
      pending.append(contentsOf: listing.folders.reversed())
    }
    if !found, !isCancelled { throw Failure(.notFound, "\(root): no music in this folder") }
  }

  /// Adds the files of a folder. Returns false if there are none.
  private func add(_ listing: FolderListing, of folder: FilePath) -> Bool {
    /// The tracks of each cue sheet, by the first of its files.
    var tracksByFile: [FilePath: [FoundTrack]] = [:]
    /// The files that cue sheets divide into tracks.
    var divided: Set<FilePath> = []
    for sheet in listing.cueSheets where !isCancelled {
      let (tracks, files) = cueTracks(sheet)
      // A second sheet for the same file describes the same music.
      guard let first = files.first, divided.isDisjoint(with: files) else { continue }
      divided.formUnion(files)
      tracksByFile[first] = tracks
    }
    var found = false
    for file in listing.files {
      if let tracks = tracksByFile[file] {
        for track in tracks { add(track, to: .folder(folder)) }
      } else if !divided.contains(file) {
        add(FoundTrack(uri: FileURI.encode(file)), to: .folder(folder))
      }
      found = true
    }
    return found
  }

  /// Returns the tracks of a cue sheet and the files that have them, in the order of the sheet. Returns nothing if the
  /// sheet cannot be read, or names a file that is not in its folder.
  private func cueTracks(_ sheet: FilePath) -> ([FoundTrack], [FilePath]) {
    guard let content = try? Playlist.read(sheet, .cue, converter), case .items(let items) = content else {
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
