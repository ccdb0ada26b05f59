// On the thread "index" only.

internal import Glibc
internal import SegueLink
public import SegueSystem
internal import SegueWire

extension LibraryWriter {
  /// Adds what was found or writes it anew. A file that was elsewhere before keeps its row, and what the user made of
  /// it follows. A thousand at once are best: a portion writes pages that the next one writes again.
  public func put(_ files: [ScannedFile]) throws(StoreError) {
    if !isScanning { (isScanning, hadTracks) = (true, counts.tracks > 0) }
    begin(newFolder: nil)
    let now = UnixTime.now
    for file in files { try put(file, at: now) }
    try flush()
  }

  private func put(_ file: ScannedFile, at now: UnixTime) throws(StoreError) {
    let folder = try folder(file.path.parent)
    let name = Array(file.path.lastComponent)
    var old = folder == newFolder && newNames.insert(name).inserted ? [] : try tracks(folder, name)
    switch file.result {
    case .failure(let failure):
      for track in old { try remove(track.id) }
      try remember(failure, of: file, folder, name)
    case .success(let facts):
      if counts.failed > 0 { try forgetFailure(folder, name) }
      if old.isEmpty, mayHaveMoved { old = try adopt(file.stamp, folder, name) }
      for var row in TrackRow.rows(of: file, facts) {
        row.folder = folder
        row.added = now
        let range = row.range?.start ?? -1
        var before: TrackRow?
        if let index = old.firstIndex(where: { $0.range == range }) {
          before = try read(old.remove(at: index).id)
        }
        try enter(&row, keys: row.range == nil ? facts.sortKeys : file.keys(range), facts.details, instead: before)
      }
      for track in old { try remove(track.id) }
    }
  }

  /// Takes files out of the index, and what failed; what the user made stays, by its URI.
  public func remove(_ files: [FilePath]) throws(StoreError) {
    for file in files {
      guard let folder = try knownFolder(file.parent) else { continue }
      let name = Array(file.lastComponent)
      for track in try tracks(folder, name) { try remove(track.id) }
      try forgetFailure(folder, name)
      try prune(folder)
    }
    try flush()
  }

  /// The tracks of a file: their numbers, and where each begins (-1 for a whole file).
  func tracks(_ folder: Int64, _ name: [UInt8]) throws(StoreError) -> [(id: Int64, range: Int64)] {
    let find = statements.tracksOfFile
    find.bind(1, folder)
    find.bind(2, blob: name)
    defer { find.reset() }
    var tracks: [(Int64, Int64)] = []
    while try find.step() { tracks.append((find.integer(0) ?? 0, find.integer(1) ?? -1)) }
    return tracks
  }

  // MARK: Files that failed

  private func remember(
    _ failure: Failure, of file: ScannedFile, _ folder: Int64, _ name: [UInt8]
  ) throws(StoreError) {
    try forgetFailure(folder, name)
    let insert = try connection.statement("INSERT INTO failed_file VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")
    insert.bind(1, folder)
    insert.bind(2, blob: name)
    insert.bind(3, Int64(bitPattern: file.stamp.device))
    insert.bind(4, Int64(bitPattern: file.stamp.inode))
    insert.bind(5, file.stamp.size)
    insert.bind(6, file.stamp.modified)
    insert.bind(7, failure.kind.rawValue)
    insert.bind(8, failure.message)
    insert.bind(9, FileFacts.version)
    try insert.run()
    counts.failed += 1
  }

  func forgetFailure(_ folder: Int64, _ name: [UInt8]) throws(StoreError) {
    guard counts.failed > 0 else { return }
    let delete = try connection.statement("DELETE FROM failed_file WHERE folder = ? AND name = ?")
    delete.bind(1, folder)
    delete.bind(2, blob: name)
    try delete.run()
    counts.failed -= connection.changedByLast
  }
}

extension ScannedFile {
  /// Of the track that begins at `start`.
  fileprivate func keys(_ start: Int64) -> SortKeys { ranges.first { $0.range.start == start }?.sortKeys ?? SortKeys() }
}
