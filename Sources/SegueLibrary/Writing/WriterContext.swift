// Thread: "index".

internal import SegueSQLite

/// The owners of state that several tables of the index share.
struct WriterContext {
  let connection: SQLiteConnection
  let counts: StoredCounts
  let checkpoints: ListCheckpoints
  let pendingSortKeys: PendingSortKeyTable
  let userData: UserDataTable
  let search: SearchIndexQueue
  let changes: ChangeRecord

  /// The number of names that each table of names keeps in its cache.
  static let maximumCachedNames = 4096

  init(_ connection: SQLiteConnection) throws(StoreError) {
    self.connection = connection
    counts = try StoredCounts(connection)
    checkpoints = try ListCheckpoints(connection)
    pendingSortKeys = PendingSortKeyTable(connection: connection)
    changes = ChangeRecord(connection)
    userData = try UserDataTable(connection, changes)
    search = try SearchIndexQueue(connection, counts, userData)
  }
}
