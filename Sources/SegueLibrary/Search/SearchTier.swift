/// A coarse rank of search results, the best first.
enum SearchTier: Int, CaseIterable {
  /// The title equals the query.
  case exact
  /// The title begins with the query.
  case beginning
  /// The title contains all words.
  case title
  /// All words occur in some column.
  case words
  /// Some words are only prefixes of words.
  case unfinished
}
