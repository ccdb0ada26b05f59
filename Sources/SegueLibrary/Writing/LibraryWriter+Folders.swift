// Thread: "index".

public import SegueSQLite
public import SegueSystem

extension LibraryWriter {
  /// Returns whether the index has files in or below `folder`.
  public func hasFiles(under folder: FilePath) throws(StoreError) -> Bool { try folders.id(of: folder) != nil }

  /// Removes a folder and everything below it from the index.
  public func removeFolder(_ folder: FilePath) throws(StoreError) {
    let now = UnixTime.now
    for id in try folders.ids(under: folder).reversed() {
      for track in try tracks.ids(in: id) { try removeVanished(track, at: now) }
      try failedFiles.removeAll(in: id)
      try folders.removeIfEmpty(id)
    }
    try flush()
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

  /// Returns the files that lie in none of these folders, which are about to be moved or removed; nil if there are more
  /// than `limit`. Removes the digests of their folders.
  public func files(notIn roots: [FilePath], limit: Int) throws(StoreError) -> [(FilePath, IndexedFile)]? {
    var found: [(FilePath, IndexedFile)] = []
    return try collectFiles(notIn: roots, under: FilePath("/"), limit, &found) ? found : nil
  }

  /// Returns false if there are more than `limit` files.
  private func collectFiles(
    notIn roots: [FilePath], under folder: FilePath, _ limit: Int, _ found: inout [(FilePath, IndexedFile)]
  ) throws(StoreError) -> Bool {
    guard !roots.contains(folder) else { return true }
    try folderDigests.remove(path: StableHash.hash(folder.bytes))
    found += try indexedFiles(in: folder).map { (folder.appending($0.key), $0.value) }
    guard found.count <= limit else { return false }
    for name in try indexedFolders(in: folder) {
      guard try collectFiles(notIn: roots, under: folder.appending(name), limit, &found) else { return false }
    }
    return true
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
    try folders.clearOfflineMark(of: folder)
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
    var outermost: [FilePath] = []
    for folder in try folders.offlineFolders() where outermost.last.map(folder.isBelow) != true {
      outermost.append(folder)
    }
    return outermost
  }

  /// Records a new device number of the file system that has the files in `folder`.
  public func setDevice(_ device: UInt64, ofFilesIn folder: FilePath) throws(StoreError) {
    guard let id = try folders.id(of: folder) else { return }
    try tracks.setDevice(device, ofFilesIn: id)
    try failedFiles.setDevice(device, ofFilesIn: id)
  }

  /// Removes the digests of `folder` and of all folders below it that the index knows, which are about to be moved or
  /// removed.
  public func removeFolderDigests(under folder: FilePath) throws(StoreError) {
    try folderDigests.remove(path: StableHash.hash(folder.bytes))
    for name in try indexedFolders(in: folder) { try removeFolderDigests(under: folder.appending(name)) }
  }
}
