// On the thread "search" only.

extension LibraryReader {
  /// What the words of `query` and its filters find, the best first: see `segue(1)` for what a query can say. No query is
  /// wrong. Nothing beyond 5,000 finds can be had.
  public func search(_ query: String, _ kind: SearchKind, _ page: PageRequest) throws(StoreError) -> SearchPage {
    try search.search(query, kind, offset: page.offset, limit: page.limit)
  }

  /// What may be meant by what was typed so far, at most `limit` (0…100).
  public func suggest(_ prefix: String, limit: Int) throws(StoreError) -> [SearchSuggestion] {
    try search.suggest(prefix, limit: min(max(limit, 0), 100))
  }
}
