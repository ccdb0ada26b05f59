// Thread: "index".

internal import SegueSQLite
internal import SegueSystem
internal import SegueWire

/// The kind of item in the index that the URI of a favorite names.
enum FavoriteKind: Int64 {
  case unknown = 0
  case track, album, artist
}

/// The tables of favorites, ratings, plays and bookmarks. They name items by URI, so that they outlive the rows of the
/// index.
final class UserDataTable {
  private let connection: SQLiteConnection
  private let changes: ChangeRecord
  /// Whether any table has, or had, a row.
  private(set) var hasRows: Bool

  init(_ connection: SQLiteConnection, _ changes: ChangeRecord) throws(StoreError) {
    self.connection = connection
    self.changes = changes
    hasRows =
      try connection.integer(
        """
        SELECT EXISTS (SELECT 1 FROM favorite) OR EXISTS (SELECT 1 FROM rating) OR EXISTS (SELECT 1 FROM play)
          OR EXISTS (SELECT 1 FROM bookmark)
        """) == 1
  }

  /// Returns how many items that are no files a list has; the limit if there are more.
  func countOfOthers(in list: UserList) throws(StoreError) -> Int {
    let table: Table =
      switch list {
      case .favorites: .favorite
      case .ratings: .rating
      }
    // ";" follows ":".
    let others = "SELECT 1 FROM \(table.rawValue) WHERE uri < 'file:' OR uri >= 'file;' LIMIT ?"
    return Int(try connection.integer("SELECT count(*) FROM (\(others))", UserList.maximumOthers))
  }

  // MARK: Favorites

  /// Adds a favorite. An existing one keeps its time.
  func addFavorite(
    _ uri: String, _ kind: FavoriteKind, _ id: Int64, _ facts: FavoriteFacts?, at time: UnixTime
  ) throws(StoreError) {
    let insert = try connection.statement(
      "INSERT OR IGNORE INTO favorite (uri, time, kind, item) VALUES (?, ?, ?, ?)", uri, time.nanoseconds,
      kind.rawValue, id)
    try changes.run(insert, changing: .favorites)
    if let facts { try setFavoriteFacts(uri, facts) }
    hasRows = true
  }

  /// Sets the title of the favorite `uri`, if there is one.
  func setFavoriteTitle(_ uri: String, _ title: String) throws(StoreError) {
    let update = try connection.statement(
      "UPDATE favorite SET title = ?1, title_key = NULL WHERE uri = ?2 AND title IS NOT ?1", title, uri)
    try changes.run(update, changing: .favorites)
  }

  /// Sets the sort key of the title of the favorite `uri`, if there is one.
  func setTitleKey(ofFavorite uri: String, _ key: [UInt8]) throws(StoreError) {
    let update = try connection.statement("UPDATE favorite SET title_key = ? WHERE uri = ?", key, uri)
    try changes.run(update, changing: .favorites)
  }

  /// Sets what is known about the favorite `uri`, if there is one.
  func setFavoriteFacts(_ uri: String, _ facts: FavoriteFacts) throws(StoreError) {
    let metadata = facts.metadata
    let update = try connection.statement(
      """
      UPDATE favorite SET title = ?1, artist = ?2, album = ?3, date = ?4, year = ?5, rating = ?6, title_key = ?7
      WHERE uri = ?8 AND (title, artist, album, date, year, rating) IS NOT (?1, ?2, ?3, ?4, ?5, ?6)
      """, metadata.title, metadata.artist, metadata.album, metadata.date, metadata.year, facts.rating,
      facts.titleKey.isEmpty ? nil : facts.titleKey, uri)
    try changes.run(update, changing: .favorites)
  }

  func removeFavorite(_ uri: String) throws(StoreError) {
    try changes.run(connection.statement("DELETE FROM favorite WHERE uri = ?", uri), changing: .favorites)
  }

  func isFavorite(_ kind: FavoriteKind, _ id: Int64) throws(StoreError) -> Bool {
    try connection.integer("SELECT 1 FROM favorite WHERE kind = ? AND item = ?", kind.rawValue, id) == 1
  }

  /// Sets the track that the favorite `uri`, if there is one, names.
  func linkFavorite(_ uri: String, toTrack id: Int64) throws(StoreError) {
    let update = try connection.statement(
      "UPDATE favorite SET kind = ?1, item = ?2 WHERE uri = ?3 AND (kind, item) IS NOT (?1, ?2)",
      FavoriteKind.track.rawValue, id, uri)
    try changes.run(update, changing: .favorites)
  }

  /// Records that an item has left the index. A favorite keeps its URI.
  func unlinkFavorite(_ kind: FavoriteKind, _ id: Int64) throws(StoreError) {
    let update = try connection.statement(
      "UPDATE favorite SET kind = 0, item = 0 WHERE kind = ? AND item = ?", kind.rawValue, id)
    try changes.run(update, changing: .favorites)
  }

  // MARK: Ratings, plays, bookmarks

  func rating(_ uri: String) throws(StoreError) -> Int? {
    try connection.statement("SELECT value FROM rating WHERE uri = ?", uri).first { $0.integer(0).map(Int.init) }
  }

  /// Sets a rating, or removes it if `rating` is nil.
  func setRating(_ uri: String, _ rating: Int?, at time: UnixTime) throws(StoreError) {
    guard try rating != self.rating(uri) else { return }
    try setValue(rating.map(Int64.init), of: uri, .rating, column: "value", at: time)
  }

  func addPlay(_ uri: String, _ facts: PlayedFacts, at time: UnixTime) throws(StoreError) {
    let insert = try connection.statement(
      """
      INSERT INTO play (time, uri, title, artist, artists, album, duration, kind) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """, time.nanoseconds, uri, facts.title, facts.artist, TextList.text(of: facts.artists), facts.album,
      facts.duration?.nanoseconds, facts.durationKind?.rawValue)
    try changes.run(insert, changing: .history)
    hasRows = true
  }

  func playCount(_ uri: String) throws(StoreError) -> Int {
    Int(try connection.integer("SELECT count(*) FROM play WHERE uri = ?", uri))
  }

  /// Sets a bookmark, or removes it if `point` is nil. If the speed is unknown, that of an earlier bookmark stays.
  func setBookmark(_ uri: String, _ point: ResumePoint?, at time: UnixTime) throws(StoreError) {
    try setValue(point?.position.nanoseconds, of: uri, .bookmark, column: "position", at: time)
    guard let speed = point?.speed else { return }
    try connection.statement("UPDATE bookmark SET speed = ? WHERE uri = ?", speed.hundredths, uri).run()
  }

  private func setValue(
    _ value: Int64?, of uri: String, _ table: Table, column: String, at time: UnixTime
  ) throws(StoreError) {
    guard let value else {
      let delete = try connection.statement("DELETE FROM \(table.rawValue) WHERE uri = ?", uri)
      return try changes.run(delete, changing: table.changes)
    }
    let insert = try connection.statement(
      """
      INSERT INTO \(table.rawValue) (uri, \(column), time) VALUES (?, ?, ?)
      ON CONFLICT (uri) DO UPDATE SET \(column) = excluded.\(column), time = excluded.time
      """, uri, value, time.nanoseconds)
    try changes.run(insert, changing: table.changes)
    hasRows = true
  }

  /// Returns whether the user has added anything to an item.
  func hasData(_ uri: String) throws(StoreError) -> Bool {
    guard hasRows else { return false }
    let conditions = Table.allCases.map { "EXISTS (SELECT 1 FROM \($0.rawValue) WHERE uri = ?1)" }
    return try connection.integer("SELECT \(conditions.joined(separator: " OR "))", uri) == 1
  }

  // MARK: Moves

  /// The tables, by their names in SQL.
  private enum Table: String, CaseIterable {
    case favorite, rating, play, bookmark

    /// The lists that show rows of the table.
    var changes: LibraryChanges {
      switch self {
      case .favorite: .favorites
      case .rating: .ratings
      case .play: .history
      case .bookmark: []
      }
    }
  }

  func rename(_ old: String, to new: String) throws(StoreError) {
    for table in Table.allCases {
      let update = try connection.statement("UPDATE OR REPLACE \(table.rawValue) SET uri = ? WHERE uri = ?", new, old)
      try changes.run(update, changing: table.changes)
    }
  }

  /// Gives the data of one track to another, which keeps its own favorite, rating and bookmark. The plays of both add
  /// up.
  func merge(_ old: String, into new: String) throws(StoreError) {
    for table in Table.allCases {
      let update = try connection.statement("UPDATE OR IGNORE \(table.rawValue) SET uri = ? WHERE uri = ?", new, old)
      try changes.run(update, changing: table.changes)
      let delete = try connection.statement("DELETE FROM \(table.rawValue) WHERE uri = ?", old)
      try changes.run(delete, changing: table.changes)
    }
  }

  /// Renames all items below a folder.
  func renameAll(under old: FilePath, to new: FilePath) throws(StoreError) {
    for table in Table.allCases {
      try changes.run(
        connection.renameOfURIs(in: table.rawValue, under: old, to: new), changing: table.changes)
    }
  }
}

extension SQLiteConnection {
  /// Returns a statement that renames the files below a folder in the column `uri` of a table.
  func renameOfURIs(in table: String, under old: FilePath, to new: FilePath) throws(StoreError) -> SQLiteStatement {
    let (first, last) = old.rangeBelow
    // "0" follows "/" in a URI as it does in a path.
    return try statement(
      "UPDATE OR REPLACE \(table) SET uri = ?1 || substr(uri, ?2) WHERE uri >= ?3 AND uri < ?4", FileURI.encode(new),
      FileURI.encode(old).utf8.count + 1, FileURI.encode(FilePath(bytes: first)), FileURI.encode(FilePath(bytes: last)))
  }
}
