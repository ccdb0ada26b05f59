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

  // MARK: Favorites

  /// Adds a favorite. An existing one keeps its time.
  func addFavorite(
    _ uri: String, _ kind: FavoriteKind, _ id: Int64, _ facts: FavoriteFacts?, at time: UnixTime
  ) throws(StoreError) {
    let insert = try connection.statement("INSERT OR IGNORE INTO favorite (uri, time, kind, item) VALUES (?, ?, ?, ?)")
    insert.bind(1, uri)
    insert.bind(2, time.nanoseconds)
    insert.bind(3, kind.rawValue)
    insert.bind(4, id)
    try changes.run(insert, changing: .favorites)
    if let facts { try setFavoriteFacts(uri, facts) }
    hasRows = true
  }

  /// Sets the title of the favorite `uri`, if there is one.
  func setFavoriteTitle(_ uri: String, _ title: String) throws(StoreError) {
    let update = try connection.statement(
      "UPDATE favorite SET title = ?1, title_key = NULL WHERE uri = ?2 AND title IS NOT ?1")
    update.bind(1, title)
    update.bind(2, uri)
    try changes.run(update, changing: .favorites)
  }

  /// Sets the sort key of the title of the favorite `uri`, if there is one.
  func setTitleKey(ofFavorite uri: String, _ key: [UInt8]) throws(StoreError) {
    let update = try connection.statement("UPDATE favorite SET title_key = ? WHERE uri = ?")
    update.bind(1, blob: key)
    update.bind(2, uri)
    try changes.run(update, changing: .favorites)
  }

  /// Sets what is known about the favorite `uri`, if there is one.
  func setFavoriteFacts(_ uri: String, _ facts: FavoriteFacts) throws(StoreError) {
    let update = try connection.statement(
      """
      UPDATE favorite SET title = ?1, artist = ?2, album = ?3, date = ?4, year = ?5, rating = ?6, title_key = ?7
      WHERE uri = ?8 AND (title, artist, album, date, year, rating) IS NOT (?1, ?2, ?3, ?4, ?5, ?6)
      """)
    update.bind(1, facts.metadata.title)
    update.bind(2, facts.metadata.artist)
    update.bind(3, facts.metadata.album)
    update.bind(4, facts.metadata.date)
    update.bind(5, facts.metadata.year.map(Int64.init))
    update.bind(6, real: facts.rating)
    if !facts.titleKey.isEmpty { update.bind(7, blob: facts.titleKey) }
    update.bind(8, uri)
    try changes.run(update, changing: .favorites)
  }

  func removeFavorite(_ uri: String) throws(StoreError) {
    let delete = try connection.statement("DELETE FROM favorite WHERE uri = ?")
    delete.bind(1, uri)
    try changes.run(delete, changing: .favorites)
  }

  func isFavorite(_ kind: FavoriteKind, _ id: Int64) throws(StoreError) -> Bool {
    let find = try connection.statement("SELECT 1 FROM favorite WHERE kind = ? AND item = ?")
    find.bind(1, kind.rawValue)
    find.bind(2, id)
    defer { find.reset() }
    return try find.step()
  }

  /// Sets the track that the favorite `uri`, if there is one, names.
  func linkFavorite(_ uri: String, toTrack id: Int64) throws(StoreError) {
    let update = try connection.statement(
      "UPDATE favorite SET kind = ?1, item = ?2 WHERE uri = ?3 AND (kind, item) IS NOT (?1, ?2)")
    update.bind(1, FavoriteKind.track.rawValue)
    update.bind(2, id)
    update.bind(3, uri)
    try changes.run(update, changing: .favorites)
  }

  /// Records that an item has left the index. A favorite keeps its URI.
  func unlinkFavorite(_ kind: FavoriteKind, _ id: Int64) throws(StoreError) {
    let update = try connection.statement("UPDATE favorite SET kind = 0, item = 0 WHERE kind = ? AND item = ?")
    update.bind(1, kind.rawValue)
    update.bind(2, id)
    try changes.run(update, changing: .favorites)
  }

  // MARK: Ratings, plays, bookmarks

  func rating(_ uri: String) throws(StoreError) -> Int? {
    let find = try connection.statement("SELECT value FROM rating WHERE uri = ?")
    find.bind(1, uri)
    defer { find.reset() }
    return try find.step() ? find.integer(0).map(Int.init) : nil
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
      """)
    insert.bind(1, time.nanoseconds)
    insert.bind(2, uri)
    insert.bind(3, facts.title)
    insert.bind(4, facts.artist)
    insert.bind(5, TextList.text(of: facts.artists))
    insert.bind(6, facts.album)
    insert.bind(7, facts.duration?.nanoseconds)
    insert.bind(8, facts.durationKind?.rawValue)
    try changes.run(insert, changing: .history)
    hasRows = true
  }

  func playCount(_ uri: String) throws(StoreError) -> Int {
    let plays = try connection.statement("SELECT count(*) FROM play WHERE uri = ?")
    plays.bind(1, uri)
    defer { plays.reset() }
    return try plays.step() ? Int(plays.integer(0) ?? 0) : 0
  }

  /// Sets a bookmark, or removes it if `point` is nil. If the speed is unknown, that of an earlier bookmark stays.
  func setBookmark(_ uri: String, _ point: ResumePoint?, at time: UnixTime) throws(StoreError) {
    try setValue(point?.position.nanoseconds, of: uri, .bookmark, column: "position", at: time)
    guard let speed = point?.speed else { return }
    let update = try connection.statement("UPDATE bookmark SET speed = ? WHERE uri = ?")
    update.bind(1, Int64(speed.hundredths))
    update.bind(2, uri)
    try update.run()
  }

  private func setValue(
    _ value: Int64?, of uri: String, _ table: Table, column: String, at time: UnixTime
  ) throws(StoreError) {
    guard let value else {
      let delete = try connection.statement("DELETE FROM \(table.rawValue) WHERE uri = ?")
      delete.bind(1, uri)
      return try changes.run(delete, changing: table.changes)
    }
    let insert = try connection.statement(
      """
      INSERT INTO \(table.rawValue) (uri, \(column), time) VALUES (?, ?, ?)
      ON CONFLICT (uri) DO UPDATE SET \(column) = excluded.\(column), time = excluded.time
      """)
    insert.bind(1, uri)
    insert.bind(2, value)
    insert.bind(3, time.nanoseconds)
    try changes.run(insert, changing: table.changes)
    hasRows = true
  }

  /// Returns whether the user has added anything to an item.
  func hasData(_ uri: String) throws(StoreError) -> Bool {
    guard hasRows else { return false }
    let conditions = Table.allCases.map { "EXISTS (SELECT 1 FROM \($0.rawValue) WHERE uri = ?1)" }
    let find = try connection.statement("SELECT \(conditions.joined(separator: " OR "))")
    find.bind(1, uri)
    defer { find.reset() }
    return try find.step() && find.integer(0) == 1
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
      let update = try connection.statement("UPDATE OR REPLACE \(table.rawValue) SET uri = ? WHERE uri = ?")
      update.bind(1, new)
      update.bind(2, old)
      try changes.run(update, changing: table.changes)
    }
  }

  /// Gives the data of one track to another, which keeps its own favorite, rating and bookmark. The plays of both add
  /// up.
  func merge(_ old: String, into new: String) throws(StoreError) {
    for table in Table.allCases {
      let update = try connection.statement("UPDATE OR IGNORE \(table.rawValue) SET uri = ? WHERE uri = ?")
      update.bind(1, new)
      update.bind(2, old)
      try changes.run(update, changing: table.changes)
      let delete = try connection.statement("DELETE FROM \(table.rawValue) WHERE uri = ?")
      delete.bind(1, old)
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
    let update = try statement(
      "UPDATE OR REPLACE \(table) SET uri = ?1 || substr(uri, ?2) WHERE uri >= ?3 AND uri < ?4")
    update.bind(1, FileURI.encode(new))
    update.bind(2, Int64(FileURI.encode(old).utf8.count + 1))
    update.bind(3, FileURI.encode(FilePath(bytes: first)))
    // "0" follows "/" in a URI as it does in a path.
    update.bind(4, FileURI.encode(FilePath(bytes: last)))
    return update
  }
}
