// Thread: the connection's.

public import SegueSQLite
public import SegueWire

extension LibraryReader {
  /// The number of bytes of a query that are read.
  public static let maximumQueryLength = SearchQuery.maximumLength

  /// Returns a page of the results of `query`, the best first. `segue(1)` describes queries. Every query is valid. At
  /// most 5,000 results are found, sometimes fewer in very large libraries (`SearchReader.Limits`). The other orders
  /// apply to these results.
  public func search(
    _ query: String, _ kind: LibraryKind, _ page: PageRequest, by sort: SearchSort = .best,
    _ order: SortOrder = .ascending
  ) throws(StoreError) -> SearchPage {
    if sort == .best { return try search.search(query, kind, offset: page.offset, limit: page.limit) }
    var found = try search.search(query, kind, offset: 0, limit: SearchReader.maximumHits)
    found.ids = try sorted(found.ids, kind, by: sort, order, page)
    return found
  }

  /// Returns a page of the items with these ids in the order `sort`, which is not `best`.
  private func sorted(
    _ ids: [Int64], _ kind: LibraryKind, by sort: SearchSort, _ order: SortOrder, _ page: PageRequest
  ) throws(StoreError) -> [Int64] {
    switch kind {
    case .track: try FilterQuery(.tracks, ids, self).page(TrackSort(sort), order, page).ids
    case .album: try FilterQuery(.albums, ids, self).page(AlbumSort(sort), order, page).ids
    case .artist: try FilterQuery(.artists, ids, self).page(isRandom: sort == .random, order, page).ids
    }
  }

  /// Returns completions of a partial query, at most `limit` (0…100).
  public func suggest(_ prefix: String, limit: Int) throws(StoreError) -> [SearchSuggestion] {
    try search.suggest(prefix, limit: min(max(limit, 0), 100))
  }
}

extension TrackSort {
  /// The order of tracks for an order of search results.
  fileprivate init(_ sort: SearchSort) {
    self =
      switch sort {
      case .best, .title: .title
      case .artist: .artist
      case .album: .album
      case .year: .year
      case .added: .added
      case .rating: .rating
      case .random: .random
      }
  }
}

extension AlbumSort {
  /// The order of albums for an order of search results.
  fileprivate init(_ sort: SearchSort) {
    self =
      switch sort {
      case .best, .title, .album, .rating: .title
      case .artist: .artist
      case .year: .year
      case .added: .added
      case .random: .random
      }
  }
}
