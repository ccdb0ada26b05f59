// Thread: "index".

public import SegueSQLite
public import SegueSystem

extension LibraryWriter {
  /// Whether the search tables need maintenance: tracks are to be indexed, segments to be merged, or the vocabulary is
  /// to be built.
  public var needsSearchMaintenance: Bool { search.needsMaintenance }

  /// Returns whether a job that calls `maintainSearch` is to be added to the queue of the thread.
  func scheduleSearchMaintenance() -> Bool { !isScanning && search.scheduleMaintenance() }

  /// Does one step of the maintenance of the search tables, which takes some milliseconds. Returns whether there is
  /// more to do. Does nothing during a scan.
  func maintainSearch() throws(StoreError) -> Bool {
    if isScanning {
      search.postponeMaintenance()
      return false
    }
    try search.maintain()
    try flush()
    return search.finishMaintenanceStep()
  }

  /// Adds a query to the search history, which keeps the last five queries. A query that is already there, in whatever
  /// case, becomes the newest.
  public func addSearch(_ query: String, at time: UnixTime = .now) throws(StoreError) {
    let fold = NameNormalization.fold(query)
    guard !fold.isEmpty else { return }
    // It becomes the newest even if the clock was set back.
    try connection.statement(
      """
      INSERT OR REPLACE INTO search_history (fold, query, time)
      VALUES (?1, ?2, max(?3, coalesce((SELECT max(time) + 1 FROM search_history), ?3)))
      """, fold, query, time.nanoseconds
    ).run()
    try connection.execute(
      """
      DELETE FROM search_history
      WHERE fold NOT IN (SELECT fold FROM search_history ORDER BY time DESC LIMIT \(SearchHistory.length))
      """)
  }
}

enum SearchHistory {
  /// The number of queries that are kept.
  static let length = 5
}
