/// Where things of one kind are looked for.
struct SearchTable {
  /// The FTS5 table.
  let name: String
  let columns: [String]
  /// The column that is ranked by first, and of suggestions the text.
  let title: String
  /// The title of a row, by its number (?1).
  let text: String
  /// Of a row (?1) a score (the greater is ranked first among equals), then two numbers by which those stand that are
  /// equal in that, too. Of tracks it is in an index: their rows lie too far apart to read so many for one page.
  let order: String

  static let tracks = SearchTable(
    name: "track_text", columns: ["title", "artist", "album", "genre"], title: "title",
    text: "SELECT coalesce(title, CAST(name AS TEXT)) FROM track WHERE id = ?1",
    order: """
      SELECT (SELECT score FROM loved WHERE loved.id = track.id), part, place
      FROM track INDEXED BY track_facts WHERE id = ?1
      """)

  /// The same rows of tracks that the user thinks something of.
  static let tracksWithAffinity = SearchTable(
    name: "loved_text", columns: tracks.columns, title: tracks.title, text: tracks.text, order: tracks.order)

  static let albums = SearchTable(
    name: "album_text", columns: ["title", "artist", "genre"], title: "title",
    text: "SELECT title FROM album WHERE id = ?1",
    order: """
      SELECT EXISTS (SELECT 1 FROM favorite WHERE kind = 2 AND item = album.id) * 1000000000 + track_count, 0, 0
      FROM album WHERE id = ?1
      """)

  static let artists = SearchTable(
    name: "artist_text", columns: ["name"], title: "name",
    text: "SELECT name FROM artist WHERE id = ?1",
    order: """
      SELECT EXISTS (SELECT 1 FROM favorite WHERE kind = 3 AND item = artist.id) * 1000000000 + track_count, 0, 0
      FROM artist WHERE id = ?1
      """)

  private init(name: String, columns: [String], title: String, text: String, order: String) {
    self.name = name
    self.columns = columns
    self.title = title
    self.text = text
    self.order = order
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
