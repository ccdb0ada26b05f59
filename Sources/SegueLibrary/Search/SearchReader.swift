// On the thread of its connection only.

/// Finds tracks, albums and artists by their words.
final class SearchReader {
  private unowned let connection: SQLiteConnection

  /// Teaches `connection` the words: before anything on it touches the tables of the search.
  init(_ connection: SQLiteConnection) throws(StoreError) {
    self.connection = connection
  }

  /// The best first. No query is wrong: what means nothing is searched for as words.
  func search(_ query: String, _ kind: SearchKind, offset: Int, limit: Int) throws(StoreError) -> SearchPage {
    SearchPage(ids: [], total: 0, isTotalExact: true, correction: nil)
  }

  /// What begins as `prefix` does, the best first, each text once.
  func suggest(_ prefix: String, limit: Int) throws(StoreError) -> [SearchSuggestion] { [] }
}

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
  public var kind: SearchKind
  public var id: Int64
}
