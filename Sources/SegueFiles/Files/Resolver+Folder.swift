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
    /// The contents of each cue sheet, by the first of its files.
    var sheetsByFile: [FilePath: DividingSheet] = [:]
    /// The files that cue sheets divide into tracks.
    var divided: Set<FilePath> = []
    let names = FolderNameCache()
    for sheet in listing.cueSheets where !isCancelled {
      // A second sheet for the same file describes the same music.
      guard let content = dividingSheet(sheet, names), let first = content.files.first,
        divided.isDisjoint(with: content.files)
      else { continue }
      divided.formUnion(content.files)
      sheetsByFile[first] = content
    }
    var found = false
    for file in listing.files {
      if let sheet = sheetsByFile[file] {
        for track in sheet.tracks { add(track, to: .folder(folder)) }
        for (item, fault) in sheet.faults {
          fail(item, of: sheet.path, Failure(.unplayable, fault), in: .folder(folder))
        }
      } else if !divided.contains(file) {
        add(FoundTrack(uri: FileURI.encode(file)), to: .folder(folder))
      }
      found = true
    }
    return found
  }

  /// A cue sheet that divides files of its folder into tracks.
  private struct DividingSheet {
    let path: FilePath
    var tracks: [FoundTrack] = []
    /// The files that have the tracks, in the order of the sheet.
    var files: [FilePath] = []
    /// The tracks that cannot be played.
    var faults: [(PlaylistItem, LocalizableMessage)] = []
  }

  /// Returns nil if the sheet cannot be read, or names a file that is not in its folder.
  private func dividingSheet(_ path: FilePath, _ names: FolderNameCache) -> DividingSheet? {
    guard let content = try? Playlist.read(path, .cue, converter), case .items(let items) = content else { return nil }
    var sheet = DividingSheet(path: path)
    let finder = PlaylistFiles(items, of: path, .cue, names)
    for item in items {
      if let fault = item.fault {
        sheet.faults.append((item, fault))
        continue
      }
      guard let file = finder.file(of: item), file.parent == path.parent, case .file = try? FileKind(file) else {
        return nil
      }
      if sheet.files.last != file { sheet.files.append(file) }
      sheet.tracks.append(item.track(at: file))
    }
    return sheet
  }
}
