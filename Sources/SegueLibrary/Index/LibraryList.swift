/// The lists that can be as long as the library, each in the order of an index of SQLite: by a key, then by number.
///
/// A page deep in such a list would have to count all rows before it. The table `mark` says for about every
/// `LibraryList.stride` rows how many follow, so that counting starts near.
enum LibraryList: Int64, CaseIterable {
  case tracksByTitle = 1
  case tracksByYear, tracksByAdded, tracksByRating
  /// Parts of albums, each as long as it has tracks.
  case tracksByAlbum
  /// Artists, each as long as he has tracks that are sorted by him.
  case tracksByArtist
  case albumsByTitle, albumsByArtist, albumsByYear, albumsByAdded
  case artistsByName

  /// How far marks are apart.
  static let stride: Int64 = 1024
  /// A list that grew by more than this since it was marked is marked anew.
  static let mostChanges: Int64 = 4096

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

  /// Which rows of the table are in the list.
  var condition: String {
    switch self {
    case .tracksByTitle, .tracksByYear, .tracksByAdded, .tracksByRating: "1"
    case .tracksByAlbum: "list_key IS NOT NULL"
    case .tracksByArtist: "main_count > 0"
    case .albumsByTitle, .albumsByArtist, .albumsByYear, .albumsByAdded, .artistsByName: "track_count > 0"
    }
  }

  /// How many a row stands for.
  var weight: String {
    switch self {
    case .tracksByAlbum: "track_count"
    case .tracksByArtist: "main_count"
    default: "1"
    }
  }

  /// All of it, or what follows: `key`, `id` and weight of each row.
  func rows(_ following: String = "1") -> String {
    "SELECT \(key), id, \(weight) FROM \(table) WHERE \(condition) AND \(following) ORDER BY \(key), id"
  }
}

/// What a list is sorted by: a number or a key.
enum ListKey: Equatable {
  case number(Int64)
  case bytes([UInt8])

  func bind(to statement: SQLiteStatement, _ parameter: Int32) {
    switch self {
    case .number(let number): statement.bind(parameter, number)
    case .bytes(let bytes): statement.bind(parameter, blob: bytes)
    }
  }

  init(_ row: SQLiteStatement, _ column: Int32) {
    self = row.isInteger(column) ? .number(row.integer(column) ?? 0) : .bytes(row.blob(column))
  }

  /// Before every other: SQLite puts numbers before bytes.
  static let first = ListKey.number(.min)
}
