internal import SegueSQLite

/// Rows of the table `shuffle_order`. A row has 512 ids of 8 bytes, the least significant byte first, so that the order
/// of a million entries is two thousand rows.
extension SavedShuffleOrder {
  fileprivate static let rowLength = 512

  /// Reads the order. Returns an empty one if the file is of an earlier version.
  init(reading connection: SQLiteConnection) throws(StoreError) {
    self.init()
    // A file of an earlier version that is not writable is not migrated, and has no such table.
    guard try connection.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'shuffle_order'") > 0 else { return }
    let rows = try connection.statement("SELECT entries FROM shuffle_order ORDER BY number")
    entries = try rows.map { Self.ids($0.blob(0)) }.flatMap(\.self)
    let values = StateValues(connection)
    marks.position = Int(clamping: try values.integer(.shufflePosition) ?? -1)
    marks.roundStart = Int(clamping: try values.integer(.shuffleRoundStart) ?? 0)
    marks.pinned = Int(clamping: try values.integer(.shufflePinned) ?? 0)
  }

  fileprivate static func bytes(_ ids: some Collection<UInt64>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(8 * ids.count)
    for id in ids { withUnsafeBytes(of: id.littleEndian) { bytes += $0 } }
    return bytes
  }

  fileprivate static func ids(_ bytes: [UInt8]) -> [UInt64] {
    stride(from: 0, to: bytes.count - bytes.count % 8, by: 8).map { start in
      bytes[start..<(start + 8)].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
  }
}

extension SavedShuffleChange {
  func write(to connection: SQLiteConnection) throws(StoreError) {
    let length = SavedShuffleOrder.rowLength
    let first = start / length
    let ids = try Self.entries(ofRow: first, connection).prefix(start % length) + entries
    try connection.statement("DELETE FROM shuffle_order WHERE number >= ?", first).run()
    let insert = try connection.statement("INSERT INTO shuffle_order (number, entries) VALUES (?, ?)")
    for (row, offset) in stride(from: 0, to: ids.count, by: length).enumerated() {
      try insert.run(first + row, SavedShuffleOrder.bytes(ids.dropFirst(offset).prefix(length)))
    }
    let values = StateValues(connection)
    try values.set(.shufflePosition, Int64(marks.position))
    try values.set(.shuffleRoundStart, Int64(marks.roundStart))
    try values.set(.shufflePinned, Int64(marks.pinned))
  }

  private static func entries(ofRow number: Int, _ connection: SQLiteConnection) throws(StoreError) -> [UInt64] {
    try connection.statement("SELECT entries FROM shuffle_order WHERE number = ?", number).first {
      SavedShuffleOrder.ids($0.blob(0))
    } ?? []
  }
}
