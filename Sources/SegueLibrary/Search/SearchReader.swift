// On the thread of its connection only.

internal import SegueSystem

/// Finds tracks, albums and artists by their words.
///
/// A query that finds little is answered by looking at every text that was found. One that finds much is answered in
/// tiers, the best first, and each no further than the page that is asked for.
final class SearchReader {
  unowned let connection: SQLiteConnection
  let tokenizer: SearchTokenizer

  /// No more than so many are found.
  static let most = 5_000
  /// So many texts are looked at.
  private static let mostTexts = 400
  /// So many that the user thinks something of are put in order, and so many of these go before the others.
  private static let mostLoved = 2_000
  private static let mostLovedFirst = 200
  /// So many of a tier, where nobody tells what the user thinks.
  private static let mostOfTier = 50

  /// Teaches `connection` the words: before anything on it touches the tables of the search.
  init(_ connection: SQLiteConnection) throws(StoreError) {
    self.connection = connection
    tokenizer = try connection.addSearchTokenizer()
  }

  /// The best first. No query is wrong: what means nothing is searched for as words.
  func search(_ query: String, _ kind: SearchKind, offset: Int, limit: Int) throws(StoreError) -> SearchPage {
    let needed = max(0, min(offset, Self.most)) + max(0, min(limit, Self.most))
    var parsed = SearchQuery(query, tokenizer)
    let bounds = Bounds(needed: needed, most: Self.most, texts: Self.mostTexts)
    var found = try find(parsed, kind, bounds)
    var correction: String?
    if found.items.isEmpty, let (other, text) = try correct(query, parsed) {
      parsed = other
      found = try find(parsed, kind, bounds)
      if !found.items.isEmpty { correction = text }
    }
    let page = found.items.prefix(found.total).dropFirst(max(0, offset)).prefix(max(0, limit))
    return SearchPage(
      ids: page.map(\.id), total: found.total, isTotalExact: found.isTotalExact, correction: correction)
  }

  struct Found {
    /// The best first: as many as are needed, or more.
    var items: [Item] = []
    var total = 0
    var isTotalExact = true
  }

  struct Item {
    var id: Int64
    var tier: SearchTier
  }

  /// What is done for a query at most.
  struct Bounds {
    /// So many are wanted.
    var needed: Int
    /// So many are counted.
    var most: Int
    /// If there are no more than these, their texts say which is the best.
    var texts: Int
  }

  func find(_ query: SearchQuery, _ kind: SearchKind, _ bounds: Bounds) throws(StoreError) -> Found {
    switch kind {
    case .track:
      var since: Int64?
      if let age = query.age {
        since = try firstTrack(since: WallTime.now.nanoseconds - age.nanoseconds)
        if since == nil { return Found() }
      }
      return query.asksForRegard
        ? try find(query, .lovedTracks, loved: nil, since: since, bounds)
        : try find(query, .tracks, loved: .lovedTracks, since: since, bounds)
    case .album: return try find(query, .albums, loved: nil, since: nil, bounds)
    case .artist: return try find(query, .artists, loved: nil, since: nil, bounds)
    }
  }

  private func find(
    _ query: SearchQuery, _ table: SearchTable, loved: SearchTable?, since: Int64?, _ bounds: Bounds
  ) throws(StoreError) -> Found {
    if query.age != nil, since == nil { return Found() }
    guard let plan = SearchPlan(query, table, regard: table.name == SearchTable.lovedTracks.name) else {
      guard query.age != nil, query.terms.isEmpty, !query.asksForRegard, let since else { return Found() }
      return try newest(since, most: bounds.most)
    }
    var ids = try match(plan.all, table, since, limit: bounds.most + 1)
    let isTotalExact = ids.count <= bounds.most
    if ids.count > bounds.most { ids.removeLast() }
    if isTotalExact, ids.count <= bounds.texts {
      if let unfinished = plan.unfinished, ids.count < Self.mostOfTier {
        let known = Set(ids)
        ids += try match(unfinished, table, since, limit: bounds.texts).filter { !known.contains($0) }
      }
      let ranking = SearchRanking(query, table, tokenizer)
      return Found(items: try rank(ids, ranking, table), total: ids.count, isTotalExact: true)
    }
    return Found(
      items: try tiers(query, plan, ids, table, loved, since, bounds.needed), total: ids.count,
      isTotalExact: isTotalExact)
  }

  /// Of much, the best `needed`: of each tier first what the user thinks something of.
  private func tiers(
    _ query: SearchQuery, _ plan: SearchPlan, _ all: [Int64], _ table: SearchTable, _ loved: SearchTable?,
    _ since: Int64?, _ needed: Int
  ) throws(StoreError) -> [Item] {
    let ranking = SearchRanking(query, table, tokenizer)
    var result: [Item] = []
    var seen: Set<Int64> = []
    seen.reserveCapacity(min(needed, all.count))
    for (tier, expression) in plan.best + [(.unfinished, plan.all)] {
      var ids: [Int64] = []
      if let loved { ids = try matchLoved(expression, loved, since) }
      if tier == .unfinished {
        ids += all
      } else {
        // Some of them are in the tiers before.
        ids += try match(expression, table, since, limit: needed + seen.count)
      }
      // The same part of the tier for every page, so that pages fit together.
      if loved == nil {
        let first = try rank(Array(ids.prefix(Self.mostOfTier)), ranking, table).map(\.id)
        ids.replaceSubrange(..<min(ids.count, Self.mostOfTier), with: first)
      }
      for id in ids where seen.insert(id).inserted { result.append(Item(id: id, tier: tier)) }
      if result.count >= needed { break }
    }
    return result
  }

  /// In the order of their numbers.
  private func match(
    _ expression: String, _ table: SearchTable, _ since: Int64?, limit: Int
  ) throws(StoreError) -> [Int64] {
    let statement = try connection.statement(
      "SELECT rowid FROM \(table.name) WHERE \(table.name) MATCH ?1 AND rowid >= ?2 ORDER BY rowid LIMIT ?3")
    statement.bind(1, expression)
    statement.bind(2, since ?? 0)
    statement.bind(3, Int64(limit))
    defer { statement.reset() }
    return try statement.integers()
  }

  /// Of those that match, the ones that the user thinks most of.
  private func matchLoved(_ expression: String, _ table: SearchTable, _ since: Int64?) throws(StoreError) -> [Int64] {
    let statement = try connection.statement(
      """
      SELECT id FROM (
        SELECT rowid AS found FROM \(table.name) WHERE \(table.name) MATCH ?1 AND rowid >= ?2 LIMIT \(Self.mostLoved)
      ) JOIN loved ON id = found ORDER BY score DESC, id LIMIT \(Self.mostLovedFirst)
      """)
    statement.bind(1, expression)
    statement.bind(2, since ?? 0)
    defer { statement.reset() }
    return try statement.integers()
  }

  private func rank(
    _ ids: [Int64], _ ranking: SearchRanking, _ table: SearchTable
  ) throws(StoreError) -> [Item] {
    let texts = try connection.statement(table.texts)
    defer { texts.reset() }
    var ranked: [(id: Int64, rank: SearchRanking.Rank)] = []
    ranked.reserveCapacity(ids.count)
    for id in ids {
      texts.reset()
      texts.bind(1, id)
      guard try texts.step() else { continue }
      ranked.append((id, ranking.rank(texts)))
    }
    ranked.sort { $0.rank < $1.rank || (!($1.rank < $0.rank) && $0.id < $1.id) }
    return ranked.map { Item(id: $0.id, tier: $0.rank.tier) }
  }

  /// The first track that was found since; the numbers of tracks grow with the time at which they were found.
  private func firstTrack(since time: Int64) throws(StoreError) -> Int64? {
    let statement = try connection.statement("SELECT id FROM track WHERE added >= ?1 ORDER BY added, id LIMIT 1")
    statement.bind(1, time)
    defer { statement.reset() }
    return try statement.step() ? statement.integer(0) : nil
  }

  /// Tracks from a number on, the latest first.
  private func newest(_ first: Int64, most: Int) throws(StoreError) -> Found {
    let statement = try connection.statement("SELECT id FROM track WHERE id >= ?1 ORDER BY id DESC LIMIT ?2")
    statement.bind(1, first)
    statement.bind(2, Int64(most + 1))
    defer { statement.reset() }
    let ids = try statement.integers()
    let found = min(ids.count, most)
    return Found(
      items: ids.prefix(most).map { Item(id: $0, tier: .unfinished) }, total: found, isTotalExact: ids.count <= most)
  }
}
