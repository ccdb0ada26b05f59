// On the thread "index" only.

internal import Glibc
internal import SegueLink
public import SegueSystem

extension LibraryWriter {
  // MARK: What the scan asks

  /// The files of one folder that are in the index, by name, those that failed too.
  public func knownFiles(in folder: FilePath) throws(StoreError) -> [[UInt8]: IndexedFile] {
    guard let folder = try knownFolder(folder) else { return [:] }
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
    if counts.failed > 0 { try read(true, "failed_file") }
    return files
  }

  /// The names of the folders in `folder` in or under which the index has files.
  public func knownFolders(in folder: FilePath) throws(StoreError) -> [[UInt8]] {
    guard let id = try knownFolder(folder) else { return [] }
    let rows = try connection.statement("SELECT path FROM folder WHERE parent = ?")
    rows.bind(1, id)
    defer { rows.reset() }
    var names: [[UInt8]] = []
    while try rows.step() { names.append(Array(FilePath(bytes: rows.blob(0)).lastComponent)) }
    return names
  }

  /// Whether the index has files in or under `folder`.
  public func hasFiles(under folder: FilePath) throws(StoreError) -> Bool { try knownFolder(folder) != nil }

  /// Of all in and under `root`: by the mark of `root` alone (`FolderAvailability`).
  public func setOffline(_ root: FilePath, _ isOffline: Bool) throws(StoreError) {
    let clear = try connection.statement(
      """
      UPDATE folder INDEXED BY folder_offline SET offline = 0
      WHERE offline = 1 AND (path = ?1 OR path > ?2 AND path < ?3)
      """)
    let (first, last) = root.rangeBelow
    clear.bind(1, blob: root.bytes)
    clear.bind(2, blob: first)
    clear.bind(3, blob: last)
    try clear.run()
    guard isOffline else { return }
    let update = try connection.statement("UPDATE folder SET offline = 1 WHERE path = ?")
    update.bind(1, blob: root.bytes)
    try update.run()
  }

  /// With all under it.
  public func removeFolder(_ folder: FilePath) throws(StoreError) {
    for id in try folders(under: folder).reversed() {
      for track in try tracks(inFolder: id) { try remove(track) }
      let delete = try connection.statement("DELETE FROM failed_file WHERE folder = ?")
      delete.bind(1, id)
      try delete.run()
      counts.failed -= connection.changedByLast
      try prune(id)
    }
    try flush()
  }

  // MARK: Rows

  /// The number of a folder, which is made with all above it if need be.
  func folder(_ path: FilePath) throws(StoreError) -> Int64 {
    if let lastFolder, lastFolder.path == path { return lastFolder.id }
    if let id = try knownFolder(path) { return id }
    let parent = path.parent
    let above = parent == path ? 0 : try folder(parent)
    let insert = try connection.statement("INSERT INTO folder (path, parent, offline) VALUES (?, ?, 0)")
    insert.bind(1, blob: path.bytes)
    insert.bind(2, above)
    try insert.run()
    let made = connection.lastRow
    begin(newFolder: made)
    return made
  }

  /// nil if the index has no file in or under it.
  func knownFolder(_ path: FilePath) throws(StoreError) -> Int64? {
    let find = try connection.statement("SELECT id FROM folder WHERE path = ?")
    find.bind(1, blob: path.bytes)
    defer { find.reset() }
    return try find.step() ? find.integer(0) : nil
  }

  func path(ofFolder id: Int64) throws(StoreError) -> FilePath {
    let find = try connection.statement("SELECT path FROM folder WHERE id = ?")
    find.bind(1, id)
    defer { find.reset() }
    return FilePath(bytes: try find.step() ? find.blob(0) : [])
  }

  /// Where the albums of a folder's tracks are looked for, and which disc it holds: for `CD2` that is the folder above.
  func home(ofFolder id: Int64) throws(StoreError) -> (part: Int64, disc: Int?) {
    if let lastFolder, lastFolder.id == id { return (lastFolder.part, lastFolder.disc) }
    let path = try path(ofFolder: id)
    let disc = NameNormalization.disc(ofFolder: path.lastComponent)
    let home = (part: disc == nil ? id : try folder(path.parent), disc: disc)
    lastFolder = (path, id, home.part, home.disc)
    return home
  }

  /// Of `root` and all under it; those above come first.
  func folders(under root: FilePath) throws(StoreError) -> [Int64] {
    guard let id = try knownFolder(root) else { return [] }
    let rows = try connection.statement("SELECT id FROM folder WHERE path > ? AND path < ? ORDER BY path")
    let (first, last) = root.rangeBelow
    rows.bind(1, blob: first)
    rows.bind(2, blob: last)
    defer { rows.reset() }
    return try [id] + rows.integers()
  }

  func tracks(inFolder id: Int64) throws(StoreError) -> [Int64] {
    let rows = try connection.statement("SELECT id FROM track WHERE folder = ?")
    rows.bind(1, id)
    defer { rows.reset() }
    return try rows.integers()
  }

  /// Forgets a folder without files in or under it, and those above that are without then.
  func prune(_ folder: Int64) throws(StoreError) {
    let find = try connection.statement(
      """
      SELECT parent FROM folder WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM track WHERE folder = ?1)
        AND NOT EXISTS (SELECT 1 FROM failed_file WHERE folder = ?1)
        AND NOT EXISTS (SELECT 1 FROM folder WHERE parent = ?1)
      """)
    var next = folder
    while next != 0 {
      find.bind(1, next)
      defer { find.reset() }
      guard try find.step() else { return }
      let parent = find.integer(0) ?? 0
      let delete = try connection.statement("DELETE FROM folder WHERE id = ?")
      delete.bind(1, next)
      try delete.run()
      lastFolder = nil
      next = parent
    }
  }
}

extension FilePath {
  /// All paths under this folder lie between these two.
  var rangeBelow: (first: [UInt8], last: [UInt8]) {
    let stem = bytes.last == UInt8(ascii: "/") ? Array(bytes.dropLast()) : bytes
    return (stem + [UInt8(ascii: "/")], stem + [UInt8(ascii: "/") + 1])
  }
}
