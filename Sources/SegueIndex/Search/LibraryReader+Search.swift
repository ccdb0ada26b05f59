// On the thread of its connection only.

public import SegueSQLite
public import SegueWire

extension LibraryReader {
  /// The number of bytes of a query that are read.
  public static let maximumQueryLength = SearchQuery.maximumLength

  /// Returns a page of the results of `query`, the best first. `segue(1)` describes queries. Every query is valid. At most
  /// 5,000 results are found, sometimes fewer in very large libraries (`SearchReader.Limits`). The order by title applies
  /// to these results.
  public func search(
    _ query: String, _ kind: SearchKind, by sort: SearchSort = .best, _ page: PageRequest
  ) throws(StoreError) -> SearchPage {
    guard sort == .title else { return try search.search(query, kind, offset: page.offset, limit: page.limit) }
    var found = try search.search(query, kind, offset: 0, limit: SearchReader.maximumHits)
    found.ids = Array(try sorted(found.ids, kind).dropFirst(page.offset).prefix(page.limit))
    return found
  }

  private func sorted(_ ids: [Int64], _ kind: SearchKind) throws(StoreError) -> [Int64] {
    let row =
      switch kind {
      case .track: try connection.statement("SELECT title_key FROM track WHERE id = ?")
      case .album: try connection.statement("SELECT title_key FROM album WHERE id = ?")
      case .artist: try connection.statement("SELECT sort_key FROM artist WHERE id = ?")
      }
    var keyed: [(key: [UInt8], id: Int64)] = []
    keyed.reserveCapacity(ids.count)
    for id in ids {
      row.bind(1, id)
      keyed.append((try row.step() ? row.blob(0) : [], id))
      row.reset()
    }
    keyed.sort { $0.key == $1.key ? $0.id < $1.id : $0.key.lexicographicallyPrecedes($1.key) }
    return keyed.map(\.id)
  }

  /// Returns completions of a partial query, at most `limit` (0…100).
  public func suggest(_ prefix: String, limit: Int) throws(StoreError) -> [SearchSuggestion] {
    try search.suggest(prefix, limit: min(max(limit, 0), 100))
  }
}
