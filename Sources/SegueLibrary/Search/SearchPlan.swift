/// A query as FTS5 is asked it about one table: from what the user may mean exactly to what he may mean at all.
struct SearchPlan {
  /// What is found by `all`, too, but ranked before the rest. Empty for filters alone.
  private(set) var best: [(tier: SearchTier, expression: String)] = []
  /// All words, the last one perhaps unfinished.
  private(set) var all: String
  /// The same with every word unfinished; nil if that is no difference.
  private(set) var unfinished: String?

  /// nil if nothing in `table` can match. `regard`: whether the facts of the table tell what the user thinks.
  init?(_ query: SearchQuery, _ table: SearchTable, regard: Bool) {
    guard regard || !query.asksForRegard else { return nil }
    var filters: [String] = []
    if let years = query.years { filters.append(SearchExpression.years(years)) }
    if !query.formats.isEmpty {
      filters.append("(" + query.formats.map { SearchExpression.fact($0) }.joined(separator: " OR ") + ")")
    }
    if let ratings = query.ratings {
      filters.append(
        "(" + ratings.map { SearchExpression.fact(SearchText.fact(rating: $0)) }.joined(separator: " OR ") + ")")
    }
    if query.isFavorite { filters.append(SearchExpression.fact(SearchText.favoriteFact)) }
    if table.columns.count == 1, !filters.isEmpty { return nil }

    var excluded: [String] = []
    for term in query.excluded {
      let word = SearchExpression.word(term.word, isPrefix: false)
      guard let field = term.field else {
        excluded.append(word)
        continue
      }
      if let column = table.column(field) { excluded.append(SearchExpression.within([column], word)) }
    }

    /// `words` and the filters, without what is excluded.
    func whole(_ words: [String]) -> String {
      let parts = (words + filters).map { "(\($0))" }
      let positive = parts.count == 1 ? parts[0] : "(" + parts.joined(separator: " AND ") + ")"
      return excluded.isEmpty ? positive : "\(positive) NOT (\(excluded.joined(separator: " OR ")))"
    }

    var fielded: [String] = []
    for term in query.terms {
      guard let field = term.field else { continue }
      guard let column = table.column(field) else { return nil }
      fielded.append(SearchExpression.within([column], SearchExpression.word(term.word, isPrefix: !term.word.isPhrase)))
    }
    let free = query.freeWords
    all = ""
    guard !free.isEmpty || !fielded.isEmpty || !filters.isEmpty else { return nil }
    func words(_ isPrefix: (Int) -> Bool) -> [String] {
      free.enumerated().map { SearchExpression.word($1, isPrefix: isPrefix($0) && !$1.isPhrase) }
    }
    all = whole(fielded + words { $0 == free.count - 1 })
    guard !free.isEmpty else { return }
    if free.count > 1 { unfinished = whole(fielded + words { _ in true }) }

    let title = [table.title]
    if let exact = query.wholes {
      best.append(
        (.exact, whole(fielded + [SearchExpression.within(title, SearchExpression.phrase([exact], isPrefix: false))])))
    }
    let isOpen = !(free.last?.isPhrase ?? true)
    let start = "^ " + SearchExpression.phrase(free.flatMap(\.places), isPrefix: isOpen)
    best.append((.beginning, whole(fielded + ["\(table.title) : \(start)"])))
    let complete = words { _ in false }
    if table.columns.count > 1 {
      best.append(
        (
          .title,
          whole(fielded + [SearchExpression.within(title, complete.map { "(\($0))" }.joined(separator: " AND "))])
        ))
    }
    best.append((.words, whole(fielded + complete)))
  }
}
