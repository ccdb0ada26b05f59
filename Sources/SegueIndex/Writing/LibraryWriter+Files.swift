// On the thread "index" only.

internal import Glibc
internal import SegueFiles
internal import SegueLink
public import SegueSQLite
public import SegueSystem
internal import SegueWire

/// A file as the index has it.
public struct IndexedFile: Hashable, Sendable {
  public var stamp: FileStamp
  /// Whether the file could not be read. It is read again when its stamp changes.
  public var hasFailed: Bool
  /// Whether an earlier version of Segue read the file. It may have found something else.
  public var isOutdated: Bool

  public init(stamp: FileStamp, hasFailed: Bool, isOutdated: Bool = false) {
    self.stamp = stamp
    self.hasFailed = hasFailed
    self.isOutdated = isOutdated
  }
}

extension LibraryWriter {
  /// Returns the files of a folder that are in the index, by name. Files that could not be read are included.
  public func indexedFiles(in folder: FilePath) throws(StoreError) -> [[UInt8]: IndexedFile] {
    guard let folder = try folders.id(of: folder) else { return [:] }
    var files: [[UInt8]: IndexedFile] = [:]
    let read = { (hasFailed: Bool, table: String) throws(StoreError) in
      let rows = try self.connection.statement(
        "SELECT name, device, inode, size, modified, facts_version FROM \(table) WHERE folder = ?")
      rows.bind(1, folder)
      defer { rows.reset() }
      while try rows.step() {
        let stamp = FileStamp(
          device: UInt64(bitPattern: rows.integer(1) ?? 0), inode: UInt64(bitPattern: rows.integer(2) ?? 0),
          size: rows.integer(3) ?? 0, modified: rows.integer(4) ?? 0)
        files[rows.blob(0)] = IndexedFile(
          stamp: stamp, hasFailed: hasFailed, isOutdated: rows.integer(5) != FileFacts.version)
      }
    }
    try read(false, "track")
    if !failedFiles.isEmpty { try read(true, "failed_file") }
    return files
  }

  /// Adds files to the index, or replaces what the index has of them. A file that was elsewhere before keeps its row and
  /// the data of the user. Batches of about 1000 files are the most efficient: each batch writes pages that the next one
  /// writes again.
  public func put(_ files: [ScannedFile]) throws(StoreError) {
    beginScanIfNeeded()
    folders.beginBatch()
    let now = UnixTime.now
    for file in files { try put(file, at: now) }
    try flush()
  }

  private func put(_ file: ScannedFile, at now: UnixTime) throws(StoreError) {
    let folder = try folders.findOrInsert(file.path.parent)
    let name = Array(file.path.lastComponent)
    var old = folders.recordIfNew(name, in: folder) ? [] : try tracks.tracks(folder, name)
    switch file.result {
    case .failure(let failure):
      for track in old { try tracks.remove(track.id) }
      try failedFiles.replace(failure, of: file, folder, name)
    case .success(let facts):
      try failedFiles.remove(folder, name)
      if old.isEmpty, mayHaveMovedFiles { old = try moveFile(withStamp: file.stamp, to: folder, name) }
      for var row in TrackRow.rows(of: file, facts, in: folder, added: now) {
        let start = row.range?.start ?? -1
        var replaced: TrackRow?
        if let index = old.firstIndex(where: { $0.start == start }) {
          replaced = try tracks.row(old.remove(at: index).id)
        }
        // The end of a track of a cue sheet is a part of its URI.
        if let replaced, replaced.range != row.range, userData.hasRows {
          try userData.rename(tracks.uri(of: replaced), to: tracks.uri(of: row))
        }
        let keys = row.range == nil ? facts.sortKeys : file.sortKeys(ofTrackAt: start)
        try tracks.put(&row, keys: keys, facts.details, replacing: replaced)
      }
      for track in old { try tracks.remove(track.id) }
    }
  }

  /// If the index has a file with this stamp at a path where it no longer exists, moves its rows to the new path. If it
  /// still exists there, the new path is a second link to it, which gets rows of its own.
  ///
  /// - Returns: The tracks of the file, or none if there is no such file.
  private func moveFile(
    withStamp stamp: FileStamp, to folder: Int64, _ name: [UInt8]
  ) throws(StoreError) -> [(id: Int64, start: Int64)] {
    let old = try tracks.file(stamp) { path in
      var status = stat()
      let exists = path.withCString { stat($0, &status) } == 0
      return !exists || FileStamp(status) != stamp
    }
    guard let old else { return [] }
    try moveFile(old.folder, old.name, to: folder, name)
    return try tracks.tracks(folder, name)
  }

  /// Removes files from the index. The data of the user remains.
  public func remove(_ files: [FilePath]) throws(StoreError) {
    for file in files {
      guard let folder = try folders.id(of: file.parent) else { continue }
      let name = Array(file.lastComponent)
      for track in try tracks.tracks(folder, name) { try tracks.remove(track.id) }
      try failedFiles.remove(folder, name)
      try folders.removeIfEmpty(folder)
    }
    try flush()
  }

  // MARK: Moves

  /// Moves the rows of a file or a folder that was moved, with the data of the user. Removes what the index had at `new`.
  public func rename(_ old: FilePath, to new: FilePath) throws(StoreError) {
    guard old != new else { return }
    if let folder = try folders.id(of: old) {
      try moveFolder(folder, old, new)
    } else if let folder = try folders.id(of: old.parent) {
      try moveFile(folder, Array(old.lastComponent), to: new)
    }
    try flush()
  }

  private func moveFile(_ oldFolder: Int64, _ oldName: [UInt8], to new: FilePath) throws(StoreError) {
    let name = Array(new.lastComponent)
    if let folder = try folders.id(of: new.parent) {
      for track in try tracks.tracks(folder, name) { try tracks.remove(track.id) }
      try failedFiles.remove(folder, name)
    }
    try moveFile(oldFolder, oldName, to: try folders.findOrInsert(new.parent), name)
  }

  private func moveFile(
    _ oldFolder: Int64, _ oldName: [UInt8], to folder: Int64, _ name: [UInt8]
  ) throws(StoreError) {
    for track in try tracks.tracks(oldFolder, oldName) {
      guard let old = try tracks.row(track.id) else { continue }
      var row = old.moved(to: folder, name)
      // A worker makes the sort key of the new name.
      if row.metadata.title == nil, name != oldName { try pendingSortKeys.insert(.track, row.id) }
      let (oldURI, newURI) = (try tracks.uri(of: old), try tracks.uri(of: row))
      try tracks.relocate(&row, replacing: old)
      if userData.hasRows { try userData.rename(oldURI, to: newURI) }
    }
    try failedFiles.move(oldFolder, oldName, to: folder, name)
    try folders.removeIfEmpty(oldFolder)
  }

  private func moveFolder(_ id: Int64, _ old: FilePath, _ new: FilePath) throws(StoreError) {
    try removeFolder(new)
    let oldParent = try folders.move(id, from: old, to: new)
    if userData.hasRows { try userData.renameAll(under: old, to: new) }
    // The tracks of a disc folder belong to an album of the folder above.
    if DiscName.number(old.lastComponent) != nil
      || DiscName.number(new.lastComponent) != nil
    {
      for track in try tracks.ids(in: id) {
        guard let old = try tracks.row(track) else { continue }
        var row = old
        try tracks.relocate(&row, replacing: old)
      }
    }
    try folders.removeIfEmpty(oldParent)
  }
}

extension ScannedFile {
  /// Returns the sort keys of the track of the cue sheet that begins at `start`.
  fileprivate func sortKeys(ofTrackAt start: Int64) -> SortKeys {
    cueTracks.first { $0.range.start == start }?.sortKeys ?? SortKeys()
  }
}
