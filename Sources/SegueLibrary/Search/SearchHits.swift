internal import SegueSQLite

/// A row that a search has found.
struct SearchHit {
  let id: Int64
  let rank: SearchRank
}

extension SearchHit {
  /// Creates a hit from a row of a statement: the id, then the number of the rank.
  init(_ row: SQLiteStatement) {
    id = row.integer(0) ?? 0
    rank = SearchRank(number: Int(row.integer(1) ?? 0)) ?? SearchRank(.unfinished)
  }
}

/// The hits of one kind.
struct SearchHits {
  /// The hits in order of rank, the best first.
  var items: [SearchHit] = []
  var total = 0
  var isTotalExact = true
}
