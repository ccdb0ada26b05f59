// On the thread that sets the file aside.

/// Carries over what the user made from a file that was set aside, as far as it can be read.
enum UserDataRecovery {
  /// Tables and columns. Every version of the file has them, but for a table that is there twice: what the wider row of
  /// a later version brought over is not touched by the narrower one.
  private static let tables = [
    ("favorite", "uri, time, kind, item"), ("rating", "uri, value, time"),
    ("play", "id, time, uri, title, artist, artists, album, duration, kind"), ("play", "id, time, uri"),
    ("search_history", "fold, query, time"), ("bookmark", "uri, position, time"),
  ]

  /// How many rows came over. What cannot be read is left where it is: the file is kept.
  static func carry(from source: SQLiteConnection, to new: SQLiteConnection) throws(StoreError) -> Int {
    var count = 0
    try new.transaction { () throws(StoreError) in
      for (table, columns) in tables { count += try carry(table, columns, source, new) }
      // Tracks get new numbers; albums and artists that are favourites keep theirs, so that their URIs stay true.
      try new.execute("UPDATE favorite SET kind = 0, item = 0 WHERE kind = \(FavoriteKind.track.rawValue)")
      try keepNumbers("album", AlbumRow.carried, FavoriteKind.album, source, new)
      try keepNumbers("artist", "id, fold, name, sort_key, 0, 0, 0", FavoriteKind.artist, source, new)
    }
    return count
  }

  private static func carry(
    _ table: String, _ columns: String, _ source: SQLiteConnection, _ target: SQLiteConnection
  ) throws(StoreError) -> Int {
    var count = 0
    // A broken page ends the reading: what lies behind it is read from the other end.
    for order in ["ASC", "DESC"] {
      let isWhole = try copy(
        "SELECT \(columns) FROM \(table) ORDER BY 1 \(order)", to: "INSERT OR IGNORE INTO \(table) (\(columns))",
        source,
        target, &count)
      if isWhole { break }
    }
    return count
  }

  private static func keepNumbers(
    _ table: String, _ columns: String, _ kind: FavoriteKind, _ source: SQLiteConnection, _ target: SQLiteConnection
  ) throws(StoreError) {
    var count = 0
    _ = try copy(
      "SELECT \(columns) FROM \(table) WHERE id IN (SELECT item FROM favorite WHERE kind = \(kind.rawValue))",
      to: "INSERT OR IGNORE INTO \(table)", source, target, &count)
    try target.execute(
      "UPDATE favorite SET kind = 0, item = 0 WHERE kind = \(kind.rawValue) AND item NOT IN (SELECT id FROM \(table))")
  }

  /// Copies rows one by one; false if the source broke off. Only what the target says is thrown.
  private static func copy(
    _ select: String, to insert: String, _ source: SQLiteConnection, _ target: SQLiteConnection, _ count: inout Int
  ) throws(StoreError) -> Bool {
    guard let rows = try? source.statement(select) else { return false }
    defer { rows.reset() }
    let places = (0..<rows.columnCount).map { _ in "?" }.joined(separator: ", ")
    let write = try target.statement("\(insert) VALUES (\(places))")
    while true {
      guard let isRow = try? rows.step() else { return false }
      guard isRow else { return true }
      for column in 0..<rows.columnCount { write.bind(column + 1, valueOf: rows, column) }
      try write.run()
      count += target.changedByLast
    }
  }
}
