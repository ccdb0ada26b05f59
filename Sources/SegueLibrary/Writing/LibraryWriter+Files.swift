// Thread: "index".

internal import Glibc
internal import SegueFiles
public import SegueSQLite
public import SegueSystem
internal import SegueWire
internal import SegueWorkerProtocol

/// A file as the index has it.
public struct IndexedFile: Hashable, Sendable {
  public var stamp: FileStamp
  /// Whether the file could not be read. It is read again when its stamp changes.
  public var hasFailed: Bool
  /// Whether an earlier version of Segue read the file. It may have found something else.
  public var isOutdated = false
  /// The digest of its audio (`FileFacts.audioDigest`).
  public var audioDigest: UInt64?

  /// Returns whether the file has other audio in the index than a scan has found, so that another file may have been
  /// moved to its path.
  public func hasOtherAudio(than found: UInt64) -> Bool {
    // The digest of an earlier version may differ although the audio is the same.
    hasFailed || !isOutdated && audioDigest.map { $0 != found } ?? false
  }
}

extension LibraryWriter {
  /// Returns the names of the folders in `folder` in or below which the index has files.
  public func indexedFolders(in folder: FilePath) throws(StoreError) -> [[UInt8]] {
    guard let id = try folders.id(of: folder) else { return [] }
    return try folders.subfolderNames(of: id)
  }

  /// Returns the files of a folder that are in the index, by name. Files that could not be read are included.
  public func indexedFiles(in folder: FilePath) throws(StoreError) -> [[UInt8]: IndexedFile] {
    guard let folder = try folders.id(of: folder) else { return [:] }
    var files: [[UInt8]: IndexedFile] = [:]
    let read = { (hasFailed: Bool, table: String) throws(StoreError) in
      let rows = try self.connection.statement(
        """
        SELECT name, device, inode, size, modified, facts_version, \(hasFailed ? "NULL" : "audio_digest"),
          changed FROM \(table)
        WHERE folder = ?
        """, folder)
      defer { rows.reset() }
      while try rows.step() {
        let stamp = FileStamp(
          device: UInt64(bitPattern: rows.integer(1) ?? 0), inode: UInt64(bitPattern: rows.integer(2) ?? 0),
          size: rows.integer(3) ?? 0, modified: rows.integer(4) ?? 0, changed: rows.integer(7) ?? 0)
        files[rows.blob(0)] = IndexedFile(
          stamp: stamp, hasFailed: hasFailed, isOutdated: rows.integer(5) != FileFacts.version,
          audioDigest: rows.integer(6).map(UInt64.init(bitPattern:)))
      }
    }
    try read(false, "track")
    if !failedFiles.isEmpty { try read(true, "failed_file") }
    return files
  }

  /// Adds files to the index, or replaces what the index has of them. A file that was elsewhere before keeps its row
  /// and the data of the user. Batches of about 1000 files are the most efficient: each batch writes pages that the
  /// next one writes again.
  public func put(_ files: [ScannedFile]) throws(StoreError) {
    try beginScanIfNeeded()
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
      if try isReplaced(old, by: file, nil), try setAside(old, at: now) { old = [] }
      for track in old { try tracks.remove(track.id) }
      try failedFiles.replace(failure, of: file, folder, name)
    case .success(let facts):
      try failedFiles.remove(folder, name)
      let rows = TrackRow.rows(of: file, facts, in: folder, added: now)
      if mayHaveMovedFiles {
        if try isReplaced(old, by: file, rows.first), try setAside(old, at: now) { old = [] }
        if old.isEmpty { old = try moveFile(withStamp: file.stamp, to: folder, name) }
      }
      var former = try formerRows(old, of: rows)
      for var row in rows {
        let start = row.range?.start ?? -1
        let replaced = former.removeValue(forKey: start)
        if replaced == nil, mayHaveMovedFiles { try takeOverVanished(&row, at: now) }
        // The end of a track of a cue sheet is a part of its URI.
        if let replaced, replaced.range != row.range, userData.hasRows {
          try userData.rename(tracks.uri(of: replaced), to: tracks.uri(of: row))
        }
        let keys = row.range == nil ? file.sortKeys(of: row.metadata, facts) : file.sortKeys(ofTrackAt: start)
        try tracks.put(&row, keys: keys, facts.details, replacing: replaced)
      }
    }
  }

  /// Returns the rows that `rows`, the tracks of a file, replace, by the starts of the new ones. Removes the other ones
  /// of `old`.
  ///
  /// A track of a cue sheet is known by its start or, if the sheet has been corrected, by its number.
  private func formerRows(
    _ old: [(id: Int64, start: Int64)], of rows: [TrackRow]
  ) throws(StoreError) -> [Int64: TrackRow] {
    guard !old.isEmpty else { return [:] }
    var former: [Int64: TrackRow] = [:]
    /// The tracks that begin where no track begins any more, by their numbers.
    var moved: [Int: TrackRow] = [:]
    let starts = Set(rows.map { $0.range?.start ?? -1 })
    for track in old {
      guard let row = try tracks.row(track.id) else { continue }
      if starts.contains(track.start) {
        former[track.start] = row
      } else if let number = row.metadata.track, row.range != nil, moved[number] == nil {
        moved[number] = row
      } else {
        try tracks.remove(track.id)
      }
    }
    for row in rows {
      guard let range = row.range, former[range.start] == nil, let number = row.metadata.track else { continue }
      former[range.start] = moved.removeValue(forKey: number)
    }
    for row in moved.values { try tracks.remove(row.id) }
    return former
  }

  /// Returns whether the tracks `old` are those of another file than the one that is at their path now, and not those
  /// of the same file before it was edited. `row` is the first row of the new file, or nil if the file cannot be read.
  /// Such a file may be either, and gets back at the end of the scan what no other file has got.
  private func isReplaced(
    _ old: [(id: Int64, start: Int64)], by file: ScannedFile, _ row: TrackRow?
  ) throws(StoreError) -> Bool {
    guard let first = old.first, let former = try tracks.row(first.id), former.stamp != file.stamp else { return false }
    guard let row else { return true }
    if former.stamp.inode != file.stamp.inode, try movedFile(withStamp: file.stamp) != nil { return true }
    // The digest of an earlier version may differ although the audio is the same.
    guard former.factsVersion == FileFacts.version else { return false }
    return try movable(former).isOther(than: movable(row))
  }

  /// If the index has a file with this stamp at a path where it no longer exists, moves its rows to the new path. If it
  /// still exists there, the new path is a second link to it, which gets rows of its own.
  ///
  /// - Returns: The tracks of the file, or none if there is no such file.
  private func moveFile(
    withStamp stamp: FileStamp, to folder: Int64, _ name: [UInt8]
  ) throws(StoreError) -> [(id: Int64, start: Int64)] {
    guard let old = try movedFile(withStamp: stamp) else { return [] }
    try recordMove(
      folders.cachedPath(of: old.folder).appending(old.name), folders.cachedPath(of: folder).appending(name))
    try moveFile(old.folder, old.name, to: folder, name)
    return try tracks.tracks(folder, name)
  }

  /// Returns a file that has this stamp in the index, and no longer exists at the path that it has there.
  private func movedFile(withStamp stamp: FileStamp) throws(StoreError) -> (folder: Int64, name: [UInt8])? {
    try tracks.file(stamp) { path in
      var status = stat()
      let exists = path.withCString { stat($0, &status) } == 0
      return !exists || FileStamp(status) != stamp
    }
  }

  /// Removes files from the index. The data of the user remains.
  public func remove(_ files: [FilePath]) throws(StoreError) {
    let now = UnixTime.now
    for file in files {
      guard let folder = try folders.id(of: file.parent) else { continue }
      let name = Array(file.lastComponent)
      for track in try tracks.tracks(folder, name) { try removeVanished(track.id, at: now) }
      try failedFiles.remove(folder, name)
      try folders.removeIfEmpty(folder)
    }
    try flush()
  }

  // MARK: Moves

  /// Moves the rows of a file or a folder that was moved, with the data of the user, in place of what the index had at
  /// `new`.
  public func rename(_ old: FilePath, to new: FilePath) throws(StoreError) {
    guard old != new else { return }
    if let folder = try folders.id(of: old) {
      try moveFolder(folder, old, new)
      try moves.append(old, new)
    } else if let folder = try folders.id(of: old.parent) {
      try moveFile(folder, Array(old.lastComponent), to: new)
      try recordMove(old, new)
    } else {
      return
    }
    try flush()
  }

  private func moveFile(_ oldFolder: Int64, _ oldName: [UInt8], to new: FilePath) throws(StoreError) {
    let name = Array(new.lastComponent)
    let folder = try folders.findOrInsert(new.parent)
    let replaced = try tracks.tracks(folder, name)
    if let first = replaced.first, let former = try tracks.row(first.id),
      let moved = try tracks.tracks(oldFolder, oldName).first, let row = try tracks.row(moved.id),
      former.factsVersion == row.factsVersion, try movable(former).isOther(than: movable(row))
    {
      _ = try setAside(replaced, at: .now)
    }
    for track in try tracks.tracks(folder, name) { try tracks.remove(track.id) }
    try failedFiles.remove(folder, name)
    try moveFile(oldFolder, oldName, to: folder, name)
    // A file that a program has written beside another one, and then put in its place, has the data of the latter.
    if !replaced.isEmpty {
      for track in try tracks.tracks(folder, name) {
        if let row = try tracks.row(track.id) { try showUserData(of: tracks.uri(of: row)) }
      }
    }
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

  private static func isDiscFolder(_ path: FilePath) -> Bool {
    DiscName.number(path.lastComponent) != nil
      || NameNormalization.withoutDisc(String(decoding: path.lastComponent, as: UTF8.self)).disc != nil
  }

  private func moveFolder(_ id: Int64, _ old: FilePath, _ new: FilePath) throws(StoreError) {
    try removeFolder(new)
    let oldParent = try folders.move(id, from: old, to: new)
    if userData.hasRows { try userData.renameAll(under: old, to: new) }
    try vanished.renameAll(under: old, to: new)
    // The tracks of a disc folder belong to an album of the folder above.
    if Self.isDiscFolder(old) || Self.isDiscFolder(new) {
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
    cueTracks.first { $0.range?.start == start }?.sortKeys ?? SortKeys()
  }

  /// Returns the sort keys of the track that is the whole file. A title that only a cue sheet has has no key yet: that
  /// of the file is made of its name.
  func sortKeys(of metadata: Metadata, _ facts: FileFacts) -> SortKeys {
    var keys = facts.sortKeys
    if metadata.title != facts.info.metadata.title { keys.title = [] }
    return keys
  }
}
