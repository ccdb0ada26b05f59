public import SegueWire

/// The providers, preferred ones first.
public struct CatalogProviders: Sendable {
  public let all: [any CatalogProvider]

  public init(_ configuration: CatalogConfiguration = CatalogConfiguration()) {
    all = [TMDbProvider(configuration), ITunesProvider(configuration), RadioBrowserProvider(configuration)]
  }

  /// The settings of the base URLs of all providers, in the order of the schemes.
  public var baseURLs: [BaseURLSetting] {
    CatalogItemURI.Scheme.allCases.flatMap { scheme in all.filter { $0.scheme == scheme }.flatMap(\.baseURLs) }
  }

  /// Returns the provider with a stable name; nil if there is none.
  public subscript(name: String) -> (any CatalogProvider)? { all.first { $0.name == name } }

  /// Returns the provider of an item.
  public subscript(uri: CatalogItemURI) -> (any CatalogProvider)? { all.first { $0.scheme == uri.scheme } }

  /// Returns the provider that answers a query if the user names none: the first one that supports it and can be used,
  /// so that films and people come from TMDb if it has a token. If the query names a genre, a provider that has it is
  /// preferred. Throws the reason if there is none.
  public func provider(for subject: CatalogQuery.Subject) throws(Failure) -> any CatalogProvider {
    let supporting = all.filter { $0.supports(subject) }
    var candidates = supporting
    if case .popular(let kind, let genre?) = subject {
      let named = supporting.filter { (try? $0.genre(genre, of: kind)) != nil }
      if !named.isEmpty { candidates = named }
    }
    if let provider = candidates.first(where: { $0.failure == nil }) { return provider }
    throw candidates.first?.failure ?? Failure(.invalidParams, "no catalogue can \(subject.wording)")
  }
}
