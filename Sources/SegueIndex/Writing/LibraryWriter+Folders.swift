// On the thread "index" only, like all of `LibraryWriter`.

public import SegueSQLite
public import SegueSystem

/// The digests of folders whose files are all in the index, by the hashes of their paths. If two paths have the same
/// hash, their folders are only compared with the index more often.
extension LibraryWriter {
  /// Returns the digests of all folders.
  public func folderDigests() throws(StoreError) -> [UInt64: UInt64] {
    var digests: [UInt64: UInt64] = [:]
    let count = try connection.integer("SELECT count(*) FROM seen_folder")
    digests.reserveCapacity(Int(count))
    let statement = try connection.statement("SELECT path, digest FROM seen_folder")
    defer { statement.reset() }
    while try statement.step() {
      digests[UInt64(bitPattern: statement.integer(0) ?? 0)] = UInt64(bitPattern: statement.integer(1) ?? 0)
    }
    return digests
  }

  /// Returns the digest of one folder, by the hash of its path.
  public func folderDigest(_ path: UInt64) throws(StoreError) -> UInt64? {
    let statement = try connection.statement("SELECT digest FROM seen_folder WHERE path = ?")
    defer { statement.reset() }
    statement.bind(1, Int64(bitPattern: path))
    return try statement.step() ? statement.integer(0).map { UInt64(bitPattern: $0) } : nil
  }

  /// Stores the digests of folders whose files are all in the index.
  public func storeFolderDigests(_ folders: [(path: UInt64, digest: UInt64)]) throws(StoreError) {
    for folder in folders {
      let statement = try connection.statement("INSERT OR REPLACE INTO seen_folder VALUES (?, ?)")
      statement.bind(1, Int64(bitPattern: folder.path))
      statement.bind(2, Int64(bitPattern: folder.digest))
      try statement.run()
    }
  }

  /// Removes the digests of `folder` and of all folders below it that the index knows, which are about to be moved or
  /// removed.
  public func removeFolderDigests(under folder: FilePath) throws(StoreError) {
    let statement = try connection.statement("DELETE FROM seen_folder WHERE path = ?")
    statement.bind(1, Int64(bitPattern: FolderDigest.hash(folder.bytes)))
    try statement.run()
    for name in try indexedFolders(in: folder) { try removeFolderDigests(under: folder.appending(name)) }
  }

  /// Returns all files in and below `folder`.
  public func allFiles(under folder: FilePath) throws(StoreError) -> [(FilePath, IndexedFile)] {
    var files = try indexedFiles(in: folder).map { (folder.appending($0.key), $0.value) }
    for name in try indexedFolders(in: folder) { files += try allFiles(under: folder.appending(name)) }
    return files
  }

  /// Returns some file in or below `folder`.
  public func anyFile(under folder: FilePath) throws(StoreError) -> IndexedFile? {
    if let file = try indexedFiles(in: folder).first { return file.value }
    for name in try indexedFolders(in: folder) {
      if let file = try anyFile(under: folder.appending(name)) { return file }
    }
    return nil
  }

  /// Removes all files that lie in none of these folders.
  public func removeFolders(notIn roots: [FilePath]) throws(StoreError) {
    if try removeFolders(notIn: roots, under: FilePath("/")) { try finishScan() }
  }

  /// Returns whether something was removed.
  private func removeFolders(notIn roots: [FilePath], under folder: FilePath) throws(StoreError) -> Bool {
    guard !roots.contains(folder) else { return false }
    guard roots.contains(where: { $0.isBelow(folder) }) else {
      try removeFolderDigests(under: folder)
      try removeFolder(folder)
      return true
    }
    // No walk visits the folder and would mark it as online again.
    let clear = try connection.statement("UPDATE folder SET offline = 0 WHERE path = ? AND offline = 1")
    clear.bind(1, blob: folder.bytes)
    try clear.run()
    let files = try indexedFiles(in: folder).keys.map { folder.appending($0) }
    if !files.isEmpty { try remove(files) }
    var hasChanged = !files.isEmpty
    for name in try indexedFolders(in: folder) {
      if try removeFolders(notIn: roots, under: folder.appending(name)) { hasChanged = true }
    }
    return hasChanged
  }

  /// Returns the folders that are marked as offline, without those that lie in another one.
  public func offlineFolders() throws(StoreError) -> [FilePath] {
    let rows = try connection.statement(
      "SELECT path FROM folder INDEXED BY folder_offline WHERE offline = 1 ORDER BY path")
    defer { rows.reset() }
    var folders: [FilePath] = []
    while try rows.step() {
      let folder = FilePath(bytes: rows.blob(0))
      if folders.last.map(folder.isBelow) != true { folders.append(folder) }
    }
    return folders
  }

  /// Records a new device number of the file system that has the files in `folder`.
  public func setDevice(_ device: UInt64, ofFilesIn folder: FilePath) throws(StoreError) {
    guard let id = try folders.id(of: folder) else { return }
    for table in ["track", "failed_file"] {
      let update = try connection.statement("UPDATE \(table) SET device = ? WHERE folder = ?")
      update.bind(1, Int64(bitPattern: device))
      update.bind(2, id)
      try update.run()
    }
  }
}
