// On the thread of its connection only.

internal import SegueSystem

extension SearchReader {
  /// If there are fewer, what has only the beginnings of the words is found, too: so many.
  private static let few = 50
  private static let mostUnfinished = 400
  /// About so many rows are walked through for better ones than those that were found first, and so many of those kept.
  private static let mostWalked: Int64 = 25_000
  private static let mostBetter = 1_000
  /// So many of the best stand by all that is known of them.
  private static let mostOrdered = 512

  func find(_ query: SearchQuery, _ kind: SearchKind, _ bounds: Bounds) throws(StoreError) -> SearchHits {
    var query = query
    for index in query.terms.indices where query.terms[index].field == .genre {
      query.terms[index].completions = try genres.completions(of: query.terms[index].word, connection, tokenizer)
    }
    switch kind {
    case .track:
      var since: Int64?
      if let age = query.age {
        since = try firstTrack(since: UnixTime.now.nanoseconds - age.nanoseconds)
        if since == nil { return SearchHits() }
      }
      return try find(
        query, query.requiresAffinity ? .tracksWithAffinity : .tracks, loved: .tracksWithAffinity, since: since, bounds)
    case .album: return try find(query, .albums, .albums(query), bounds)
    case .artist: return try find(query, .artists, .artists(query), bounds)
    }
  }

  private func find(
    _ query: SearchQuery, _ table: SearchTable, _ filter: RowFilter, _ bounds: Bounds
  ) throws(StoreError) -> SearchHits {
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
  ) throws(StoreError) -> SearchHits {
    if query.age != nil, since == nil { return SearchHits() }
    let isLoved = table.name == SearchTable.tracksWithAffinity.name
    guard let plan = SearchPlan(query, table, regard: isLoved) else {
      guard query.age != nil, query.terms.isEmpty, !query.requiresAffinity, let since else { return SearchHits() }
      return try newest(since, bounds)
    }
    let numbers = (since ?? 0)...Int64.max
    var walk = Walk(plan: plan, table: table, numbers: numbers, filter: filter)
    var found = Matched(items: [], isAll: true)
    if let years = try walkYears(&walk, query, bounds) { found = years } else { found = try all(walk, bounds) }
    if !found.isAll {
      found.items = try better(than: found.items, walk, bounds)
    } else if found.items.count < Self.few, let unfinished = walk.plan.unfinished {
      let known = Set(found.items.map(\.id))
      found.items += try match(unfinished, walk, numbers, limit: Self.mostUnfinished, as: .unfinished).items.filter {
        !known.contains($0.id)
      }
    }
    let first = try loved.map { loved throws(StoreError) in try matchLoved(plan.all, loved, numbers) } ?? []
    let ranked = Self.ranked(first, found.items)
    return SearchHits(
      items: try ordered(ranked, table, bounds), total: min(found.items.count, bounds.most), isTotalExact: found.isAll)
  }

  private func all(_ walk: Walk, _ bounds: Bounds) throws(StoreError) -> Matched {
    let (numbers, far) = (walk.numbers, walk.numbers.lowerBound + bounds.span)
    let plan = walk.plan
    guard plan.isWide else { return try match(plan.all, walk, numbers, limit: bounds.most, ranked: bounds.ranked) }
    return try match(
      plan.all, walk, numbers, limit: bounds.most, enough: bounds.enough, far: far, ranked: bounds.ranked)
  }

  /// With what is exactly what was asked, of all that match, and, if too few are good, with the better ones of those
  /// that follow.
  private func better(than items: [SearchHit], _ walk: Walk, _ bounds: Bounds) throws(StoreError) -> [SearchHit] {
    guard let whole = walk.plan.whole, let inTitle = walk.plan.inTitle, let last = items.last?.id else { return items }
    // All that matches up to the last one is among `items`. Where the rows are asked for their years, each costs more.
    let most = walk.years == nil ? min(Self.mostBetter, bounds.most) : bounds.good
    let reach = last + 1...(walk.plan.isNarrowedLittle ? last + bounds.span : walk.numbers.upperBound)
    var found = items
    found += try match(whole, walk, reach, limit: most, as: .exact).items
    if found.count(where: { $0.rank.tier == .exact || $0.rank.tier == .beginning }) < bounds.good {
      let rows = Int64(walk.years == nil ? items.count : bounds.lookedInto)
      let walked = walk.plan.isWide ? bounds.span : (last - walk.numbers.lowerBound + 1) * Self.mostWalked / rows
      let following = last + 1...last + max(walked, 1)
      found += try match(inTitle, walk, following, limit: most).items.filter { $0.rank.tier != .exact }
    }
    return found
  }

  /// By rank: of each rank first those that the user thinks something of, then what was added first.
  private static func ranked(_ loved: [SearchHit], _ items: [SearchHit]) -> [SearchHit] {
    var known = Set<Int64>(minimumCapacity: loved.count)
    let first = loved.filter { known.insert($0.id).inserted }
    // Few of many are known: most are told from them by their last bits.
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

  /// Puts those of `items` that are shown in order by all that is known of them: within portions of the first ones,
  /// which are the same whatever page is shown. The others stand by rank and by what the user thinks.
  private func ordered(_ items: [SearchHit], _ table: SearchTable, _ bounds: Bounds) throws(StoreError) -> [SearchHit] {
    var ordered = items
    let row = try connection.statement(table.order)
    defer { row.reset() }
    for start in stride(from: 0, to: min(items.count, Self.mostOrdered), by: bounds.portion) {
      let portion = start..<min(start + bounds.portion, items.count)
      // They stand by rank: what has another one than all that is shown stays where it is.
      let shown = portion.clamped(to: bounds.page)
      guard let best = items[shown].first?.rank, let worst = items[shown].last?.rank else { continue }
      let from = items[portion].firstIndex { $0.rank >= best } ?? portion.lowerBound
      let to = items[portion].lastIndex { $0.rank <= worst } ?? portion.upperBound - 1
      let some = from...to
      var first: [(item: SearchHit, details: (Int64, Int64, Int64))] = []
      for item in items[some] {
        row.reset()
        row.bind(1, item.id)
        let isThere = try row.step()
        first.append(
          isThere
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

  /// The first track that was found since; the numbers of tracks grow with the time at which they were found.
  private func firstTrack(since time: Int64) throws(StoreError) -> Int64? {
    let statement = try connection.statement("SELECT id FROM track WHERE added >= ?1 ORDER BY added, id LIMIT 1")
    statement.bind(1, time)
    defer { statement.reset() }
    return try statement.step() ? statement.integer(0) : nil
  }

  /// Tracks from a number on, the latest first.
  private func newest(_ first: Int64, _ bounds: Bounds) throws(StoreError) -> SearchHits {
    let statement = try connection.statement("SELECT id FROM track WHERE id >= ?1 ORDER BY id DESC LIMIT ?2")
    statement.bind(1, first)
    statement.bind(2, Int64(bounds.most + 1))
    return try unranked(statement, bounds)
  }

  /// What no words say the rank of.
  private func unranked(_ statement: SQLiteStatement, _ bounds: Bounds) throws(StoreError) -> SearchHits {
    defer { statement.reset() }
    let ids = try statement.integers()
    let found = min(ids.count, bounds.most)
    return SearchHits(
      items: ids.prefix(bounds.most).map { SearchHit(id: $0, rank: SearchRank(.unfinished)) }, total: found,
      isTotalExact: ids.count <= bounds.most)
  }
}
