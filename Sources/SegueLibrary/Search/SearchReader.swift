// On the thread of its connection only.

internal import SegueSystem

/// Finds tracks, albums and artists by their words.
///
/// One walk through what matches finds all, with their ranks. Where more match than can be had, what fits best is looked
/// for in what that left.
final class SearchReader {
  unowned let connection: SQLiteConnection
  let tokenizer: SearchTokenizer
  let matched: MatchFunction

  /// No more than so many are found.
  static let most = 5_000

  /// Teaches `connection` the words: before anything on it touches the tables of the search.
  init(_ connection: SQLiteConnection) throws(StoreError) {
    self.connection = connection
    tokenizer = try connection.addSearchTokenizer()
    matched = try connection.addMatchFunction()
  }

  /// The best first. No query is wrong: what means nothing is searched for as words.
  func search(_ query: String, _ kind: SearchKind, offset: Int, limit: Int) throws(StoreError) -> SearchPage {
    var bounds = Bounds(most: Self.most, good: 200, ordered: 400)
    if offset >= bounds.ordered { bounds.ordered = 0 }
    var found = try find(SearchQuery(query, tokenizer), kind, bounds)
    var correction: String?
    if found.items.isEmpty, let (other, text) = try correct(query, SearchQuery(query, tokenizer)) {
      found = try find(other, kind, bounds)
      if !found.items.isEmpty { correction = text }
    }
    let page = found.items.prefix(found.total).dropFirst(max(0, offset)).prefix(max(0, limit))
    return SearchPage(
      ids: page.map(\.id), total: found.total, isTotalExact: found.isTotalExact, correction: correction)
  }

  /// What is done for a query at most.
  struct Bounds {
    /// So many are found.
    var most: Int
    /// If there are more, and of those found fewer than these are of the best tiers, better ones are looked for.
    var good: Int
    /// So many of the best are put in order by all that is known of them, the others by rank and by what the user
    /// thinks.
    var ordered: Int
  }
}
