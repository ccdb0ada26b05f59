internal import SegueSQLite

/// A number that the library keeps in the table `meta`.
enum StoredNumber: String {
  case checkpointsAreCurrent = "marks_fresh"
  case checkpointChanges = "marks_changed"
  case tracks, albums, artists, failed
  /// The number of texts that were written since the last maintenance of the search tables.
  case unmaintainedTexts = "unsettled"
  /// The last track in the search tables, and the last track in the index (`SearchIndexQueue`).
  case lastIndexedTrack = "searched"
  case lastAddedTrack = "newest"
  /// 1 after a migration that has emptied the search table of tracks with an affinity (`SearchWriter`).
  case affinityTextsAreMissing = "loved_lost"
  /// A hash of the name of the order of the sort keys (`LibraryWriter.setCollation`), or 0 if no order is known.
  case collation
  /// When the first scan began that is not finished, in nanoseconds since 1970; 0 if all are.
  case unfinishedScanStart = "scan_started"

  /// Returns the value of `name`, or 0 if there is none.
  static func read(_ name: StoredNumber, _ connection: SQLiteConnection) throws(StoreError) -> Int64 {
    try connection.integer("SELECT value FROM meta WHERE key = ?", name.rawValue)
  }

  static func write(_ name: StoredNumber, _ value: Int64, _ connection: SQLiteConnection) throws(StoreError) {
    try connection.statement("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", name.rawValue, value).run()
  }
}
