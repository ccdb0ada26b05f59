// On the thread of its connection only.

/// Keeps the tables of the search in step with the tables of the index. Every call belongs into the transaction that
/// changes the row it is about.
struct SearchWriter {
  unowned let connection: SQLiteConnection
  let newWords: NewWords

  /// Teaches `connection` the words: before anything on it touches the tables of the search, and before they are made.
  init(_ connection: SQLiteConnection) throws(StoreError) {
    self.connection = connection
    newWords = NewWords(try connection.addSearchTokenizer())
  }

  /// `old`: what was written last under this number, nil if nothing was; `new`: nil to take it away, and its regard.
  func replace(track id: Int64, _ old: SearchText?, with new: SearchText?) throws(StoreError) {
    guard old != new else { return }
    if let old { try remove(id, "track_text", Self.trackColumns, Self.values(old, nil)) }
    if let new {
      try insert(id, "track_text", Self.trackColumns, Self.values(new, nil))
      newWords.note(new)
    }
    if let old { try replace(loved: id, old, with: new) }
  }

  /// As `replace(track:)`, of a track that was not given to that yet: only what the user thinks something of was
  /// written.
  func replace(loved id: Int64, _ old: SearchText, with new: SearchText?) throws(StoreError) {
    guard old != new, let regard = try self.regard(of: id) else { return }
    try remove(id, "loved_text", Self.trackColumns, Self.values(old, regard))
    if let new {
      try insert(id, "loved_text", Self.trackColumns, Self.values(new, regard))
    } else {
      try forget(id)
    }
  }

  /// What the user thinks of the track `id`, whose text is `text`: after `replace` wrote that. nil takes it away.
  func regard(track id: Int64, _ text: SearchText, _ regard: SearchRegard?) throws(StoreError) {
    let regard = regard == SearchRegard() ? nil : regard
    let old = try self.regard(of: id)
    guard old != regard else { return }
    if let old { try remove(id, "loved_text", Self.trackColumns, Self.values(text, old)) }
    guard let regard else { return try forget(id) }
    try insert(id, "loved_text", Self.trackColumns, Self.values(text, regard))
    let statement = try connection.statement(
      "INSERT OR REPLACE INTO loved (id, score, favorite, rating, plays) VALUES (?1, ?2, ?3, ?4, ?5)")
    statement.bind(1, id)
    statement.bind(2, regard.score)
    statement.bind(3, regard.isFavorite ? 1 : 0)
    statement.bind(4, Int64(regard.rating))
    statement.bind(5, Int64(regard.plays))
    try statement.run()
  }

  func replace(album id: Int64, _ old: SearchText.Album?, with new: SearchText.Album?) throws(StoreError) {
    guard old != new else { return }
    if let old { try remove(id, "album_text", Self.albumColumns, Self.values(old)) }
    if let new { try insert(id, "album_text", Self.albumColumns, Self.values(new)) }
  }

  func replace(artist id: Int64, _ old: String?, with new: String?) throws(StoreError) {
    guard old != new else { return }
    if let old { try remove(id, "artist_text", ["name"], [old]) }
    if let new { try insert(id, "artist_text", ["name"], [new]) }
  }

  private static let trackColumns = ["title", "artist", "album", "genre", "facts"]
  private static let albumColumns = ["title", "artist", "genre", "facts"]

  private static func values(_ text: SearchText, _ regard: SearchRegard?) -> [String?] {
    [text.title, text.artist, text.album, text.genre, SearchText.facts(text.year, text.formats, regard)]
  }

  private static func values(_ album: SearchText.Album) -> [String?] {
    [album.title, album.artist, album.genre, SearchText.facts(album.year, [])]
  }

  private func insert(
    _ id: Int64, _ table: String, _ columns: [String], _ values: [String?]
  ) throws(StoreError) {
    let names = columns.joined(separator: ", ")
    let places = columns.map { _ in ", ?" }.joined()
    try run("INSERT INTO \(table) (rowid, \(names)) VALUES (?\(places))", id, values)
  }

  private func remove(
    _ id: Int64, _ table: String, _ columns: [String], _ values: [String?]
  ) throws(StoreError) {
    let names = columns.joined(separator: ", ")
    let places = columns.map { _ in ", ?" }.joined()
    try run("INSERT INTO \(table) (\(table), rowid, \(names)) VALUES ('delete', ?\(places))", id, values)
  }

  private func run(_ sql: String, _ id: Int64, _ values: [String?]) throws(StoreError) {
    let statement = try connection.statement(sql)
    statement.bind(1, id)
    for (index, value) in values.enumerated() { statement.bind(Int32(index + 2), value) }
    try statement.run()
  }

  private func forget(_ id: Int64) throws(StoreError) {
    let statement = try connection.statement("DELETE FROM loved WHERE id = ?1")
    statement.bind(1, id)
    try statement.run()
  }

  private func regard(of id: Int64) throws(StoreError) -> SearchRegard? {
    let statement = try connection.statement("SELECT favorite, rating, plays FROM loved WHERE id = ?1")
    statement.bind(1, id)
    defer { statement.reset() }
    guard try statement.step() else { return nil }
    return SearchRegard(
      isFavorite: statement.integer(0) == 1, rating: Int(statement.integer(1) ?? 0),
      plays: Int(statement.integer(2) ?? 0))
  }
}
