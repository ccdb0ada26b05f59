/// What is searched for.
public enum SearchKind: String, Sendable, CaseIterable {
  case track, album, artist
}

/// A part of what was found.
public struct SearchPage: Equatable, Sendable {
  /// Numbers of tracks, albums or artists, as was asked.
  public var ids: [Int64]
  /// How many were found.
  public var total: Int
  /// False: at least so many. Then nothing beyond can be had.
  public var isTotalExact: Bool
  /// The query that was searched for instead, because nothing matches what was asked.
  public var correction: String?
}

/// What may be meant by what was typed so far.
public struct SearchSuggestion: Equatable, Sendable {
  /// A title, or an artist's name.
  public var text: String
  public var kind: SearchKind
  public var id: Int64
}
