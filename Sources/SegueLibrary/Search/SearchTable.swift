/// Where things of one kind are looked for.
struct SearchTable {
  /// The FTS5 table.
  let name: String
  let columns: [String]
  /// The column that is ranked by first, and of suggestions the text.
  let title: String
  /// A row by its number (?1): its title, then a score (the greater is ranked first among equals), then two numbers by
  /// which those stand that are equal in that, too.
  let details: String

  static let tracks = SearchTable(
    name: "track_text", columns: ["title", "artist", "album", "genre"], title: "title",
    details: """
      SELECT coalesce(title, CAST(name AS TEXT)), (SELECT score FROM loved WHERE loved.id = track.id), part, place
      FROM track WHERE id = ?1
      """)

  /// The same rows of tracks that the user thinks something of.
  static let lovedTracks = SearchTable(
    name: "loved_text", columns: tracks.columns, title: tracks.title, details: tracks.details)

  static let albums = SearchTable(
    name: "album_text", columns: ["title", "artist", "genre"], title: "title",
    details: """
      SELECT title, EXISTS (SELECT 1 FROM favorite WHERE kind = 2 AND item = album.id) * 1000000000 + track_count, 0, 0
      FROM album WHERE id = ?1
      """)

  static let artists = SearchTable(
    name: "artist_text", columns: ["name"], title: "name",
    details: """
      SELECT name, EXISTS (SELECT 1 FROM favorite WHERE kind = 3 AND item = artist.id) * 1000000000 + track_count, 0, 0
      FROM artist WHERE id = ?1
      """)

  private init(name: String, columns: [String], title: String, details: String) {
    self.name = name
    self.columns = columns
    self.title = title
    self.details = details
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
