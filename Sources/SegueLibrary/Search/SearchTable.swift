/// A search table for items of one kind.
struct SearchTable {
  /// The FTS5 table.
  let name: String
  /// The columns of the fields that items of this kind have.
  private let fields: [SearchQuery.Field: String]
  /// The column that counts most in ranking, and that suggestions show.
  let title: String
  /// The columns of composers, conductors and works. Words that only these contain rank below others.
  let creditColumns: Range<Int32>
  /// The statement that selects the title of an item by id (?1).
  let titleQuery: String
  /// The statement that selects the sort criteria of an item by id (?1) among equal ranks: a score (the greater one
  /// comes first), then two numbers in ascending order. For tracks, the criteria are in an index, because reading so
  /// many rows for one page would take too long.
  let criteriaQuery: String

  static let tracks = SearchTable(
    name: "track_text",
    fields: [
      .title: "title", .artist: "{artist composer}", .album: "album", .genre: "genre", .composer: "composer",
      .conductor: "conductor", .work: "work",
    ], title: "title", creditColumns: 4..<7,
    titleQuery: "SELECT coalesce(title, CAST(name AS TEXT)) FROM track WHERE id = ?1",
    criteriaQuery: """
      SELECT (SELECT score FROM loved WHERE loved.id = track.id), part, place
      FROM track INDEXED BY track_facts WHERE id = ?1
      """)

  /// The table of tracks with an affinity.
  static let tracksWithAffinity = SearchTable(
    name: "loved_text", fields: tracks.fields, title: tracks.title, creditColumns: tracks.creditColumns,
    titleQuery: tracks.titleQuery,
    criteriaQuery: tracks.criteriaQuery)

  static let albums = SearchTable(
    name: "album_text",
    fields: [
      .artist: "artist", .album: "title", .genre: "genre", .composer: "composer", .conductor: "conductor",
      .work: "work",
    ], title: "title", creditColumns: 3..<6,
    titleQuery: "SELECT title FROM album WHERE id = ?1",
    criteriaQuery: """
      SELECT EXISTS (SELECT 1 FROM favorite WHERE kind = 2 AND item = album.id) * 1000000000 + track_count, 0, 0
      FROM album WHERE id = ?1
      """)

  static let artists = SearchTable(
    name: "artist_text", fields: [.artist: "name"], title: "name", creditColumns: 0..<0,
    titleQuery: "SELECT name FROM artist WHERE id = ?1",
    criteriaQuery: """
      SELECT EXISTS (SELECT 1 FROM favorite WHERE kind = 3 AND item = artist.id) * 1000000000 + track_count, 0, 0
      FROM artist WHERE id = ?1
      """)

  /// Returns the column of a field, or a set of columns in the syntax of FTS5, or nil if items of this kind do
  /// not have it.
  func column(_ field: SearchQuery.Field) -> String? { fields[field] }

  /// Whether the table has the column `facts`.
  var hasFacts: Bool { fields.count > 1 }
}
