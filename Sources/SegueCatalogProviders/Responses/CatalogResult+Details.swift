public import SegueSystem
public import SegueWire

/// Results of queries for details: the item is the first entry, and the items that belong to it follow.
extension CatalogResult {
  /// Returns the result with the item as the first entry, whether a provider has listed it first or not. Throws
  /// `not_found` if there is no such item.
  func details(of uri: CatalogItemURI, from provider: some CatalogProvider) throws(Failure) -> CatalogResult {
    guard let entry = entries.first(where: { $0.item.uri == uri.uri }) else {
      throw Failure(.notFound, "\(uri.uri): \(provider.title) has no such item")
    }
    let others = entries.filter { $0.item.uri != uri.uri }
    return CatalogResult([entry] + others, total: 1 + others.count)
  }

  /// The entries of the items that belong to the first one.
  public var contents: ArraySlice<CatalogEntry> { entries.dropFirst() }

  /// Returns the page of an item for clients.
  /// - Parameters:
  ///   - page: The part of the contents that is wanted.
  ///   - age: The time since the response was received; nil if it was received for this query.
  ///   - isStale: Whether the result is outdated and the provider could not be reached.
  public func details(
    _ page: PageRequest, attribution: String?, age: MediaTime? = nil, isStale: Bool = false
  ) -> CatalogDetails? {
    guard let item = entries.first?.item else { return nil }
    let contents = contents
    return CatalogDetails(
      item: item, contents: contents.dropFirst(page.offset).prefix(page.limit).map(\.item), total: contents.count,
      offset: page.offset, limit: page.limit, attribution: attribution, stale: isStale, age: age)
  }
}
