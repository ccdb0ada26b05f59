/// A query as FTS5 is asked it about one table.
struct SearchPlan {
  /// All words, the last one perhaps unfinished; or the whole title.
  let all: FTSQuery
  /// The same with every word unfinished, which says nothing of the rank: `SearchTier.unfinished` is what `all` has not
  /// found; nil if that is no difference.
  let unfinished: FTSQuery?
  /// What of `all` has the whole title, and what has all words in the title; nil if there are no words of no field, of
  /// which the title may be made.
  let whole: FTSQuery?
  let inTitle: FTSQuery?
  /// Whether it asks for several things, and one of them a great part of all tracks may have: a letter, a genre, a
  /// format. `isNarrowedLittle`: one of the latter two, which `whole` has, too.
  let isWide: Bool
  let isNarrowedLittle: Bool

  /// nil if nothing in `table` can match. `regard`: whether the facts of the table tell what the user thinks.
  init?(_ query: SearchQuery, _ table: SearchTable, regard: Bool) {
    guard regard || !query.requiresAffinity else { return nil }
    let free = query.freeWords
    guard let narrowing = Self.narrowing(query, table), !free.isEmpty || !narrowing.isEmpty else { return nil }
    let isSeveral = free.count + narrowing.count > 1
    isNarrowedLittle = isSeveral && (!query.formats.isEmpty || query.terms.contains { $0.field == .genre })
    isWide = isNarrowedLittle || isSeveral && query.terms.contains(where: \.word.isLetter)
    let excluded = query.excluded.compactMap { term -> SearchExpression? in
      let word = SearchExpression.word(term.word, isPrefix: false, term: nil)
      guard let field = term.field else { return word }
      return table.column(field).map { .within($0, word) }
    }

    /// `words`, the fields and the filters, without what is excluded.
    func match(_ words: [SearchExpression]) -> FTSQuery {
      let parts = SearchExpression.all(words + narrowing)
      return FTSQuery(excluded.isEmpty ? parts : .but(parts, not: .any(excluded)))
    }
    func words(isRanked: Bool, _ isPrefix: (Int) -> Bool) -> SearchExpression {
      let terms = free.enumerated().map { (word: $1, number: $0, isPrefix: isPrefix($0) && !$1.isPhrase) }
      // The longer a word, the fewer texts have it.
      let rarestFirst = terms.sorted { $0.word.length - ($0.isPrefix ? 2 : 0) > $1.word.length - ($1.isPrefix ? 2 : 0) }
      return .all(rarestFirst.map { .word($0.word, isPrefix: $0.isPrefix, term: isRanked ? $0.number : nil) })
    }
    guard !free.isEmpty else {
      all = match([])
      (unfinished, whole, inTitle) = (nil, nil, nil)
      return
    }
    let wholes = (query.wholes ?? []).map { SearchExpression.phrase([[$0]], isPrefix: false, .whole) }
    let title: [SearchExpression] = wholes.isEmpty ? [] : [.within(table.title, .any(wholes))]
    let asTyped = words(isRanked: true) { $0 == free.count - 1 }
    all = match([.any([asTyped] + title)])
    unfinished = free.count > 1 ? match([words(isRanked: false) { _ in true }]) : nil
    whole = title.isEmpty ? nil : match(title)
    inTitle = match([.within(table.title, .any([asTyped] + wholes))])
  }

  /// Fields and filters; those that most let more through go last, which FTS5 is faster with. nil if there is nothing of
  /// the kind in the table.
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
    if table.columns.count == 1, !facts.isEmpty || !years.isEmpty { return nil }
    return fields + facts + genres + years
  }
}
