// On the thread "index" only.

/// Keeps the marks of the lists in step with their rows: by counting what a few changes do, else by marking anew.
struct ListCheckpoints {
  private struct Change {
    let list: LibraryList
    let key: ListKey
    let id: Int64
    let delta: Int64
  }

  private var changes: [Change] = []
  /// Whether the marks say what is true but for `changes`.
  private(set) var areFresh: Bool
  /// Rows that came or went since the lists were marked.
  private var changed: Int64
  /// More changes at once than this are not followed one by one.
  private static let most = 1024

  init(_ connection: SQLiteConnection) throws(StoreError) {
    areFresh = try Meta.read(.marksAreFresh, connection) == 1
    changed = try Meta.read(.marksChanged, connection)
  }

  /// A row came (`delta` > 0) or went, or stands for more or fewer.
  mutating func note(_ list: LibraryList, _ key: ListKey, _ id: Int64, _ delta: Int64) {
    guard areFresh, delta != 0 else { return }
    changes.append(Change(list: list, key: key, id: id, delta: delta))
  }

  /// Writes down what was noted, or that the marks are of no use until `renew`.
  mutating func flush(_ connection: SQLiteConnection) throws(StoreError) {
    guard areFresh, !changes.isEmpty else { return }
    changed += Int64(changes.count)
    if changes.count > Self.most || changed > LibraryList.mostChanges * Int64(LibraryList.allCases.count) {
      areFresh = false
      try Meta.write(.marksAreFresh, 0, connection)
    } else {
      let update = try connection.statement(
        """
        UPDATE mark SET count = count + ?4 WHERE list = ?1 AND (key, id) = (
          SELECT key, id FROM mark WHERE list = ?1 AND (key, id) <= (?2, ?3) ORDER BY key DESC, id DESC LIMIT 1)
        """)
      for change in changes {
        update.bind(1, change.list.rawValue)
        change.key.bind(to: update, 2)
        update.bind(3, change.id)
        update.bind(4, change.delta)
        try update.run()
      }
      try Meta.write(.marksChanged, changed, connection)
    }
    changes = []
  }

  /// Marks every list anew, if they are not fresh. A second for 1,000,000 tracks.
  mutating func renew(_ connection: SQLiteConnection) throws(StoreError) {
    guard !areFresh else { return }
    try connection.execute("DELETE FROM mark")
    let insert = try connection.statement("INSERT INTO mark (list, key, id, count) VALUES (?, ?, ?, ?)")
    for list in LibraryList.allCases {
      var (key, id, count) = (ListKey.first, Int64.min, Int64(0))
      let put = { () throws(StoreError) in
        insert.bind(1, list.rawValue)
        key.bind(to: insert, 2)
        insert.bind(3, id)
        insert.bind(4, count)
        try insert.run()
      }
      let rows = try connection.statement(list.rows())
      defer { rows.reset() }
      while try rows.step() {
        if count >= LibraryList.stride {
          try put()
          (key, id, count) = (ListKey(rows, 0), rows.integer(1) ?? 0, 0)
        }
        count += rows.integer(2) ?? 0
      }
      try put()
    }
    areFresh = true
    changed = 0
    try Meta.write(.marksAreFresh, 1, connection)
    try Meta.write(.marksChanged, 0, connection)
  }
}
