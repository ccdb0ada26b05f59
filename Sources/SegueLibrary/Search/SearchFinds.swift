/// A row that was found.
struct SearchFind {
  var id: Int64
  var rank: SearchRank

  /// The rows of a statement: the number, then the rank's.
  static func all(_ rows: SQLiteStatement) throws(StoreError) -> [SearchFind] {
    var finds: [SearchFind] = []
    while try rows.step() {
      guard let rank = SearchRank(number: Int(rows.integer(1) ?? 0)) else { continue }
      finds.append(SearchFind(id: rows.integer(0) ?? 0, rank: rank))
    }
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
