/// A row that was found.
struct SearchHit {
  var id: Int64
  var rank: SearchRank

  init(id: Int64, rank: SearchRank) {
    self.id = id
    self.rank = rank
  }

  /// A row of a statement: the number, then the rank's.
  init(_ row: SQLiteStatement) {
    id = row.integer(0) ?? 0
    rank = SearchRank(number: Int(row.integer(1) ?? 0)) ?? SearchRank(.unfinished)
  }

  /// The rows of a statement.
  static func all(_ rows: SQLiteStatement) throws(StoreError) -> [SearchHit] {
    var finds: [SearchHit] = []
    while try rows.step() { finds.append(SearchHit(rows)) }
    return finds
  }
}

/// What was found of one kind.
struct SearchHits {
  /// The best first.
  var items: [SearchHit] = []
  var total = 0
  var isTotalExact = true
}
