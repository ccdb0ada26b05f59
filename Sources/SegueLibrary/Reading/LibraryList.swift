internal import SegueSQLite

/// A list that can be as long as the library. Its order is that of an index of SQLite: by a key, then by id.
///
/// To find a page far from the start of a list, SQLite would have to count all rows before it. The table `mark` has a
/// checkpoint for about every `LibraryList.stride` rows, with the number of rows up to the next one. Counting starts at
/// the nearest checkpoint.
enum LibraryList: Int64, CaseIterable {
  case tracksByTitle = 1
  case tracksByYear, tracksByAdded, tracksByRating
  /// A list of album fragments. The weight of a fragment is the number of its tracks.
  case tracksByAlbum
  /// A list of artists. The weight of an artist is the number of tracks that are sorted by this artist.
  case tracksByArtist
  case albumsByTitle, albumsByArtist, albumsByYear, albumsByAdded
  case artistsByName

  /// The number of items between two checkpoints.
  static let stride: Int64 = 1024
  /// If a list has changed by more items than this since its checkpoints were built, they are rebuilt.
  static let maximumChanges: Int64 = 4096

  var table: String {
    switch self {
    case .tracksByTitle, .tracksByYear, .tracksByAdded, .tracksByRating: "track"
    case .tracksByAlbum: "part"
    case .tracksByArtist, .artistsByName: "artist"
    case .albumsByTitle, .albumsByArtist, .albumsByYear, .albumsByAdded: "album"
    }
  }

  var key: String {
    switch self {
    case .tracksByTitle, .albumsByTitle: "title_key"
    case .tracksByYear, .albumsByYear: "year"
    case .tracksByAdded, .albumsByAdded: "added"
    case .tracksByRating: "rating"
    case .tracksByAlbum: "list_key"
    case .tracksByArtist, .artistsByName: "sort_key"
    case .albumsByArtist: "artist_key"
    }
  }

  /// The condition for the rows of the table that are in the list.
  var condition: String {
    switch self {
    case .tracksByTitle, .tracksByYear, .tracksByAdded, .tracksByRating: "1"
    case .tracksByAlbum: "list_key IS NOT NULL"
    case .tracksByArtist: "main_count > 0"
    case .albumsByTitle, .albumsByArtist, .albumsByYear, .albumsByAdded, .artistsByName: "track_count > 0"
    }
  }

  /// The number of items that a row stands for.
  var weight: String {
    switch self {
    case .tracksByAlbum: "track_count"
    case .tracksByArtist: "main_count"
    case .tracksByTitle, .tracksByYear, .tracksByAdded, .tracksByRating, .albumsByTitle, .albumsByArtist, .albumsByYear,
      .albumsByAdded, .artistsByName:
      "1"
    }
  }

  /// Returns the statement that reads key, id and weight of the rows of the list that satisfy a condition.
  func rows(_ restriction: String = "1") -> String {
    "SELECT \(key), id, \(weight) FROM \(table) WHERE \(condition) AND \(restriction) ORDER BY \(key), id"
  }
}

/// The value by which a list is sorted: a number, or the bytes of a sort key.
enum ListKey: Equatable, SQLiteBindable {
  case number(Int64)
  case bytes([UInt8])

  func bind(to statement: SQLiteStatement, at parameter: Int32) {
    switch self {
    case .number(let number): statement.bind(parameter, number)
    case .bytes(let bytes): statement.bind(parameter, blob: bytes)
    }
  }

  init(_ row: SQLiteStatement, _ column: Int32) {
    self = row.isInteger(column) ? .number(row.integer(column) ?? 0) : .bytes(row.blob(column))
  }

  /// The least key: SQLite sorts numbers before bytes.
  static let first = ListKey.number(.min)
}
