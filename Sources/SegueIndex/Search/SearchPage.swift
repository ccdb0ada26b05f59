public import SegueWire

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
