/// The FTS5 queries for a search in one table.
struct SearchPlan {
  /// All words, of which the last one may be unfinished, or the whole title.
  let all: FTSQuery
  /// The same with every word unfinished, without ranking: rows that `all` has not found get `SearchTier.unfinished`.
  /// It is nil if there is no difference.
  let unfinished: FTSQuery?
  /// The subset of `all` in which the whole title matches; nil if no words are without a field.
  let wholeTitle: FTSQuery?
  /// The subset of `all` in which all words are in the title; nil if no words are without a field.
  let inTitle: FTSQuery?
  /// Whether the query has several conditions, one of which may match a great part of all tracks: a single letter, a
  /// genre or a format.
  let isWide: Bool
  /// Whether the wide condition is a genre or a format, which `wholeTitle` contains, too.
  let isWholeTitleWide: Bool

  /// Returns nil if no row of `table` can match. `hasAffinity` tells whether the facts of the table contain the
  /// affinity.
  init?(_ query: SearchQuery, _ table: SearchTable, hasAffinity: Bool) {
    guard hasAffinity || !query.requiresAffinity else { return nil }
    let free = query.freeWords
    guard let narrowing = Self.narrowing(query, table), !free.isEmpty || !narrowing.isEmpty else { return nil }
    let hasSeveralConditions = free.count + narrowing.count > 1
    isWholeTitleWide = hasSeveralConditions && (!query.formats.isEmpty || query.terms.contains { $0.field == .genre })
    isWide = isWholeTitleWide || hasSeveralConditions && query.terms.contains(where: \.word.isSingleLetter)
    let excluded = query.excluded.compactMap { term -> SearchExpression? in
      guard let field = term.field else {
        return .word(term.word, isPrefix: false, term: nil, findsYear: table.hasFacts)
      }
      return table.column(field).map { .within($0, .word(term.word, isPrefix: false, term: nil)) }
    }

    /// Returns a query for `words`, the fields and the filters, without excluded words.
    func match(_ words: [SearchExpression]) -> FTSQuery {
      let parts = SearchExpression.all(words + narrowing)
      return FTSQuery(
        excluded.isEmpty ? parts : .but(parts, not: .any(excluded)), creditColumns: table.creditColumns)
    }
    func words(isRanked: Bool, _ isPrefix: (Int) -> Bool) -> SearchExpression {
      let terms = free.enumerated().map { (word: $1, number: $0, isPrefix: isPrefix($0) && !$1.isPhrase) }
      // The longer a word is, the fewer texts contain it.
      let rarestFirst = terms.sorted { $0.word.length - ($0.isPrefix ? 2 : 0) > $1.word.length - ($1.isPrefix ? 2 : 0) }
      return .all(
        rarestFirst.map {
          .word($0.word, isPrefix: $0.isPrefix, term: isRanked ? $0.number : nil, findsYear: table.hasFacts)
        })
    }
    guard !free.isEmpty else {
      all = match([])
      (unfinished, wholeTitle, inTitle) = (nil, nil, nil)
      return
    }
    let wholeTitles = (query.wholeTitles ?? []).map { SearchExpression.phrase([[$0]], isPrefix: false, .wholeTitle) }
    let title: [SearchExpression] = wholeTitles.isEmpty ? [] : [.within(table.title, .any(wholeTitles))]
    let asTyped = words(isRanked: true) { $0 == free.count - 1 }
    all = match([.any([asTyped] + title)])
    unfinished = free.count > 1 ? match([words(isRanked: false) { _ in true }]) : nil
    wholeTitle = title.isEmpty ? nil : match(title)
    inTitle = match([.within(table.title, .any([asTyped] + wholeTitles))])
  }

  /// Returns the conditions of fields and filters, or nil if the table has none of these fields. The conditions that
  /// match the most rows come last, which is faster in FTS5.
  private static func narrowing(_ query: SearchQuery, _ table: SearchTable) -> [SearchExpression]? {
    let isRanked = query.freeWords.isEmpty
    var fields: [SearchExpression] = []
    var genres: [SearchExpression] = []
    for (number, term) in query.terms.enumerated() {
      guard let field = term.field else { continue }
      guard let column = table.column(field) else { return nil }
      let number = isRanked ? number : nil
      let word =
        term.completions.map { SearchExpression.word(term.word, completions: $0, term: number) }
        ?? .word(term.word, isPrefix: !term.word.isPhrase, term: number)
      if field == .genre { genres.append(.within(column, word)) } else { fields.append(.within(column, word)) }
    }
    var facts: [SearchExpression] = []
    if query.isFavorite { facts.append(.fact(SearchText.favoriteFact)) }
    if let ratings = query.ratings { facts.append(.any(ratings.map { .fact(SearchText.fact(rating: $0)) })) }
    if !query.formats.isEmpty { facts.append(.any(query.formats.map { .fact($0) })) }
    let years = query.years.map { [SearchExpression.years($0)] } ?? []
    if !table.hasFacts, !facts.isEmpty || !years.isEmpty { return nil }
    return fields + facts + genres + years
  }
}
