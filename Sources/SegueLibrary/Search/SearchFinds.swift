/// A row that was found.
struct SearchFind {
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
  static func all(_ rows: SQLiteStatement) throws(StoreError) -> [SearchFind] {
    var finds: [SearchFind] = []
    while try rows.step() { finds.append(SearchFind(rows)) }
    return finds
  }
}

/// What was found of one kind.
struct SearchFinds {
  /// The best first.
  var items: [SearchFind] = []
  var total = 0
  var isTotalExact = true
}
