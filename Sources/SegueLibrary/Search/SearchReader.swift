// On the thread of its connection only.

internal import SegueSystem

/// Finds tracks, albums and artists by their words.
///
/// One walk through what matches finds all, with their ranks. Where more match than can be had, what fits best is looked
/// for in what that left.
final class SearchReader {
  unowned let connection: SQLiteConnection
  let tokenizer: SearchTokenizer
  let matched: FTSAuxiliaryFunction
  var genres = GenreVocabulary()

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
    let first = min(max(0, offset), Self.most)
    let bounds = Bounds(most: Self.most, good: 200, page: first..<first + min(max(0, limit), Self.most), portion: 128)
    var found = try find(SearchQuery(query, tokenizer), kind, bounds)
    var correction: String?
    if found.items.isEmpty, let (other, text) = try correct(query, SearchQuery(query, tokenizer)) {
      found = try find(other, kind, bounds)
      if !found.items.isEmpty { correction = text }
    }
    let page = found.items.prefix(found.total).dropFirst(bounds.page.lowerBound).prefix(bounds.page.count)
    return SearchPage(
      ids: page.map(\.id), total: found.total, isTotalExact: found.isTotalExact, correction: correction)
  }

  /// What is done for a query at most.
  struct Bounds {
    /// So many are found.
    var most: Int
    /// If there are more, and of those found fewer than these are of the best tiers, better ones are looked for.
    var good: Int
    /// What of it is shown.
    var page: Range<Int>
    /// So many are put in order at once by all that is known of them.
    var portion: Int
    /// Once so many have the best ranks there is no need to know more of the others than whether they are exactly what
    /// was asked: of all portions that are shown, and all that would keep better ones from being looked for.
    var ranked: Int { max(good, (page.upperBound + portion - 1) / portion * portion) }
    /// Where so much fits that finding what fits all would take too long, no more than the numbers of so many tracks are
    /// walked through, once so many are found.
    var span: Int64 = 100_000
    var enough = 200
    /// So many rows are asked for their year.
    var lookedInto = 2_000
  }
}
