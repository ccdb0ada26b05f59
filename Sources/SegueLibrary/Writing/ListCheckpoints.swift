// Thread: "index".

internal import SegueSQLite

/// The checkpoints of the lists, which are kept consistent with the rows. A few changes are counted one by one. After
/// many changes, all checkpoints are rebuilt.
final class ListCheckpoints {
  private struct Change {
    let list: LibraryList
    let key: ListKey
    let id: Int64
    let delta: Int64
  }

  private let connection: SQLiteConnection
  /// The changes since the last `flush`.
  private var changes: [Change] = []
  /// Whether the checkpoints are correct apart from `changes`. If not, they are ignored until `rebuild`.
  private(set) var areCurrent: Bool
  /// The number of changes since the checkpoints were built.
  private var changeCount: Int64
  /// If more rows than this change at once, the changes are not counted one by one.
  private static let maximumChangesAtOnce = 1024

  init(_ connection: SQLiteConnection) throws(StoreError) {
    self.connection = connection
    areCurrent = try StoredNumber.read(.checkpointsAreCurrent, connection) == 1
    changeCount = try StoredNumber.read(.checkpointChanges, connection)
  }

  /// Records that a row was added to a list (`delta` > 0) or removed from it, or that its weight changed by `delta`.
  func record(_ list: LibraryList, _ key: ListKey, _ id: Int64, _ delta: Int64) {
    guard areCurrent, delta != 0 else { return }
    changes.append(Change(list: list, key: key, id: id, delta: delta))
  }

  /// Writes the recorded changes. If there are too many, marks the checkpoints as outdated instead.
  func flush() throws(StoreError) {
    guard areCurrent, !changes.isEmpty else { return }
    changeCount += Int64(changes.count)
    if changes.count > Self.maximumChangesAtOnce
      || changeCount > LibraryList.maximumChanges * Int64(LibraryList.allCases.count)
    {
      areCurrent = false
      try StoredNumber.write(.checkpointsAreCurrent, 0, connection)
    } else {
      let update = try connection.statement(
        """
        UPDATE mark SET count = count + ?4 WHERE list = ?1 AND (key, id) = (
          SELECT key, id FROM mark WHERE list = ?1 AND (key, id) <= (?2, ?3) ORDER BY key DESC, id DESC LIMIT 1)
        """)
      for change in changes { try update.run(change.list.rawValue, change.key, change.id, change.delta) }
      try StoredNumber.write(.checkpointChanges, changeCount, connection)
    }
    changes = []
  }

  /// Builds the checkpoints of all lists, unless they are current. This takes a second for 1,000,000 tracks.
  func rebuild() throws(StoreError) {
    guard !areCurrent else { return }
    try connection.execute("DELETE FROM mark")
    let insert = try connection.statement("INSERT INTO mark (list, key, id, count) VALUES (?, ?, ?, ?)")
    for list in LibraryList.allCases {
      var (key, id, count) = (ListKey.first, Int64.min, Int64(0))
      let rows = try connection.statement(list.rows())
      defer { rows.reset() }
      while try rows.step() {
        if count >= LibraryList.stride {
          try insert.run(list.rawValue, key, id, count)
          (key, id, count) = (ListKey(rows, 0), rows.integer(1) ?? 0, 0)
        }
        count += rows.integer(2) ?? 0
      }
      try insert.run(list.rawValue, key, id, count)
    }
    areCurrent = true
    changeCount = 0
    try StoredNumber.write(.checkpointsAreCurrent, 1, connection)
    try StoredNumber.write(.checkpointChanges, 0, connection)
  }
}
