// Thread: the connection's.

internal import SegueFiles
public import SegueSQLite
public import SegueWire

extension LibraryReader {
  /// Returns a page of the values of a tag. Without an `order`, names ascend, and years and decades descend.
  public func values(
    of tag: LibraryTag, _ order: SortOrder? = nil, _ page: PageRequest = PageRequest()
  ) throws(StoreError) -> LibraryPage<LibraryValue> {
    switch tag {
    case .albumArtist, .composer, .conductor, .work:
      // The condition on the tag is that of the index by which the names are sorted.
      let (table, key) = ("tag_value WHERE tag = \(tag.number ?? 0) AND track_count > 0", "sort_key, fold")
      return try values("name", from: table, by: key, order ?? .ascending, page) { name in
        (.value(tag, name), name)
      }
    case .genre:
      return try values(
        "name", from: "genre WHERE track_count > 0", by: "sort_key, fold", order ?? .ascending, page
      ) { name in (.genre(name), name) }
    case .year:
      return try values(
        "CAST(year AS TEXT)", from: "year WHERE track_count > 0", by: "year", order ?? .descending, page
      ) { name in (.value(.year, name), name) }
    case .decade:
      let decades = """
        (SELECT year / 10 * 10 AS decade, sum(album_count) AS album_count, sum(track_count) AS track_count
         FROM year WHERE track_count > 0 GROUP BY decade)
        """
      return try values("CAST(decade AS TEXT)", from: decades, by: "decade", order ?? .descending, page) { name in
        (.value(.decade, name), name + "s")
      }
    }
  }

  /// Returns a page of the rows of a table. `value` makes the value and its name of the text in `column`.
  private func values(
    _ column: String, from table: String, by key: String, _ order: SortOrder, _ page: PageRequest,
    _ value: (String) -> (LibraryURI, String)
  ) throws(StoreError) -> LibraryPage<LibraryValue> {
    let keys = key.split(separator: ",").map { "\($0) \(order.sql)" }.joined(separator: ",")
    let values = try connection.statement(
      "SELECT \(column), album_count, track_count FROM \(table) ORDER BY \(keys) LIMIT ? OFFSET ?", page.limit,
      page.offset
    ).map { row in
      let (item, name) = value(row.text(0) ?? "")
      return LibraryValue(
        item: item, name: name, albumCount: Int(row.integer(1) ?? 0), trackCount: Int(row.integer(2) ?? 0))
    }
    let total = try connection.integer("SELECT count(*) FROM \(table)")
    return LibraryPage(items: values, total: Int(total), offset: page.offset)
  }
}

extension LibraryFilter {
  /// Creates the filter for the tracks with a value, which a `segue:` URI gives; nil for an invalid one.
  init?(_ tag: LibraryTag, _ value: String) {
    self.init()
    switch tag {
    case .genre: genre = value
    case .albumArtist, .composer, .conductor, .work: values[tag] = value
    case .year, .decade:
      guard let year = Int(value) else { return nil }
      years = year...(tag == .year ? year : year + 9)
    }
  }
}
