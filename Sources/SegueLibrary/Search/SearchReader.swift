// Thread: the connection's.

internal import SegueSQLite
internal import SegueSystem
public import SegueWire

/// The search for tracks, albums and artists by words.
///
/// One pass through the matching rows finds all hits with their ranks. If more rows match than can be returned, further
/// queries look for the best hits among the rest.
final class SearchReader {
  unowned let connection: SQLiteConnection
  let tokenizer: SearchTokenizer
  let rankFunction: FTSAuxiliaryFunction
  private var genreVocabulary = GenreVocabulary()

  /// The maximum number of hits.
  static let maximumHits = 5_000

  /// Adds the tokenizer and the rank function to `connection`. A connection without them cannot use the search tables.
  init(_ connection: SQLiteConnection) throws(StoreError) {
    self.connection = connection
    tokenizer = try connection.addSearchTokenizer()
    rankFunction = try connection.addAuxiliaryFunction()
  }

  /// Returns a page of the results of a query, the best first. Every text is a valid query.
  func search(_ query: String, _ kind: LibraryKind, offset: Int, limit: Int) throws(StoreError) -> SearchPage {
    let first = min(max(0, offset), Self.maximumHits)
    let limits = Limits(
      hits: Self.maximumHits, goodHits: 200, page: first..<first + min(max(0, limit), Self.maximumHits), chunkSize: 128)
    var found = try find(SearchQuery(query, tokenizer), kind, limits)
    var correction: String?
    if found.items.isEmpty, let (other, text) = try correct(query, SearchQuery(query, tokenizer)) {
      found = try find(other, kind, limits)
      if !found.items.isEmpty { correction = text }
    }
    let page = found.items.prefix(found.total).dropFirst(limits.page.lowerBound).prefix(limits.page.count)
    return SearchPage(
      ids: page.map(\.id), total: found.total, isTotalExact: found.isTotalExact, correction: correction)
  }

  /// Returns whether a query has words without a field, by which matches are ranked.
  func hasWords(_ query: String) -> Bool { !SearchQuery(query, tokenizer).freeWords.isEmpty }

  /// Adds the completions of words with the field `genre`, if they are known.
  func addGenreCompletions(to query: inout SearchQuery) throws(StoreError) {
    try query.completeGenres { word throws(StoreError) in
      try genreVocabulary.completions(of: word, connection, tokenizer)
    }
  }

  /// The limits of the work for a query.
  struct Limits {
    /// The maximum number of hits.
    var hits: Int
    /// If there are more hits than `hits`, and fewer than this number have a good rank, better ones are looked for.
    var goodHits: Int
    /// The range of the hits that are returned.
    var page: Range<Int>
    /// The number of hits that are sorted at once by all criteria.
    var chunkSize: Int
    /// The number of good hits after which other rows are only checked for exact matches. It covers all chunks up to
    /// the end of the page, and is not less than `goodHits`.
    var rankedHits: Int { max(goodHits, (page.upperBound + chunkSize - 1) / chunkSize * chunkSize) }
    /// The number of ids that are searched at first for a wide query (`SearchPlan.isWide`). If `enoughHits` are found
    /// among them, the search ends.
    var idSpan: Int64 = 100_000
    var enoughHits = 200
    /// The number of rows whose years are checked.
    var rowsCheckedForYear = 2_000
  }
}

/// A page of search results.
public struct SearchPage: Equatable, Sendable {
  /// The ids of tracks, albums or artists.
  public var ids: [Int64]
  /// The number of results.
  public var total: Int
  /// Whether `total` is exact. If not, there are more results, which are not accessible.
  public var isTotalExact: Bool
  /// The corrected query that was searched for, because the original query has no results.
  public var correction: String?
}

/// A completion of a partial query.
public struct SearchSuggestion: Equatable, Sendable {
  /// A title, or the name of an artist.
  public var text: String
  public var kind: LibraryKind
  public var id: Int64
}
