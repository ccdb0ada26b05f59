// Thread: the connection's.

internal import SegueSQLite
internal import SegueSystem
internal import SegueWire

extension SearchReader {
  /// If there are fewer hits than this, all words are taken for prefixes.
  private static let few = 50
  private static let maximumUnfinished = 400
  /// The approximate number of rows in which better hits are looked for.
  private static let maximumRowsForBetter: Int64 = 25_000
  private static let maximumBetter = 1_000
  /// The number of the best hits that are sorted by all criteria.
  private static let maximumOrdered = 512

  func find(_ query: SearchQuery, _ kind: LibraryKind, _ limits: Limits) throws(StoreError) -> SearchHits {
    var query = query
    try addGenreCompletions(to: &query)
    switch kind {
    case .track:
      var since: Int64?
      if let age = query.age {
        since = try firstTrack(since: (UnixTime.now - age).nanoseconds)
        if since == nil { return SearchHits() }
      }
      return try find(
        query, query.requiresAffinity ? .tracksWithAffinity : .tracks, withAffinity: .tracksWithAffinity, since: since,
        limits)
    case .album: return try find(query, .albums, .albums(query), limits)
    case .artist: return try find(query, .artists, .artists(query), limits)
    }
  }

  private func find(
    _ query: SearchQuery, _ table: SearchTable, _ filter: RowFilter, _ limits: Limits
  ) throws(StoreError) -> SearchHits {
    let words = query.withoutRowFilter
    if words.isEmpty, let list = filter.list {
      let statement = try connection.statement(list, limits.hits + 1)
      statement.bind(5, filter.since)
      return try unranked(statement, limits)
    }
    return try find(words, table, withAffinity: nil, since: nil, filter: filter, limits)
  }

  private func find(
    _ query: SearchQuery, _ table: SearchTable, withAffinity: SearchTable?, since: Int64?, filter: RowFilter? = nil,
    _ limits: Limits
  ) throws(StoreError) -> SearchHits {
    if query.age != nil, since == nil { return SearchHits() }
    let hasAffinity = table.name == SearchTable.tracksWithAffinity.name
    guard let plan = SearchPlan(query, table, hasAffinity: hasAffinity) else {
      guard query.age != nil, query.terms.isEmpty, !query.requiresAffinity, let since else { return SearchHits() }
      return try newest(since, limits)
    }
    let ids = (since ?? 0)...Int64.max
    var scope = Scope(plan: plan, table: table, ids: ids, filter: filter)
    var found = Matches(items: [], isAll: true)
    if let years = try matchYears(&scope, query, limits) { found = years } else { found = try all(scope, limits) }
    if !found.isAll {
      found.items = try better(than: found.items, scope, limits)
    } else if found.items.count < Self.few, let unfinished = scope.plan.unfinished {
      let known = Set(found.items.map(\.id))
      found.items += try match(unfinished, scope, ids, limit: Self.maximumUnfinished, as: .unfinished).items.filter {
        !known.contains($0.id)
      }
    }
    let first =
      try withAffinity.map { table throws(StoreError) in try matchTracksWithAffinity(plan.all, table, ids) } ?? []
    let ranked = Self.ranked(first, found.items)
    return SearchHits(
      items: try ordered(ranked, table, limits), total: min(found.items.count, limits.hits), isTotalExact: found.isAll)
  }

  private func all(_ scope: Scope, _ limits: Limits) throws(StoreError) -> Matches {
    let (ids, idLimit) = (scope.ids, scope.ids.lowerBound + limits.idSpan)
    let plan = scope.plan
    guard plan.isWide else { return try match(plan.all, scope, ids, limit: limits.hits, rankedHits: limits.rankedHits) }
    return try match(
      plan.all, scope, ids, limit: limits.hits, enoughHits: limits.enoughHits, after: idLimit,
      rankedHits: limits.rankedHits)
  }

  /// Returns `items` with all exact matches and, if there are too few good hits, with better hits from the rows that
  /// follow.
  private func better(than items: [SearchHit], _ scope: Scope, _ limits: Limits) throws(StoreError) -> [SearchHit] {
    guard let wholeTitle = scope.plan.wholeTitle, let inTitle = scope.plan.inTitle, let last = items.last?.id else {
      return items
    }
    // `items` has all matches up to the last id. If the years are checked, each row costs more.
    let limit = scope.years == nil ? min(Self.maximumBetter, limits.hits) : limits.goodHits
    let rest = last + 1...(scope.plan.isWholeTitleWide ? last + limits.idSpan : scope.ids.upperBound)
    var found = items
    found += try match(wholeTitle, scope, rest, limit: limit, as: .exact).items
    if found.count(where: { $0.rank.tier == .exact || $0.rank.tier == .beginning }) < limits.goodHits {
      let rows = Int64(scope.years == nil ? items.count : limits.rowsCheckedForYear)
      let span =
        scope.plan.isWide ? limits.idSpan : (last - scope.ids.lowerBound + 1) * Self.maximumRowsForBetter / rows
      let following = last + 1...last + max(span, 1)
      found += try match(inTitle, scope, following, limit: limit).items.filter { $0.rank.tier != .exact }
    }
    return found
  }

  /// Returns the hits in the order of their ranks. Within each rank, tracks with an affinity come first, then the
  /// others in the order of their ids.
  private static func ranked(_ withAffinity: [SearchHit], _ items: [SearchHit]) -> [SearchHit] {
    var known = Set<Int64>(minimumCapacity: withAffinity.count)
    let first = withAffinity.filter { known.insert($0.id).inserted }
    // A table of the last bits of the ids excludes most of the others without a lookup in the set.
    var mayBeKnown = [Bool](repeating: false, count: 4096)
    for id in known { mayBeKnown[Int(id & 4095)] = true }
    let others = known.isEmpty ? items : items.filter { !mayBeKnown[Int($0.id & 4095)] || !known.contains($0.id) }
    var ends = [Int](repeating: 0, count: SearchRank.count + 1)
    for item in first { ends[item.rank.number + 1] += 1 }
    for item in others { ends[item.rank.number + 1] += 1 }
    for number in 1...SearchRank.count { ends[number] += ends[number - 1] }
    var ranked = [SearchHit](
      repeating: SearchHit(id: 0, rank: SearchRank(.unfinished)), count: first.count + others.count)
    for items in [first, others] {
      for item in items {
        ranked[ends[item.rank.number]] = item
        ends[item.rank.number] += 1
      }
    }
    return ranked
  }

  /// Sorts the items on the page by all criteria, if they are among the first `maximumOrdered`. These are sorted in
  /// chunks that do not depend on the page, so that no item is on two pages. The others stay in the order of rank and
  /// affinity.
  private func ordered(_ items: [SearchHit], _ table: SearchTable, _ limits: Limits) throws(StoreError) -> [SearchHit] {
    var ordered = items
    let row = try connection.statement(table.criteriaQuery)
    defer { row.reset() }
    for start in stride(from: 0, to: min(items.count, Self.maximumOrdered), by: limits.chunkSize) {
      let chunk = start..<min(start + limits.chunkSize, items.count)
      // The items are sorted by rank. Items with a rank that is not on the page need not be sorted.
      let shown = chunk.clamped(to: limits.page)
      // A page beyond the last item has indices that the array does not have.
      guard !shown.isEmpty, let best = items[shown].first?.rank, let worst = items[shown].last?.rank else { continue }
      let from = items[chunk].firstIndex { $0.rank >= best } ?? chunk.lowerBound
      let to = items[chunk].lastIndex { $0.rank <= worst } ?? chunk.upperBound - 1
      let some = from...to
      var first: [(item: SearchHit, details: (Int64, Int64, Int64))] = []
      for item in items[some] {
        row.reset()
        row.bind(1, item.id)
        let exists = try row.step()
        first.append(
          exists
            ? (item, (-(row.integer(0) ?? 0), row.integer(1) ?? 0, row.integer(2) ?? 0))
            : (item, (0, 0, 0)))
      }
      first.sort {
        if $0.item.rank != $1.item.rank { return $0.item.rank < $1.item.rank }
        return $0.details == $1.details ? $0.item.id < $1.item.id : $0.details < $1.details
      }
      ordered.replaceSubrange(some, with: first.lazy.map(\.item))
    }
    return ordered
  }

  /// Returns the first track that was added since a time. The ids of tracks are in the order in which they were added.
  private func firstTrack(since time: Int64) throws(StoreError) -> Int64? {
    try connection.statement("SELECT id FROM track WHERE added >= ?1 ORDER BY added, id LIMIT 1", time).first {
      $0.integer(0)
    }
  }

  /// Returns the tracks from an id on, the newest first.
  private func newest(_ first: Int64, _ limits: Limits) throws(StoreError) -> SearchHits {
    try unranked(
      connection.statement("SELECT id FROM track WHERE id >= ?1 ORDER BY id DESC LIMIT ?2", first, limits.hits + 1),
      limits)
  }

  /// Returns the hits of a statement, which have no rank.
  private func unranked(_ statement: SQLiteStatement, _ limits: Limits) throws(StoreError) -> SearchHits {
    let ids = try statement.integers()
    let found = min(ids.count, limits.hits)
    return SearchHits(
      items: ids.prefix(limits.hits).map { SearchHit(id: $0, rank: SearchRank(.unfinished)) }, total: found,
      isTotalExact: ids.count <= limits.hits)
  }
}
