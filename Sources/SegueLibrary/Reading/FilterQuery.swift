// Thread: the connection's.

internal import SegueSQLite
internal import SegueSystem
internal import SegueWire

/// A list of the rows that pass a filter, or of rows with given ids. The cost is proportional to their number.
struct FilterQuery {
  private let connection: SQLiteConnection
  private let table: Table
  private var conditions: [String] = []
  private var values: [any SQLiteBindable] = []

  /// A table of items.
  enum Table: String {
    case tracks = "track"
    case albums = "album"
    case artists = "artist"
  }

  init(tracks filter: LibraryFilter, _ reader: LibraryReader) throws(StoreError) {
    connection = reader.connection
    table = .tracks
    if let artist = filter.artist {
      add("t.id IN (SELECT track FROM track_artist WHERE artist = ?)", artist)
    }
    if let album = filter.album { add("t.part IN (SELECT id FROM part WHERE album = ?)", album) }
    if let genre = filter.genre {
      add(
        "t.id IN (SELECT track FROM track_genre WHERE genre = (SELECT id FROM genre WHERE fold = ?))",
        NameNormalization.fold(genre))
    }
    for (tag, name) in filter.values.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      switch tag {
      case .albumArtist:
        add(
          "t.part IN (SELECT p.id FROM album_value x JOIN part p ON p.album = x.album WHERE x.value = \(Self.value))",
          tag.number, NameNormalization.fold(name))
      default:
        add(
          "t.id IN (SELECT track FROM track_value WHERE value = \(Self.value))", tag.number,
          NameNormalization.fold(name))
      }
    }
    if let format = filter.format {
      // Neither column has an index. The condition is checked for the rows that pass the other conditions.
      add("(t.codec = ? OR t.container = ?)", format.lowercased(), format.lowercased())
    }
    if let ratings = filter.ratings {
      add("t.rating BETWEEN ? AND ?", ratings.lowerBound, ratings.upperBound)
    }
    addCommon(filter, .track)
  }

  init(albums filter: LibraryFilter, _ reader: LibraryReader) throws(StoreError) {
    connection = reader.connection
    table = .albums
    conditions = ["t.track_count > 0"]
    if let artist = filter.artist { add(Self.contains("part_artist", "artist = ?"), artist) }
    if let album = filter.album { add("t.id = ?", album) }
    if let genre = filter.genre {
      add(Self.contains("part_genre", "genre = (SELECT id FROM genre WHERE fold = ?)"), NameNormalization.fold(genre))
    }
    for (tag, name) in filter.values.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      add(
        "t.id IN (SELECT album FROM album_value WHERE value = \(Self.value))", tag.number,
        NameNormalization.fold(name))
    }
    addCommon(filter, .album)
  }

  /// Creates a query for the items with these ids.
  init(_ table: Table, _ ids: [Int64], _ reader: LibraryReader) {
    connection = reader.connection
    self.table = table
    let list = ids.map(String.init).joined(separator: ",")
    add("t.id IN (SELECT value FROM json_each(?))", "[\(list)]")
  }

  /// Returns the condition that an album contains a fragment with a row in `table`.
  private static func contains(_ table: String, _ condition: String) -> String {
    "t.id IN (SELECT p.album FROM \(table) x JOIN part p ON p.id = x.part WHERE x.\(condition))"
  }

  /// The id of the value of a tag with a folded name.
  private static let value = "(SELECT id FROM tag_value WHERE tag = ? AND fold = ?)"

  private mutating func addCommon(_ filter: LibraryFilter, _ kind: FavoriteKind) {
    if let years = filter.years {
      add("t.year BETWEEN ? AND ?", years.lowerBound, years.upperBound)
    }
    if let time = filter.addedSince { add("t.added >= ?", time.nanoseconds) }
    if filter.isFavorite {
      add("t.id IN (SELECT item FROM favorite WHERE kind = ?)", kind.rawValue)
    }
  }

  private mutating func add(_ condition: String, _ values: any SQLiteBindable...) {
    conditions.append(condition)
    self.values += values
  }

  typealias Page = (ids: [Int64], total: Int)

  func page(_ sort: TrackSort, _ order: SortOrder, _ page: PageRequest) throws(StoreError) -> Page {
    switch sort {
    case .title: try self.page("", "t.title_key", order, page)
    // Equal tracks are in the order of their albums, in either direction.
    case .year: try self.page(Self.parts, "t.year", then: Self.placesInAlbums, order, page)
    case .added: try self.page(Self.parts, "t.added", then: Self.placesInAlbums, order, page)
    case .rating: try self.page(Self.parts, "t.rating", then: Self.placesInAlbums, order, page)
    case .random: try self.page("", "random()", order, page)
    case .album: try self.page(Self.parts, Self.placesInAlbums, order, page)
    case .artist:
      try self.page(
        "\(Self.parts) JOIN artist a ON a.id = t.main_artist", "a.sort_key, a.id, \(Self.placesInAlbums)", order, page)
    }
  }

  func page(_ sort: AlbumSort, _ order: SortOrder, _ page: PageRequest) throws(StoreError) -> Page {
    switch sort {
    case .title: try self.page("", "t.title_key", order, page)
    case .artist: try self.page("", "t.artist_key", order, page)
    case .year: try self.page("", "t.year", order, page)
    case .added: try self.page("", "t.added", order, page)
    case .random: try self.page("", "random()", order, page)
    }
  }

  /// Returns a page of artists in the order of their names, or in random order.
  func page(isRandom: Bool, _ order: SortOrder, _ page: PageRequest) throws(StoreError) -> Page {
    try self.page("", isRandom ? "random()" : "t.sort_key", order, page)
  }

  /// Returns at most `count` random rows. All rows are equally likely.
  func sample(_ count: Int) throws(StoreError) -> [Int64] {
    try connection.statement(
      "SELECT t.id FROM \(table.rawValue) t WHERE \(condition) ORDER BY random() LIMIT ?", values: values + [count]
    ).integers()
  }

  private static let parts = "JOIN part p ON p.id = t.part"
  private static let placesInAlbums = "p.list_key, p.id, t.place"

  private var condition: String { conditions.isEmpty ? "1" : conditions.joined(separator: " AND ") }

  /// Returns a page in the order of `keys`, then in the ascending order of `then`.
  private func page(
    _ joins: String, _ keys: String, then: String? = nil, _ order: SortOrder, _ page: PageRequest
  ) throws(StoreError) -> Page {
    let keys = then == nil ? keys + ", t.id" : keys
    let columns =
      keys.split(separator: ",").map { "\($0) \(order.sql)" }.joined(separator: ",") + (then.map { ", \($0)" } ?? "")
    let ids = try connection.statement(
      "SELECT t.id FROM \(table.rawValue) t \(joins) WHERE \(condition) ORDER BY \(columns) LIMIT ? OFFSET ?",
      values: values + [page.limit, page.offset]
    ).integers()
    let count = try connection.statement(
      "SELECT count(*) FROM \(table.rawValue) t WHERE \(condition)", values: values)
    return (ids, try count.first { Int($0.integer(0) ?? 0) } ?? 0)
  }
}
