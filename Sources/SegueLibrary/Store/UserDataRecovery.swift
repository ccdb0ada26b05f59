// Thread: the connection's, which sets the file aside.

internal import SegueSQLite

/// The recovery of user data from a file that was set aside, as far as it can be read.
enum UserDataRecovery {
  /// The tables and columns. Every version of the file has them, except that earlier versions of the tables `play`,
  /// `favorite` and `bookmark` have fewer columns. Those are listed twice: rows that were copied with all columns are
  /// not copied again.
  private static let tables = [
    ("favorite", "uri, time, kind, item, title, artist, album, date, year, rating, title_key"),
    ("favorite", "uri, time, kind, item"), ("rating", "uri, value, time"),
    ("play", "id, time, uri, title, artist, artists, album, duration, kind"), ("play", "id, time, uri"),
    ("search_history", "fold, query, time"), ("bookmark", "uri, position, time, speed"),
    ("bookmark", "uri, position, time"),
  ]

  /// Copies all readable rows, and returns their number. The old file is kept.
  static func copy(from source: SQLiteConnection, to new: SQLiteConnection) throws(StoreError) -> Int {
    var count = 0
    try new.transaction { () throws(StoreError) in
      for (table, columns) in tables { count += try copy(table, columns, source, new) }
      // Tracks get new ids. Albums and artists that are favorites keep theirs, so that their URIs remain valid.
      try new.execute("UPDATE favorite SET kind = 0, item = 0 WHERE kind = \(FavoriteKind.track.rawValue)")
      try copyFavorites("album", AlbumRow.recoveredColumns, FavoriteKind.album, source, new)
      try copyFavorites("artist", "id, fold, name, sort_key, 0, 0, 0", FavoriteKind.artist, source, new)
    }
    return count
  }

  private static func copy(
    _ table: String, _ columns: String, _ source: SQLiteConnection, _ target: SQLiteConnection
  ) throws(StoreError) -> Int {
    var count = 0
    // Reading ends at a damaged page. The rows behind it are read in the opposite order.
    for order in ["ASC", "DESC"] {
      let isComplete = try copy(
        "SELECT \(columns) FROM \(table) ORDER BY 1 \(order)", to: "INSERT OR IGNORE INTO \(table) (\(columns))",
        source,
        target, &count)
      if isComplete { break }
    }
    return count
  }

  /// Copies the albums or artists that are favorites, with their ids.
  private static func copyFavorites(
    _ table: String, _ columns: String, _ kind: FavoriteKind, _ source: SQLiteConnection, _ target: SQLiteConnection
  ) throws(StoreError) {
    var count = 0
    _ = try copy(
      "SELECT \(columns) FROM \(table) WHERE id IN (SELECT item FROM favorite WHERE kind = \(kind.rawValue))",
      to: "INSERT OR IGNORE INTO \(table)", source, target, &count)
    try target.execute(
      "UPDATE favorite SET kind = 0, item = 0 WHERE kind = \(kind.rawValue) AND item NOT IN (SELECT id FROM \(table))")
  }

  /// Copies rows one by one. Returns false if the source could not be read to the end. Throws only errors of the
  /// target.
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
      count += target.changedRowCount
    }
  }
}
