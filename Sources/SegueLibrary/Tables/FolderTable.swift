// Thread: "index".

internal import SegueFiles
public import SegueSQLite
public import SegueSystem

/// The table of folders. It has a row for each folder that contains files of the index, and for all folders above it.
public final class FolderTable {
  private struct Entry {
    let id: Int64
    let path: FilePath
    /// The folder to which the album fragments of the tracks belong.
    let albumFolder: Int64
    let disc: Int?
  }

  private let connection: SQLiteConnection
  private let changes: ChangeRecord
  /// The folder that was asked for last. Consecutive tracks mostly lie in the same folder.
  private var lastUsed: Entry?
  /// The folder that the current batch inserted last. The index has no files of it but those in `newFileNames`.
  private var newFolder: Int64?
  private var newFileNames: Set<[UInt8]> = []

  init(_ connection: SQLiteConnection, _ changes: ChangeRecord) {
    self.connection = connection
    self.changes = changes
  }

  // MARK: Reading

  /// Returns the id of a folder, or nil if the index has no files in or below it.
  func id(of path: FilePath) throws(StoreError) -> Int64? {
    try connection.statement("SELECT id FROM folder WHERE path = ?", path.bytes).first { $0.integer(0) }
  }

  func path(of id: Int64) throws(StoreError) -> FilePath {
    let find = try connection.statement("SELECT path FROM folder WHERE id = ?", id)
    return FilePath(bytes: try find.first { $0.blob(0) } ?? [])
  }

  /// Returns the path of a folder, which is remembered for the next call.
  func cachedPath(of id: Int64) throws(StoreError) -> FilePath { try entry(id).path }

  /// Returns the folder to which the album fragments of the tracks in a folder belong, and the disc that the folder
  /// contains. For a folder such as `CD2`, this is the folder above. A folder such as `Title (Disc 2)` contains a disc,
  /// too.
  func albumFolder(of id: Int64) throws(StoreError) -> (id: Int64, disc: Int?) {
    let entry = try entry(id)
    return (entry.albumFolder, entry.disc)
  }

  private func entry(_ id: Int64) throws(StoreError) -> Entry {
    if let lastUsed, lastUsed.id == id { return lastUsed }
    let path = try path(of: id)
    let disc = DiscName.number(path.lastComponent)
    let albumFolder = disc == nil ? id : try findOrInsert(path.parent)
    let entry = Entry(
      id: id, path: path, albumFolder: albumFolder,
      disc: disc ?? NameNormalization.withoutDisc(String(decoding: path.lastComponent, as: UTF8.self)).disc)
    lastUsed = entry
    return entry
  }

  /// Returns the ids of `root` and of all folders below it. A folder precedes the folders that it contains.
  func ids(under root: FilePath) throws(StoreError) -> [Int64] {
    guard let id = try id(of: root) else { return [] }
    let (first, last) = root.rangeBelow
    let rows = try connection.statement("SELECT id FROM folder WHERE path > ? AND path < ? ORDER BY path", first, last)
    return try [id] + rows.integers()
  }

  /// Returns the names of the folders in a folder.
  func subfolderNames(of id: Int64) throws(StoreError) -> [[UInt8]] {
    try connection.statement("SELECT path FROM folder WHERE parent = ?", id).map {
      Array(FilePath(bytes: $0.blob(0)).lastComponent)
    }
  }

  // MARK: Writing

  /// Returns the id of a folder. Inserts the folder and all folders above it if they are missing.
  func findOrInsert(_ path: FilePath) throws(StoreError) -> Int64 {
    if let lastUsed, lastUsed.path == path { return lastUsed.id }
    if let id = try id(of: path) { return id }
    let parentPath = path.parent
    let parent = parentPath == path ? 0 : try findOrInsert(parentPath)
    try connection.statement("INSERT INTO folder (path, parent, offline) VALUES (?, ?, 0)", path.bytes, parent).run()
    let id = connection.lastInsertedID
    setNewFolder(id)
    return id
  }

  /// Starts a batch of files, which has not inserted any folder yet.
  func beginBatch() { setNewFolder(nil) }

  private func setNewFolder(_ id: Int64?) {
    newFolder = id
    newFileNames.removeAll(keepingCapacity: true)
  }

  /// Records a file of the current batch. Returns whether the index certainly has no file of this name in `folder`:
  /// the batch inserted the folder, and no earlier call had the same name.
  func recordIfNew(_ name: [UInt8], in folder: Int64) -> Bool {
    folder == newFolder && newFileNames.insert(name).inserted
  }

  /// Moves a folder and everything below it. Returns the id of the folder that contained it.
  func move(_ id: Int64, from old: FilePath, to new: FilePath) throws(StoreError) -> Int64 {
    let parent = try findOrInsert(new.parent)
    let oldParent = try connection.integer("SELECT parent FROM folder WHERE id = ?", id)
    let (first, last) = old.rangeBelow
    try connection.statement(
      "UPDATE folder SET path = CAST(?1 || substr(path, ?2) AS BLOB) WHERE path >= ?3 AND path < ?4", new.bytes,
      old.bytes.count + 1, first, last
    ).run()
    try connection.statement("UPDATE folder SET path = ?, parent = ? WHERE id = ?", new.bytes, parent, id).run()
    changes.add(.items)
    lastUsed = nil
    return oldParent
  }

  /// Deletes a folder if there are no files in or below it, and then the folders above it for which the same holds.
  func removeIfEmpty(_ id: Int64) throws(StoreError) {
    var next = id
    while next != 0 {
      let find = try connection.statement(
        """
        SELECT parent FROM folder WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM track WHERE folder = ?1)
          AND NOT EXISTS (SELECT 1 FROM failed_file WHERE folder = ?1)
          AND NOT EXISTS (SELECT 1 FROM folder WHERE parent = ?1)
        """, next)
      guard let parent = try find.first({ $0.integer(0) }) else { return }
      try connection.statement("DELETE FROM folder WHERE id = ?", next).run()
      lastUsed = nil
      next = parent
    }
  }

  /// Returns the folders that are marked as offline, sorted by path. A folder precedes those that it contains.
  func offlineFolders() throws(StoreError) -> [FilePath] {
    try connection.statement("SELECT path FROM folder INDEXED BY folder_offline WHERE offline = 1 ORDER BY path").map {
      FilePath(bytes: $0.blob(0))
    }
  }

  /// Removes the mark of one folder, but not those of the folders below it.
  func clearOfflineMark(of path: FilePath) throws(StoreError) {
    let clear = try connection.statement("UPDATE folder SET offline = 0 WHERE path = ? AND offline = 1", path.bytes)
    try changes.run(clear, changing: .items)
  }

  /// Marks `root` as offline or online, and clears the marks of all folders below it (`FolderAvailability`).
  public func setOffline(_ root: FilePath, _ isOffline: Bool) throws(StoreError) {
    let (first, last) = root.rangeBelow
    let clear = try connection.statement(
      """
      UPDATE folder INDEXED BY folder_offline SET offline = 0
      WHERE offline = 1 AND (path = ?1 AND NOT ?4 OR path > ?2 AND path < ?3)
      """, root.bytes, first, last, isOffline)
    try changes.run(clear, changing: .items)
    guard isOffline else { return }
    let update = try connection.statement("UPDATE folder SET offline = 1 WHERE path = ? AND offline = 0", root.bytes)
    try changes.run(update, changing: .items)
  }
}

extension FilePath {
  /// The range of paths, as bytes, in which all paths below this folder lie. Both ends are excluded.
  var rangeBelow: (first: [UInt8], last: [UInt8]) {
    let stem = bytes.last == UInt8(ascii: "/") ? Array(bytes.dropLast()) : bytes
    return (stem + [UInt8(ascii: "/")], stem + [UInt8(ascii: "/") + 1])
  }
}

/// An SQL condition that tells whether a folder is offline: whether the folder or one above it has the mark `offline`.
/// It compares each row with all marked folders. There are few of them, and mostly none.
enum FolderAvailability {
  /// An expression for a row `f` of the table `folder`: 1 if the folder is offline.
  static let isOffline = """
    EXISTS (
      SELECT 1 FROM (SELECT id, CAST(rtrim(path, '/') || '/' AS BLOB) AS stem FROM folder WHERE offline = 1) gone
      WHERE gone.id = f.id OR substr(f.path, 1, length(stem)) = stem)
    """
}
