// On the thread of its connection only.

internal import SegueSystem

extension SearchReader {
  /// If there are fewer, what has only the beginnings of the words is found, too: so many.
  private static let few = 50
  private static let mostUnfinished = 400
  /// So many that the user thinks something of stand before their equals.
  private static let mostLoved = 2_000
  /// About so many rows are walked through for better ones than those that were found first.
  private static let mostWalked: Int64 = 50_000

  func find(_ query: SearchQuery, _ kind: SearchKind, _ bounds: Bounds) throws(StoreError) -> SearchFinds {
    switch kind {
    case .track:
      var since: Int64?
      if let age = query.age {
        since = try firstTrack(since: WallTime.now.nanoseconds - age.nanoseconds)
        if since == nil { return SearchFinds() }
      }
      return try find(
        query, query.asksForRegard ? .lovedTracks : .tracks, loved: .lovedTracks, since: since, bounds)
    case .album: return try find(query, .albums, .albums(query), bounds)
    case .artist: return try find(query, .artists, .artists(query), bounds)
    }
  }

  private func find(
    _ query: SearchQuery, _ table: SearchTable, _ filter: RowFilter, _ bounds: Bounds
  ) throws(StoreError) -> SearchFinds {
    var words = query
    words.age = nil
    words.isFavorite = false
    if words.isEmpty, let list = filter.list {
      let statement = try connection.statement(list)
      statement.bind(1, Int64(bounds.most + 1))
      statement.bind(5, filter.since)
      return try unranked(statement, bounds)
    }
    return try find(words, table, loved: nil, since: nil, filter: filter, bounds)
  }

  private func find(
    _ query: SearchQuery, _ table: SearchTable, loved: SearchTable?, since: Int64?, filter: RowFilter? = nil,
    _ bounds: Bounds
  ) throws(StoreError) -> SearchFinds {
    if query.age != nil, since == nil { return SearchFinds() }
    guard let plan = SearchPlan(query, table, regard: table.name == SearchTable.lovedTracks.name) else {
      guard query.age != nil, query.terms.isEmpty, !query.asksForRegard, let since else { return SearchFinds() }
      return try newest(since, bounds)
    }
    let numbers = (since ?? 0)...Int64.max
    var items = try match(plan.all, table, numbers, filter, limit: bounds.most + 1)
    let isTotalExact = items.count <= bounds.most
    if !isTotalExact {
      items.removeLast()
      items = try better(than: items, plan, table, numbers, filter, bounds)
    } else if items.count < Self.few, let unfinished = plan.unfinished {
      let known = Set(items.map(\.id))
      items += try match(unfinished, table, numbers, filter, limit: Self.mostUnfinished).filter {
        !known.contains($0.id)
      }
    }
    let first = try loved.map { loved throws(StoreError) in try matchLoved(plan.all, loved, numbers) } ?? []
    let ranked = Self.ranked(first, items)
    return SearchFinds(
      items: try ordered(ranked, table, bounds), total: min(items.count, bounds.most), isTotalExact: isTotalExact)
  }

  /// With what is exactly what was asked, of all that match, and, if too few are good, with the better ones of those
  /// that follow.
  private func better(
    than items: [SearchFind], _ plan: SearchPlan, _ table: SearchTable, _ numbers: ClosedRange<Int64>,
    _ filter: RowFilter?, _ bounds: Bounds
  ) throws(StoreError) -> [SearchFind] {
    guard let whole = plan.whole, let inTitle = plan.inTitle, let last = items.last?.id else { return items }
    var better = try match(whole, table, numbers, filter, limit: bounds.most)
    var others = items.filter { $0.rank.tier != .exact }
    let begun = others.count { $0.rank.tier == .beginning }
    if better.count + begun < bounds.good {
      let walked = (last - numbers.lowerBound + 1) * Self.mostWalked / Int64(items.count)
      let following = last + 1...last + max(walked, 1)
      others += try match(inTitle, table, following, filter, limit: bounds.most).filter { $0.rank.tier != .exact }
    }
    better += others
    return better
  }

  /// In the order of their numbers.
  private func match(
    _ match: SearchMatch, _ table: SearchTable, _ numbers: ClosedRange<Int64>, _ filter: RowFilter?, limit: Int
  ) throws(StoreError) -> [SearchFind] {
    let statement = try connection.statement(
      """
      SELECT rowid, matched(\(table.name)) FROM \(table.name)
      WHERE \(table.name) MATCH ?1 AND rowid BETWEEN ?2 AND ?3\(filter?.condition(on: table.name) ?? "")
      ORDER BY rowid LIMIT ?4
      """)
    match.bytes.withUnsafeBytes { statement.bind(1, $0) }
    statement.bind(2, numbers.lowerBound)
    statement.bind(3, numbers.upperBound)
    statement.bind(4, Int64(limit))
    if let filter { statement.bind(5, filter.since) }
    defer { statement.reset() }
    matched.value = { SearchRank($0, match).number }
    return try SearchFind.all(statement)
  }

  /// Of those that match and the user thinks something of: what he thinks most of goes first.
  private func matchLoved(
    _ match: SearchMatch, _ table: SearchTable, _ numbers: ClosedRange<Int64>
  ) throws(StoreError) -> [SearchFind] {
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
    return try SearchFind.all(statement)
  }

  /// By rank: of each rank first those that the user thinks something of, then what was added first.
  private static func ranked(_ loved: [SearchFind], _ items: [SearchFind]) -> [SearchFind] {
    var ranked = [[SearchFind]](repeating: [], count: SearchRank.count)
    var known: Set<Int64> = []
    for item in loved where known.insert(item.id).inserted { ranked[item.rank.number].append(item) }
    for item in items where known.isEmpty || !known.contains(item.id) { ranked[item.rank.number].append(item) }
    return ranked.flatMap(\.self)
  }

  /// The first of `items`, which stand by rank, by all that is known of them.
  private func ordered(_ items: [SearchFind], _ table: SearchTable, _ bounds: Bounds) throws(StoreError) -> [SearchFind]
  {
    let details = try connection.statement(table.details)
    defer { details.reset() }
    var first: [(item: SearchFind, details: (Int64, Int64, Int64))] = []
    for item in items.prefix(bounds.ordered) {
      details.reset()
      details.bind(1, item.id)
      guard try details.step() else { continue }
      first.append(
        (item, (-(details.integer(1) ?? 0), details.integer(2) ?? 0, details.integer(3) ?? 0)))
    }
    first.sort {
      if $0.item.rank != $1.item.rank { return $0.item.rank < $1.item.rank }
      return $0.details == $1.details ? $0.item.id < $1.item.id : $0.details < $1.details
    }
    return first.map(\.item) + items.dropFirst(bounds.ordered)
  }

  /// The first track that was found since; the numbers of tracks grow with the time at which they were found.
  private func firstTrack(since time: Int64) throws(StoreError) -> Int64? {
    let statement = try connection.statement("SELECT id FROM track WHERE added >= ?1 ORDER BY added, id LIMIT 1")
    statement.bind(1, time)
    defer { statement.reset() }
    return try statement.step() ? statement.integer(0) : nil
  }

  /// Tracks from a number on, the latest first.
  private func newest(_ first: Int64, _ bounds: Bounds) throws(StoreError) -> SearchFinds {
    let statement = try connection.statement("SELECT id FROM track WHERE id >= ?1 ORDER BY id DESC LIMIT ?2")
    statement.bind(1, first)
    statement.bind(2, Int64(bounds.most + 1))
    return try unranked(statement, bounds)
  }

  /// What no words say the rank of.
  private func unranked(_ statement: SQLiteStatement, _ bounds: Bounds) throws(StoreError) -> SearchFinds {
    defer { statement.reset() }
    let ids = try statement.integers()
    let found = min(ids.count, bounds.most)
    return SearchFinds(
      items: ids.prefix(bounds.most).map { SearchFind(id: $0, rank: SearchRank(.unfinished)) }, total: found,
      isTotalExact: ids.count <= bounds.most)
  }
}
