internal import SegueSystem

/// The conditions of a query on the rows of albums or artists, which the search tables do not contain: when they were
/// added, and whether they are favorites.
struct RowFilter {
  /// The earliest time at which a row may have been added, in nanoseconds since 1970. It is parameter ?5 of every
  /// statement with the filter.
  let since: Int64
  /// The conditions on a row `t` of `table`.
  private var conditions: [String] = []
  private let table: String
  /// The order of results that have no rank.
  private let order: String

  static func albums(_ query: SearchQuery) -> RowFilter {
    RowFilter(query, "album", .album, added: "t.added >= ?5", order: "t.added DESC, t.id DESC")
  }

  /// The time at which an artist was added is not stored.
  static func artists(_ query: SearchQuery) -> RowFilter {
    RowFilter(query, "artist", .artist, added: "0", order: "t.sort_key, t.id")
  }

  private init(_ query: SearchQuery, _ table: String, _ kind: FavoriteKind, added: String, order: String) {
    (self.table, self.order) = (table, order)
    since = (UnixTime.now - (query.age ?? .zero)).nanoseconds
    if query.age != nil { conditions.append(added) }
    if query.isFavorite { conditions.append("t.id IN (SELECT item FROM favorite WHERE kind = \(kind.rawValue))") }
  }

  private var isEmpty: Bool { conditions.isEmpty }

  /// Returns a condition on the rows of the search table `searchTable`, which is appended to others. It is empty if the
  /// filter is.
  func condition(on searchTable: String) -> String {
    if isEmpty { return "" }
    return " AND EXISTS (SELECT 1 FROM \(table) t WHERE t.id = \(searchTable).rowid AND \(all))"
  }

  /// The statement that selects the ids of the rows that pass, at most ?1, or nil if the filter is empty.
  var list: String? {
    if isEmpty { return nil }
    return "SELECT t.id FROM \(table) t WHERE t.track_count > 0 AND \(all) ORDER BY \(order) LIMIT ?1"
  }

  private var all: String { conditions.joined(separator: " AND ") }
}
