public import SegueWire

/// The addresses and tokens of the providers, which are settings.
public struct CatalogConfiguration: Hashable, Sendable {
  /// The iTunes Search API.
  public var iTunes = BaseURL(valid: "https://itunes.apple.com")
  /// The charts of iTunes.
  public var iTunesCharts = BaseURL(valid: "https://itunes.apple.com")
  public var tmdb = BaseURL(valid: "https://api.themoviedb.org/3")
  /// The pictures of TMDb.
  public var tmdbImages = BaseURL(valid: "https://image.tmdb.org/t/p")
  /// The read token of TMDb; nil if the user has none.
  public var tmdbToken: CatalogToken?
  /// Radio Browser. This name has the addresses of all its servers, of which libcurl tries another one if it cannot connect.
  public var radioBrowser = BaseURL(valid: "https://all.api.radio-browser.info")

  public init() {}
}

/// The providers, preferred ones first.
public struct CatalogProviders: Sendable {
  public let all: [any CatalogProvider]

  public init(_ configuration: CatalogConfiguration = CatalogConfiguration()) {
    all = [TMDbProvider(configuration), ITunesProvider(configuration), RadioBrowserProvider(configuration)]
  }

  /// Returns the provider with a stable name; nil if there is none.
  public subscript(name: String) -> (any CatalogProvider)? { all.first { $0.name == name } }

  /// Returns the provider of an item.
  public subscript(uri: CatalogItemURI) -> (any CatalogProvider)? { all.first { $0.scheme == uri.scheme } }

  /// Returns the provider that answers a query if the user names none: the first one that supports it and can be used, so
  /// that films and people come from TMDb if it has a token. If the query names a genre, a provider that has it is preferred.
  /// Throws the reason if there is none.
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
