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
    try connection.statement("INSERT INTO move (old, new) VALUES (?, ?)", old.bytes, new.bytes).run()
  }

  func remove(upTo last: Int64) throws(StoreError) {
    try connection.statement("DELETE FROM move WHERE id <= ?", last).run()
  }

  /// Removes the oldest rows beyond the maximum number.
  func trim() throws(StoreError) {
    try remove(upTo: connection.integer("SELECT coalesce(max(id), 0) FROM move") - Self.maximumCount)
  }
}
