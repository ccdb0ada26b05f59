// On the thread "index" only.

internal import SegueSQLite

/// The table of the digests (`FolderDigest`) of folders whose files are all in the index, by the hashes of their paths. If
/// two paths have the same hash, the only effect is that their folders are compared with the index more often.
struct FolderDigestTable {
  private let connection: SQLiteConnection

  init(_ connection: SQLiteConnection) { self.connection = connection }

  func all() throws(StoreError) -> [UInt64: UInt64] {
    var digests: [UInt64: UInt64] = [:]
    digests.reserveCapacity(Int(try connection.integer("SELECT count(*) FROM seen_folder")))
    let rows = try connection.statement("SELECT path, digest FROM seen_folder")
    defer { rows.reset() }
    while try rows.step() {
      digests[UInt64(bitPattern: rows.integer(0) ?? 0)] = UInt64(bitPattern: rows.integer(1) ?? 0)
    }
    return digests
  }

  func digest(ofPath path: UInt64) throws(StoreError) -> UInt64? {
    let find = try connection.statement("SELECT digest FROM seen_folder WHERE path = ?")
    find.bind(1, Int64(bitPattern: path))
    defer { find.reset() }
    return try find.step() ? find.integer(0).map { UInt64(bitPattern: $0) } : nil
  }

  func put(_ digest: UInt64, ofPath path: UInt64) throws(StoreError) {
    let insert = try connection.statement("INSERT OR REPLACE INTO seen_folder VALUES (?, ?)")
    insert.bind(1, Int64(bitPattern: path))
    insert.bind(2, Int64(bitPattern: digest))
    try insert.run()
  }

  func remove(path: UInt64) throws(StoreError) {
    let delete = try connection.statement("DELETE FROM seen_folder WHERE path = ?")
    delete.bind(1, Int64(bitPattern: path))
    try delete.run()
  }
}
