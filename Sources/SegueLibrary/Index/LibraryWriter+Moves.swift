// On the thread "index" only.

internal import Glibc
internal import SegueLink
public import SegueSystem
internal import SegueWire

extension LibraryWriter {
  /// A file or a folder that was moved: its rows, and what the user made of them, follow. What the index had at `new`
  /// goes.
  public func rename(_ old: FilePath, to new: FilePath) throws(StoreError) {
    guard old != new else { return }
    if let folder = try knownFolder(old) {
      try moveFolder(folder, old, new)
    } else {
      try moveFile(old, new)
    }
    try flush()
  }

  /// The tracks of a file that lies at `folder`/`name` and was elsewhere when the index saw it last, moved here; none
  /// if there is no such file. A second link to a file that still is where it was is a file of its own.
  func adopt(_ stamp: FileStamp, _ folder: Int64, _ name: [UInt8]) throws(StoreError) -> [(id: Int64, range: Int64)] {
    let find = statements.moved
    find.bind(1, Int64(bitPattern: stamp.inode))
    find.bind(2, Int64(bitPattern: stamp.device))
    find.bind(3, stamp.size)
    find.bind(4, stamp.modified)
    defer { find.reset() }
    while try find.step() {
      let (oldFolder, oldName) = (find.integer(0) ?? 0, find.blob(1))
      let oldPath = FilePath(bytes: find.blob(2)).appending(oldName)
      var status = stat()
      let isThere = oldPath.withCString { stat($0, &status) } == 0
      guard !isThere || FileStamp(status) != stamp else { continue }
      find.reset()
      try move(oldFolder, oldName, oldPath, to: folder, name)
      return try tracks(folder, name)
    }
    return []
  }

  private func moveFile(_ old: FilePath, _ new: FilePath) throws(StoreError) {
    guard let oldFolder = try knownFolder(old.parent) else { return }
    let (oldName, newName) = (Array(old.lastComponent), Array(new.lastComponent))
    if let there = try knownFolder(new.parent) {
      for track in try tracks(there, newName) { try remove(track.id) }
      try forgetFailure(there, newName)
    }
    try move(oldFolder, oldName, old, to: try folder(new.parent), newName)
  }

  /// Moves what the index has of one file.
  private func move(
    _ oldFolder: Int64, _ oldName: [UInt8], _ oldPath: FilePath, to folder: Int64, _ name: [UInt8]
  ) throws(StoreError) {
    for track in try tracks(oldFolder, oldName) {
      guard let old = try read(track.id) else { continue }
      var row = old
      (row.folder, row.name) = (folder, name)
      if row.metadata.title == nil, name != oldName {
        // It is called by its name, and sorted by that.
        row.titleKey = SortKeys.byLetters(FilePath(bytes: name).stem)
        try noteUnsorted(.track, row.id)
      }
      let (from, to) = (try uri(old), try uri(row))
      try refile(&row, instead: old)
      if hasUserRows { try renameUserRows(from, to) }
    }
    if counts.failed > 0 {
      let update = try connection.statement(
        "UPDATE OR REPLACE failed_file SET folder = ?, name = ? WHERE folder = ? AND name = ?")
      update.bind(1, folder)
      update.bind(2, blob: name)
      update.bind(3, oldFolder)
      update.bind(4, blob: oldName)
      try update.run()
    }
    try prune(oldFolder)
  }

  private func moveFolder(_ id: Int64, _ old: FilePath, _ new: FilePath) throws(StoreError) {
    try removeFolder(new)
    let above = try folder(new.parent)
    let find = try connection.statement("SELECT parent FROM folder WHERE id = ?")
    find.bind(1, id)
    let oldAbove = try find.step() ? find.integer(0) ?? 0 : 0
    find.reset()
    let update = try connection.statement(
      "UPDATE folder SET path = CAST(?1 || substr(path, ?2) AS BLOB) WHERE path >= ?3 AND path < ?4")
    let (first, last) = old.rangeBelow
    update.bind(1, blob: new.bytes)
    update.bind(2, Int64(old.bytes.count + 1))
    update.bind(3, blob: first)
    update.bind(4, blob: last)
    try update.run()
    let moved = try connection.statement("UPDATE folder SET path = ?, parent = ? WHERE id = ?")
    moved.bind(1, blob: new.bytes)
    moved.bind(2, above)
    moved.bind(3, id)
    try moved.run()
    lastFolder = nil
    if hasUserRows { try renameUserRows(under: old, new) }
    // A disc's folder belongs to the album of the folder above.
    if NameNormalization.disc(ofFolder: old.lastComponent) != nil
      || NameNormalization.disc(ofFolder: new.lastComponent) != nil
    {
      for track in try tracks(inFolder: id) {
        guard let old = try read(track) else { continue }
        var row = old
        try refile(&row, instead: old)
      }
    }
    try prune(oldAbove)
  }
}
