internal import SegueSQLite
internal import SegueSystem
internal import SegueWire

/// Rows of the tables `history`, `history_entry` and `history_rank`.
extension SavedStep {
  /// Writes the step in place of the one with the same number.
  func write(to connection: SQLiteConnection) throws(StoreError) {
    try Self.remove([number], from: connection)
    let insert = try connection.statement(
      """
      INSERT INTO history (number, undone, action, tracks, removals, current, position) VALUES (?, ?, ?, ?, ?, ?, ?)
      """)
    insert.bind(1, Int64(bitPattern: number))
    insert.bind(2, isUndone ? 1 : 0)
    insert.bind(3, step.action.rawValue)
    insert.bind(4, Int64(step.tracks))
    insert.bind(5, removals.text)
    insert.bind(6, current.map(Int64.init(bitPattern:)))
    insert.bind(7, position?.nanoseconds)
    try insert.run()
    try SavedEntry.write(insertions, ofStep: number, to: connection)
    try SavedRank.write(ranks, ofStep: number, to: connection)
  }

  static func remove(_ numbers: [UInt64], from connection: SQLiteConnection) throws(StoreError) {
    for (table, column) in [("history", "number"), ("history_entry", "step"), ("history_rank", "step")] {
      let delete = try connection.statement("DELETE FROM \(table) WHERE \(column) = ?")
      for number in numbers {
        delete.bind(1, Int64(bitPattern: number))
        try delete.run()
      }
    }
  }

  /// Returns all steps in the order of their numbers. If one of them was not written by this version, nothing is
  /// returned, because each step depends on the later ones.
  static func readAll(_ connection: SQLiteConnection) throws(StoreError) -> [SavedStep] {
    // A file of an earlier version that is not writable is not migrated, and has no such table.
    guard try connection.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'history'") > 0 else { return [] }
    var steps: [SavedStep] = []
    let rows = try connection.statement(
      "SELECT number, undone, action, tracks, removals, current, position FROM history ORDER BY number")
    defer { rows.reset() }
    while try rows.step() {
      guard var step = SavedStep(rows) else { return [] }
      step.insertions = try SavedEntry.readAll(ofStep: step.number, connection)
      step.ranks = try SavedRank.readAll(ofStep: step.number, connection)
      steps.append(step)
    }
    return steps
  }

  /// Creates a step without its entries and ranks. Returns nil for a row that was not written by this version.
  private init?(_ row: SQLiteStatement) {
    guard let number = row.integer(0), 1..<Int64.max ~= number, let tracks = row.integer(3), tracks >= 0,
      let action = row.text(2).flatMap(QueueStep.Action.init), let removals = RangeSet<UInt64>(text: row.text(4) ?? "")
    else { return nil }
    self.init(
      number: UInt64(number), isUndone: row.integer(1) == 1, step: QueueStep(action: action, tracks: Int(tracks)),
      removals: removals,
      current: row.integer(5).map(UInt64.init(bitPattern:)),
      position: row.integer(6).map { MediaTime(nanoseconds: $0).clamped(to: .zero ... .maximum) })
  }
}

extension SavedStepExtension {
  /// Writes what the step gets. The rows that it has stay as they are. Does nothing if there is no such step.
  func write(to connection: SQLiteConnection) throws(StoreError) {
    let update = try connection.statement(
      """
      UPDATE history SET action = ?, tracks = ?, removals = ?, current = ?, position = ? WHERE number = ?
      """)
    update.bind(1, step.action.rawValue)
    update.bind(2, Int64(step.tracks))
    update.bind(3, removals.text)
    update.bind(4, current.map(Int64.init(bitPattern:)))
    update.bind(5, position?.nanoseconds)
    update.bind(6, Int64(bitPattern: number))
    try update.run()
    guard connection.changedRowCount > 0 else { return }
    try SavedEntry.write(insertions, ofStep: number, to: connection)
    try SavedRank.write(ranks, ofStep: number, to: connection)
    let delete = try connection.statement("DELETE FROM history_rank WHERE step = ? AND id = ?")
    for id in endedRanks {
      delete.bind(1, Int64(bitPattern: number))
      delete.bind(2, Int64(bitPattern: id))
      try delete.run()
    }
  }
}

extension SavedRank {
  fileprivate static func write(
    _ ranks: [SavedRank], ofStep step: UInt64, to connection: SQLiteConnection
  ) throws(StoreError) {
    guard !ranks.isEmpty else { return }
    let insert = try connection.statement("INSERT OR REPLACE INTO history_rank (step, id, rank) VALUES (?, ?, ?)")
    for rank in ranks {
      insert.bind(1, Int64(bitPattern: step))
      insert.bind(2, Int64(bitPattern: rank.id))
      insert.bind(3, rank.rank)
      try insert.run()
    }
  }

  fileprivate static func readAll(ofStep step: UInt64, _ connection: SQLiteConnection) throws(StoreError) -> [SavedRank]
  {
    let rows = try connection.statement("SELECT id, rank FROM history_rank WHERE step = ? ORDER BY id")
    defer { rows.reset() }
    rows.bind(1, Int64(bitPattern: step))
    var ranks: [SavedRank] = []
    while try rows.step() {
      ranks.append(SavedRank(id: UInt64(bitPattern: rows.integer(0) ?? 0), rank: rows.integer(1) ?? 0))
    }
    return ranks
  }
}
