public import SegueCatalogProviders
public import SegueSystem
public import SegueWire
package import SegueWorkerProtocol

/// The answer to a query.
public struct CatalogAnswer: Sendable {
  public let result: CatalogResult
  public let provider: any CatalogProvider
  /// The time since the response was received; nil if it was received for this query.
  public let age: MediaTime?
  /// Whether the result is outdated and the provider could not be reached.
  public let isStale: Bool
  /// The scope of the server that sent the response.
  package let scope: AddressScope

  /// Returns a page for clients. `favorites` has the URIs of favorites.
  public func page(_ request: PageRequest, favorites: Set<String>) -> CatalogPage {
    var page = result.page(request, of: provider, age: age, isStale: isStale)
    page.items = page.items.map { $0.marked(in: favorites) }
    return page
  }

  /// Returns the details of the first item for clients. `favorites` has the URIs of favorites. Throws `not_found` if
  /// there is no item.
  public func details(_ request: PageRequest, favorites: Set<String>) throws(Failure) -> CatalogDetails {
    guard
      var details = result.details(request, attribution: provider.attribution, age: age, isStale: isStale)
    else { throw Failure(.notFound, "\(provider.title) has no such item") }
    details.item = details.item.marked(in: favorites)
    details.contents = details.contents.map { $0.marked(in: favorites) }
    return details
  }
}

extension CatalogItem {
  fileprivate func marked(in favorites: Set<String>) -> CatalogItem {
    var item = self
    item.favorite = favorites.contains(uri)
    return item
  }
}
