// Thread: the connection's.

internal import SegueSQLite

extension SearchReader {
  /// The number of tracks with an affinity that precede other tracks of the same rank.
  private static let maximumWithAffinity = 2_000

  private static let maximumReserved = 1_024
  /// After this number of rows, the share of rows with matching years is checked.
  private static let yearSampleSize = 400
  /// The rank of good results. Only exact matches precede them.
  private static let goodRank = SearchRank(.beginning)

  /// The rows that a search reads.
  struct Scope {
    var plan: SearchPlan
    let table: SearchTable
    let ids: ClosedRange<Int64>
    let filter: RowFilter?
    /// The years that rows must have, if `plan` does not contain this condition.
    var years: ClosedRange<Int>?
  }

  /// Hits in the order of their ids, and whether these are all.
  typealias Matches = (items: [SearchHit], isAll: Bool)

  /// Searches for words, and checks the years of the rows, which is faster than a condition for many years in FTS5.
  /// Sets `scope` accordingly. Returns nil if few rows have a matching year. FTS5 is faster then.
  func matchYears(_ scope: inout Scope, _ query: SearchQuery, _ limits: Limits) throws(StoreError) -> Matches? {
    guard scope.table.name == SearchTable.tracks.name, let years = query.years, years.count > 1,
      !query.freeWords.isEmpty
    else { return nil }
    guard let plan = SearchPlan(query.withoutYears, scope.table, hasAffinity: false) else { return nil }
    var wide = scope
    (wide.plan, wide.years) = (plan, years)
    let found = try match(plan.all, wide, scope.ids, limit: limits.rowsCheckedForYear, minimumHits: limits.goodHits)
    guard found.isAll || found.items.count >= limits.goodHits else { return nil }
    scope = wide
    return found
  }

  /// Returns the rows that match a query.
  ///
  /// - Parameters:
  ///   - limit: The number of rows that are read at most.
  ///   - minimumHits: The number of hits that are needed. Returns none if a sample suggests that there are fewer.
  ///   - enoughHits: The number of hits after which no rows beyond `idLimit` are read.
  ///   - idLimit: The id beyond which no rows are read once there are `enoughHits`.
  ///   - rankedHits: The number of good hits after which other rows are only checked for exact matches.
  ///   - tier: The tier of all rows, if it is known.
  func match(
    _ query: FTSQuery, _ scope: Scope, _ ids: ClosedRange<Int64>, limit: Int,
    minimumHits: Int = 0, enoughHits: Int = .max, after idLimit: Int64 = .max, rankedHits: Int = .max,
    as tier: SearchTier? = nil
  ) throws(StoreError) -> Matches {
    let table = scope.table.name
    let rank = tier.map { "\(SearchRank($0).number)" } ?? "matched(\(table))"
    let checksYears = scope.years != nil
    let join = checksYears ? "CROSS JOIN track INDEXED BY track_facts ON track.id = \(table).rowid" : ""
    let statement = try connection.statement(
      """
      SELECT \(table).rowid, \(rank), \(checksYears ? "year" : "0") FROM \(table) \(join)
      WHERE \(table) MATCH ?1 AND \(table).rowid BETWEEN ?2 AND ?3\(scope.filter?.condition(on: table) ?? "")
      ORDER BY \(table).rowid LIMIT ?4
      """)
    query.bytes.withUnsafeBytes { statement.bind(1, $0) }
    statement.bind(2, ids.lowerBound)
    statement.bind(3, ids.upperBound)
    statement.bind(4, Int64(limit + 1))
    if let filter = scope.filter { statement.bind(5, filter.since) }
    defer { statement.reset() }
    var good = 0
    rankFunction.value = { row in
      let rank = SearchRank(row, query, onlyExact: good >= rankedHits)
      if rank <= Self.goodRank { good += 1 }
      return rank.number
    }
    var found: Matches = ([], true)
    found.items.reserveCapacity(min(limit, Self.maximumReserved))
    var rows = 0
    while try statement.step() {
      rows += 1
      guard rows <= limit else {
        found.isAll = false
        break
      }
      if rows == Self.yearSampleSize, found.items.count * limit < minimumHits * rows { return ([], false) }
      if let years = scope.years, !years.contains(Int(statement.integer(2) ?? 0)) { continue }
      let hit = SearchHit(statement)
      if hit.id > idLimit, found.items.count >= enoughHits {
        found.isAll = false
        break
      }
      found.items.append(hit)
    }
    return found
  }

  /// Returns the matching tracks that have an affinity, in descending order of the score.
  func matchTracksWithAffinity(
    _ query: FTSQuery, _ table: SearchTable, _ ids: ClosedRange<Int64>
  ) throws(StoreError) -> [SearchHit] {
    let statement = try connection.statement(
      """
      SELECT found, rank FROM (
        SELECT rowid AS found, matched(\(table.name)) AS rank FROM \(table.name)
        WHERE \(table.name) MATCH ?1 AND rowid >= ?2 ORDER BY rowid LIMIT \(Self.maximumWithAffinity)
      ) JOIN loved ON id = found ORDER BY score DESC, id
      """)
    query.bytes.withUnsafeBytes { statement.bind(1, $0) }
    statement.bind(2, ids.lowerBound)
    rankFunction.value = { SearchRank($0, query).number }
    return try statement.map { SearchHit($0) }
  }
}
