// On the thread of its connection only.

/// Keeps the tables of the search in step with the tables of the index. Every call belongs into the transaction that
/// changes the row it is about.
struct SearchWriter {
  unowned let connection: SQLiteConnection
  let newWords: PendingVocabulary

  /// Teaches `connection` the words: before anything on it touches the tables of the search, and before they are made.
  init(_ connection: SQLiteConnection) throws(StoreError) {
    self.connection = connection
    newWords = PendingVocabulary(try connection.addSearchTokenizer())
  }

  /// `old`: what was written last under this number, nil if nothing was; `new`: nil to take it away, and its regard.
  func replace(track id: Int64, _ old: SearchText?, with new: SearchText?) throws(StoreError) {
    guard old != new else { return }
    if let old { try run(Self.tracks.remove, id, Self.values(old, nil)) }
    if let new {
      try run(Self.tracks.insert, id, Self.values(new, nil))
      newWords.note(new)
    }
    if let old { try replace(loved: id, old, with: new) }
  }

  /// As `replace(track:)`, of a track that was not given to that yet: only what the user thinks something of was
  /// written.
  func replace(loved id: Int64, _ old: SearchText, with new: SearchText?) throws(StoreError) {
    guard old != new, let regard = try self.regard(of: id) else { return }
    try run(Self.loved.remove, id, Self.values(old, regard))
    if let new {
      try run(Self.loved.insert, id, Self.values(new, regard))
    } else {
      try forget(id)
    }
  }

  /// What the user thinks of the track `id`, whose text is `text`: after `replace` wrote that. nil takes it away.
  func regard(track id: Int64, _ text: SearchText, _ regard: TrackAffinity?) throws(StoreError) {
    let regard = regard == TrackAffinity() ? nil : regard
    let old = try self.regard(of: id)
    guard old != regard else { return }
    if let old { try run(Self.loved.remove, id, Self.values(text, old)) }
    guard let regard else { return try forget(id) }
    try run(Self.loved.insert, id, Self.values(text, regard))
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
    if let old { try run(Self.albums.remove, id, Self.values(old)) }
    if let new { try run(Self.albums.insert, id, Self.values(new)) }
  }

  func replace(artist id: Int64, _ old: String?, with new: String?) throws(StoreError) {
    guard old != new else { return }
    if let old { try run(Self.artists.remove, id, [old]) }
    if let new { try run(Self.artists.insert, id, [new]) }
  }

  /// What writes a row of a table, and what takes one away: its number, then its texts.
  private struct Statements {
    let insert: String
    let remove: String

    init(_ table: String, _ columns: [String]) {
      let names = columns.joined(separator: ", ")
      let places = columns.map { _ in ", ?" }.joined()
      insert = "INSERT INTO \(table) (rowid, \(names)) VALUES (?\(places))"
      remove = "INSERT INTO \(table) (\(table), rowid, \(names)) VALUES ('delete', ?\(places))"
    }
  }

  private static let tracks = Statements("track_text", ["title", "artist", "album", "genre", "facts"])
  private static let loved = Statements("loved_text", ["title", "artist", "album", "genre", "facts"])
  private static let albums = Statements("album_text", ["title", "artist", "genre", "facts"])
  private static let artists = Statements("artist_text", ["name"])

  private static func values(_ text: SearchText, _ regard: TrackAffinity?) -> [String?] {
    [text.title, text.artist, text.album, text.genre, SearchText.facts(text.year, text.formats, regard)]
  }

  private static func values(_ album: SearchText.Album) -> [String?] {
    [album.title, album.artist, album.genre, SearchText.facts(album.year, [])]
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

  private func regard(of id: Int64) throws(StoreError) -> TrackAffinity? {
    let statement = try connection.statement("SELECT favorite, rating, plays FROM loved WHERE id = ?1")
    statement.bind(1, id)
    defer { statement.reset() }
    guard try statement.step() else { return nil }
    return TrackAffinity(
      isFavorite: statement.integer(0) == 1, rating: Int(statement.integer(1) ?? 0),
      plays: Int(statement.integer(2) ?? 0))
  }
}
