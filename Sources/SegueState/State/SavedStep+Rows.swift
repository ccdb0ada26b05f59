internal import SegueSQLite
internal import SegueSystem
internal import SegueWire

/// Rows of the tables `history`, `history_entry` and `history_rank`.
extension SavedStep {
  /// Writes the step in place of the one with the same number.
  func write(to connection: SQLiteConnection) throws(StoreError) {
    try Self.remove([number], from: connection)
    try connection.statement(
      """
      INSERT INTO history (number, undone, action, tracks, removals, current, position) VALUES (?, ?, ?, ?, ?, ?, ?)
      """, number, isUndone, step.action.rawValue, step.tracks, removals.text, current, position?.nanoseconds
    ).run()
    try SavedEntry.write(insertions, ofStep: number, to: connection)
    try SavedRank.write(ranks, ofStep: number, to: connection)
  }

  static func remove(_ numbers: [UInt64], from connection: SQLiteConnection) throws(StoreError) {
    for (table, column) in [("history", "number"), ("history_entry", "step"), ("history_rank", "step")] {
      let delete = try connection.statement("DELETE FROM \(table) WHERE \(column) = ?")
      for number in numbers { try delete.run(number) }
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
    try connection.statement(
      """
      UPDATE history SET action = ?, tracks = ?, removals = ?, current = ?, position = ? WHERE number = ?
      """, step.action.rawValue, step.tracks, removals.text, current, position?.nanoseconds, number
    ).run()
    guard connection.changedRowCount > 0 else { return }
    try SavedEntry.write(insertions, ofStep: number, to: connection)
    try SavedRank.write(ranks, ofStep: number, to: connection)
    let delete = try connection.statement("DELETE FROM history_rank WHERE step = ? AND id = ?")
    for id in endedRanks { try delete.run(number, id) }
  }
}

extension SavedRank {
  fileprivate static func write(
    _ ranks: [SavedRank], ofStep step: UInt64, to connection: SQLiteConnection
  ) throws(StoreError) {
    guard !ranks.isEmpty else { return }
    let insert = try connection.statement("INSERT OR REPLACE INTO history_rank (step, id, rank) VALUES (?, ?, ?)")
    for rank in ranks { try insert.run(step, rank.id, rank.rank) }
  }

  fileprivate static func readAll(ofStep step: UInt64, _ connection: SQLiteConnection) throws(StoreError) -> [SavedRank]
  {
    try connection.statement("SELECT id, rank FROM history_rank WHERE step = ? ORDER BY id", step).map {
      SavedRank(id: UInt64(bitPattern: $0.integer(0) ?? 0), rank: $0.integer(1) ?? 0)
    }
  }
}
