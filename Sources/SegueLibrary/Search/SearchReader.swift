// On the thread of its connection only.

internal import SegueSystem

/// Finds tracks, albums and artists by their words.
///
/// A query that finds little is answered by looking at every text that was found. One that finds much is answered in tiers,
/// the best first, and each no further than the page that is asked for.
final class SearchReader {
  unowned let connection: SQLiteConnection
  let tokenizer: SearchTokenizer

  /// No more than so many are found.
  static let most = 5_000
  /// So many texts are looked at.
  static let mostTexts = 200
  /// So many of a tier, where nobody tells what the user thinks.
  static let mostOfTier = 50

  /// Teaches `connection` the words: before anything on it touches the tables of the search.
  init(_ connection: SQLiteConnection) throws(StoreError) {
    self.connection = connection
    tokenizer = try connection.addSearchTokenizer()
  }

  /// The best first. No query is wrong: what means nothing is searched for as words.
  func search(_ query: String, _ kind: SearchKind, offset: Int, limit: Int) throws(StoreError) -> SearchPage {
    let needed = max(0, min(offset, Self.most)) + max(0, min(limit, Self.most))
    var parsed = SearchQuery(query, tokenizer)
    var found = try find(parsed, kind, needed: needed, most: Self.most)
    var correction: String?
    if found.ids.isEmpty, let (other, text) = try correct(query, parsed) {
      parsed = other
      found = try find(parsed, kind, needed: needed, most: Self.most)
      if !found.ids.isEmpty { correction = text }
    }
    return SearchPage(
      ids: Array(found.ids.prefix(found.total).dropFirst(max(0, offset)).prefix(max(0, limit))), total: found.total,
      isTotalExact: found.isTotalExact, correction: correction)
  }

  struct Found {
    /// The best first: as many as are needed, or more.
    var ids: [Int64] = []
    var total = 0
    var isTotalExact = true
  }

  func find(_ query: SearchQuery, _ kind: SearchKind, needed: Int, most: Int) throws(StoreError) -> Found {
    switch kind {
    case .track:
      var since: Int64?
      if let age = query.age {
        since = try firstTrack(since: WallTime.now.nanoseconds - age.nanoseconds)
        if since == nil { return Found() }
      }
      return query.asksForRegard
        ? try find(query, .lovedTracks, loved: nil, since: since, needed: needed, most: most)
        : try find(query, .tracks, loved: .lovedTracks, since: since, needed: needed, most: most)
    case .album: return try find(query, .albums, loved: nil, since: nil, needed: needed, most: most)
    case .artist: return try find(query, .artists, loved: nil, since: nil, needed: needed, most: most)
    }
  }

  private func find(
    _ query: SearchQuery, _ table: SearchTable, loved: SearchTable?, since: Int64?, needed: Int, most: Int
  ) throws(StoreError) -> Found {
    if query.age != nil, since == nil { return Found() }
    guard let plan = SearchPlan(query, table, regard: table.name == SearchTable.lovedTracks.name) else {
      guard query.age != nil, query.terms.isEmpty, !query.asksForRegard, let since else { return Found() }
      return try newest(since, most: most)
    }
    var ids = try match(plan.all, table, since, limit: most + 1)
    let isTotalExact = ids.count <= most
    if ids.count > most { ids.removeLast() }
    if isTotalExact, ids.count <= Self.mostTexts {
      if let unfinished = plan.unfinished, ids.count < 50 {
        let known = Set(ids)
        ids += try match(unfinished, table, since, limit: Self.mostTexts).filter { !known.contains($0) }
      }
      let ranking = SearchRanking(query, table, tokenizer)
      return Found(ids: try rank(ids, ranking, table).map(\.id), total: ids.count, isTotalExact: true)
    }
    return Found(
      ids: try tiers(query, plan, ids, table, loved, since, needed), total: ids.count, isTotalExact: isTotalExact)
  }

  /// Of much, the best `needed`: of each tier first what the user thinks something of.
  private func tiers(
    _ query: SearchQuery, _ plan: SearchPlan, _ all: [Int64], _ table: SearchTable, _ loved: SearchTable?,
    _ since: Int64?, _ needed: Int
  ) throws(StoreError) -> [Int64] {
    let ranking = SearchRanking(query, table, tokenizer)
    var favorites: [(id: Int64, rank: SearchRanking.Rank)] = []
    if let loved { favorites = try rank(try matchLoved(plan.all, loved, since), ranking, table) }
    var result: [Int64] = []
    var seen: Set<Int64> = []
    for (tier, expression) in plan.best + [(.unfinished, "")] {
      let isLast = tier == .unfinished
      for favorite in favorites where favorite.rank.tier <= tier {
        if seen.insert(favorite.id).inserted { result.append(favorite.id) }
      }
      if result.count >= needed { break }
      let limit = max(needed + favorites.count, Self.mostOfTier)
      var ids = isLast ? all : try match(expression, table, since, limit: limit)
      // The same part of the tier for every page, so that pages fit together.
      if loved == nil {
        let first = try rank(Array(ids.prefix(Self.mostOfTier)), ranking, table).map(\.id)
        ids.replaceSubrange(..<min(ids.count, Self.mostOfTier), with: first)
      }
      for id in ids where seen.insert(id).inserted { result.append(id) }
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
      SELECT id FROM \(table.name) JOIN loved ON id = \(table.name).rowid
      WHERE \(table.name) MATCH ?1 AND \(table.name).rowid >= ?2 ORDER BY score DESC, id LIMIT \(Self.mostTexts)
      """)
    statement.bind(1, expression)
    statement.bind(2, since ?? 0)
    defer { statement.reset() }
    return try statement.integers()
  }

  private func rank(
    _ ids: [Int64], _ ranking: SearchRanking, _ table: SearchTable
  ) throws(StoreError) -> [(id: Int64, rank: SearchRanking.Rank)] {
    let texts = try connection.statement(table.texts)
    defer { texts.reset() }
    var ranked: [(id: Int64, rank: SearchRanking.Rank)] = []
    ranked.reserveCapacity(ids.count)
    for id in ids {
      texts.reset()
      texts.bind(1, id)
      guard try texts.step() else { continue }
      ranked.append((id, ranking.rank(texts, columns: table.columns.count)))
    }
    ranked.sort { $0.rank < $1.rank || (!($1.rank < $0.rank) && $0.id < $1.id) }
    return ranked
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
    return Found(ids: Array(ids.prefix(most)), total: found, isTotalExact: ids.count <= most)
  }
}
