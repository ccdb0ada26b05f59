// Thread: "index".

internal import SegueSQLite
internal import SegueSystem

/// The table of files and folders that have moved, which queue and playlists have still to follow.
struct MoveTable {
  private let connection: SQLiteConnection

  /// The maximum number of rows. Only a library without a daemon has so many.
  private static let maximumCount: Int64 = 1_000_000

  init(_ connection: SQLiteConnection) { self.connection = connection }

  func append(_ old: FilePath, _ new: FilePath) throws(StoreError) {
    let insert = try connection.statement("INSERT INTO move (old, new) VALUES (?, ?)")
    insert.bind(1, blob: old.bytes)
    insert.bind(2, blob: new.bytes)
    try insert.run()
  }

  func remove(upTo last: Int64) throws(StoreError) {
    let delete = try connection.statement("DELETE FROM move WHERE id <= ?")
    delete.bind(1, last)
    try delete.run()
  }

  /// Removes the oldest rows beyond the maximum number.
  func trim() throws(StoreError) {
    try remove(upTo: connection.integer("SELECT coalesce(max(id), 0) FROM move") - Self.maximumCount)
  }
}
