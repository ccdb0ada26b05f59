/// Where things of one kind are looked for.
struct SearchTable {
  /// The FTS5 table.
  let name: String
  let columns: [String]
  /// The column that is ranked by first, and of suggestions the text.
  let title: String
  /// The texts of a row by its number (?1), then a score: the greater is ranked first among equals; then two numbers by
  /// which those stand that are equal in that, too.
  let texts: String
  /// Of which of `columns` each text is a part; the title is the first.
  let parts: [Int]

  static let tracks = SearchTable(
    name: "track_text", columns: ["title", "artist", "album", "genre"], title: "title",
    texts: """
      SELECT coalesce(title, CAST(name AS TEXT)), coalesce(artists, artist), album_artist, composer, album, genre,
        (SELECT score FROM loved WHERE loved.id = track.id), part, place
      FROM track WHERE id = ?1
      """,
    parts: [0, 1, 1, 1, 2, 3])

  /// The same rows of tracks that the user thinks something of.
  static let lovedTracks = SearchTable(
    name: "loved_text", columns: tracks.columns, title: tracks.title, texts: tracks.texts,
    parts: tracks.parts)

  static let albums = SearchTable(
    name: "album_text", columns: ["title", "artist", "genre"], title: "title",
    texts: """
      SELECT title, artist,
        EXISTS (SELECT 1 FROM favorite WHERE uri = 'segue:album/' || album.id) * 1000000000 + track_count, 0, 0
      FROM album WHERE id = ?1
      """,
    parts: [0, 1])

  static let artists = SearchTable(
    name: "artist_text", columns: ["name"], title: "name",
    texts: """
      SELECT name,
        EXISTS (SELECT 1 FROM favorite WHERE uri = 'segue:artist/' || artist.id) * 1000000000 + track_count, 0, 0
      FROM artist WHERE id = ?1
      """,
    parts: [0])

  private init(name: String, columns: [String], title: String, texts: String, parts: [Int]) {
    self.name = name
    self.columns = columns
    self.title = title
    self.texts = texts
    self.parts = parts
  }

  /// The column of a field; nil if things of this kind have no such.
  func column(_ field: SearchQuery.Field) -> String? {
    switch (name, field) {
    case ("album_text", .title): nil
    case ("album_text", .album): "title"
    case ("artist_text", .artist): "name"
    case ("artist_text", _): nil
    default: field.rawValue
    }
  }
}
