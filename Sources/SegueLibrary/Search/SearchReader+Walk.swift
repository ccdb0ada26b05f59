// On the thread of its connection only.

extension SearchReader {
  /// So many that the user thinks something of stand before their equals.
  private static let mostLoved = 2_000

  private static let mostReserved = 1_024
  /// After so many rows it is seen how many of them are of the years that are wanted.
  private static let tried = 400
  /// Nothing but what is exactly what was asked is ranked before it.
  private static let good = SearchRank(.beginning)

  /// Where and how rows are looked for.
  struct Walk {
    var plan: SearchPlan
    let table: SearchTable
    let numbers: ClosedRange<Int64>
    let filter: RowFilter?
    /// What `plan` does not ask for, and their rows tell.
    var years: ClosedRange<Int>?
  }

  /// In the order of their numbers; whether these are all there are.
  typealias Matched = (items: [SearchHit], isAll: Bool)

  /// What FTS5 would have to look for among the many tracks of many years is looked for in the rows that have the
  /// words; nil if few of those have one of the years, of which there are few then.
  func walkYears(_ walk: inout Walk, _ query: SearchQuery, _ bounds: Bounds) throws(StoreError) -> Matched? {
    guard walk.table.name == SearchTable.tracks.name, let years = query.years, years.count > 1, !query.freeWords.isEmpty
    else { return nil }
    var others = query
    others.years = nil
    guard let plan = SearchPlan(others, walk.table, regard: false) else { return nil }
    var wide = walk
    (wide.plan, wide.years) = (plan, years)
    let found = try match(plan.all, wide, walk.numbers, limit: bounds.lookedInto, least: bounds.good)
    guard found.isAll || found.items.count >= bounds.good else { return nil }
    walk = wide
    return found
  }

  /// No more than `limit` rows are walked through, and none beyond the track `far` once `enough` are found. `ranked`:
  /// once so many of the first ranks are found, others are only asked whether they are of the very first. `tier`: if it is
  /// known already. Gives up, with nothing, once it looks as if `limit` rows would not give `least`.
  func match(
    _ match: FTSQuery, _ walk: Walk, _ numbers: ClosedRange<Int64>, limit: Int,
    least: Int = 0, enough: Int = .max, far: Int64 = .max, ranked: Int = .max, as tier: SearchTier? = nil
  ) throws(StoreError) -> Matched {
    let table = walk.table.name
    let rank = tier.map { "\(SearchRank($0).number)" } ?? "matched(\(table))"
    let isOfYears = walk.years != nil
    let join = isOfYears ? "CROSS JOIN track INDEXED BY track_facts ON track.id = \(table).rowid" : ""
    let statement = try connection.statement(
      """
      SELECT \(table).rowid, \(rank), \(isOfYears ? "year" : "0") FROM \(table) \(join)
      WHERE \(table) MATCH ?1 AND \(table).rowid BETWEEN ?2 AND ?3\(walk.filter?.condition(on: table) ?? "")
      ORDER BY \(table).rowid LIMIT ?4
      """)
    match.bytes.withUnsafeBytes { statement.bind(1, $0) }
    statement.bind(2, numbers.lowerBound)
    statement.bind(3, numbers.upperBound)
    statement.bind(4, Int64(limit + 1))
    if let filter = walk.filter { statement.bind(5, filter.since) }
    defer { statement.reset() }
    var good = 0
    matched.value = { row in
      let rank = SearchRank(row, match, onlyExact: good >= ranked)
      if rank <= Self.good { good += 1 }
      return rank.number
    }
    var found: Matched = ([], true)
    found.items.reserveCapacity(min(limit, Self.mostReserved))
    var rows = 0
    while try statement.step() {
      rows += 1
      guard rows <= limit else {
        found.isAll = false
        break
      }
      if rows == Self.tried, found.items.count * limit < least * rows { return ([], false) }
      if let years = walk.years, !years.contains(Int(statement.integer(2) ?? 0)) { continue }
      let find = SearchHit(statement)
      if find.id > far, found.items.count >= enough {
        found.isAll = false
        break
      }
      found.items.append(find)
    }
    return found
  }

  /// Of those that match and the user thinks something of: what he thinks most of goes first.
  func matchLoved(
    _ match: FTSQuery, _ table: SearchTable, _ numbers: ClosedRange<Int64>
  ) throws(StoreError) -> [SearchHit] {
    let statement = try connection.statement(
      """
      SELECT found, rank FROM (
        SELECT rowid AS found, matched(\(table.name)) AS rank FROM \(table.name)
        WHERE \(table.name) MATCH ?1 AND rowid >= ?2 ORDER BY rowid LIMIT \(Self.mostLoved)
      ) JOIN loved ON id = found ORDER BY score DESC, id
      """)
    match.bytes.withUnsafeBytes { statement.bind(1, $0) }
    statement.bind(2, numbers.lowerBound)
    defer { statement.reset() }
    matched.value = { SearchRank($0, match).number }
    return try SearchHit.all(statement)
  }
}
