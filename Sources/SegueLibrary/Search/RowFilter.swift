internal import SegueSystem

/// What a query asks of albums or artists that their rows tell and their words do not: when they were added, whether
/// they are favourites.
struct RowFilter {
  /// In nanoseconds since 1970: ?5 of every statement made with it.
  let since: Int64
  /// Of a row of `table`, which is called t.
  private var conditions: [String] = []
  private let table: String
  /// Those that come first where nothing else says which are the best.
  private let order: String

  static func albums(_ query: SearchQuery) -> RowFilter {
    RowFilter(query, "album", .album, added: "t.added >= ?5", order: "t.added DESC, t.id DESC")
  }

  /// Nobody keeps when an artist came.
  static func artists(_ query: SearchQuery) -> RowFilter {
    RowFilter(query, "artist", .artist, added: "0", order: "t.sort_key, t.id")
  }

  private init(_ query: SearchQuery, _ table: String, _ kind: FavoriteKind, added: String, order: String) {
    (self.table, self.order) = (table, order)
    since = UnixTime.now.nanoseconds - (query.age?.nanoseconds ?? 0)
    if query.age != nil { conditions.append(added) }
    if query.isFavorite { conditions.append("t.id IN (SELECT item FROM favorite WHERE kind = \(kind.rawValue))") }
  }

  private var isEmpty: Bool { conditions.isEmpty }

  /// To be added to a condition on the rows of `words`; empty if it asks for nothing.
  func condition(on words: String) -> String {
    if isEmpty { return "" }
    return " AND EXISTS (SELECT 1 FROM \(table) t WHERE t.id = \(words).rowid AND \(all))"
  }

  /// The numbers of the rows that pass, at most ?1; nil if it asks for nothing.
  var list: String? {
    if isEmpty { return nil }
    return "SELECT t.id FROM \(table) t WHERE t.track_count > 0 AND \(all) ORDER BY \(order) LIMIT ?1"
  }

  private var all: String { conditions.joined(separator: " AND ") }
}
