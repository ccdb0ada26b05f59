// On the thread of its connection only.

internal import SegueSQLite
internal import SegueWire

/// A writer of the search tables. Every call belongs in the transaction that changes the row of the index.
struct SearchWriter {
  unowned let connection: SQLiteConnection
  let vocabulary: PendingVocabulary

  /// Adds the tokenizer to `connection`. A connection without it can neither create nor use the search tables.
  init(_ connection: SQLiteConnection) throws(StoreError) {
    self.connection = connection
    vocabulary = PendingVocabulary(try connection.addSearchTokenizer())
  }

  /// Replaces the text of a track, and removes the affinity if `new` is nil. `old` is the text that was written last for
  /// the track, or nil if there is none.
  func replace(track id: Int64, _ old: SearchText?, with new: SearchText?) throws(StoreError) {
    guard old != new else { return }
    if let old { try run(Self.tracks.remove, id, Self.values(old, nil)) }
    if let new {
      try run(Self.tracks.insert, id, Self.values(new, nil))
      vocabulary.add(new)
    }
    if let old { try replaceAffinityText(id, old, with: new) }
  }

  /// Replaces the text of a track in the table of tracks with an affinity, if it is there.
  func replaceAffinityText(_ id: Int64, _ old: SearchText, with new: SearchText?) throws(StoreError) {
    guard old != new, let affinity = try affinity(of: id) else { return }
    try run(Self.tracksWithAffinity.remove, id, Self.values(old, affinity))
    if let new {
      try run(Self.tracksWithAffinity.insert, id, Self.values(new, affinity))
    } else {
      try removeAffinity(id)
    }
  }

  /// Sets the affinity of a track. `text` is the current text of the track.
  func setAffinity(_ affinity: TrackAffinity, ofTrack id: Int64, _ text: SearchText) throws(StoreError) {
    let old = try self.affinity(of: id)
    let new = affinity == TrackAffinity() ? nil : affinity
    guard old != new else { return }
    if let old { try run(Self.tracksWithAffinity.remove, id, Self.values(text, old)) }
    guard let new else { return try removeAffinity(id) }
    try run(Self.tracksWithAffinity.insert, id, Self.values(text, new))
    let statement = try connection.statement(
      "INSERT OR REPLACE INTO loved (id, score, favorite, rating, plays) VALUES (?1, ?2, ?3, ?4, ?5)")
    statement.bind(1, id)
    statement.bind(2, new.score)
    statement.bind(3, new.isFavorite ? 1 : 0)
    statement.bind(4, Int64(new.rating))
    statement.bind(5, Int64(new.plays))
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

  /// The statements that insert and remove a row of a table. Their parameters are the id and the texts.
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
  private static let tracksWithAffinity = Statements("loved_text", ["title", "artist", "album", "genre", "facts"])
  private static let albums = Statements("album_text", ["title", "artist", "genre", "facts"])
  private static let artists = Statements("artist_text", ["name"])

  private static func values(_ text: SearchText, _ affinity: TrackAffinity?) -> [String?] {
    [text.title, text.artist, text.album, text.genre, SearchText.facts(text.year, text.formats, affinity)]
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

  private func removeAffinity(_ id: Int64) throws(StoreError) {
    let statement = try connection.statement("DELETE FROM loved WHERE id = ?1")
    statement.bind(1, id)
    try statement.run()
  }

  private func affinity(of id: Int64) throws(StoreError) -> TrackAffinity? {
    let statement = try connection.statement("SELECT favorite, rating, plays FROM loved WHERE id = ?1")
    statement.bind(1, id)
    defer { statement.reset() }
    guard try statement.step() else { return nil }
    return TrackAffinity(
      isFavorite: statement.integer(0) == 1, rating: Int(statement.integer(1) ?? 0),
      plays: Int(statement.integer(2) ?? 0))
  }
}
