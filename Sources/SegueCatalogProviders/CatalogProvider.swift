public import SegueSystem
public import SegueWire

/// A provider of an online catalogue: it builds HTTP requests and parses responses, but does not send them.
///
/// A new provider is a folder of this module, a scheme of `CatalogItemURI`, and an element of `CatalogProviders`. Its
/// settings, the files and methods for its token, and what daemon and fetch process send each other follow from its
/// declarations. Sources/README.md, "A new provider", lists what else describes it.
public protocol CatalogProvider: Sendable {
  /// The stable name, which is the scheme of the URIs of its items.
  var scheme: CatalogItemURI.Scheme { get }
  /// The name for users.
  var title: String { get }
  /// The URL of the home page.
  var link: String { get }
  /// The attribution that the provider requires; nil if it requires none.
  var attribution: String? { get }
  /// The settings of the base URLs to which requests and pictures go, in the order in which users see them.
  var baseURLs: [BaseURLSetting] { get }
  /// Whether requests need a token of the user.
  var needsToken: Bool { get }
  /// The reason why the provider cannot be used, such as a missing token; nil if it can.
  var failure: Failure? { get }
  /// The kinds of items that can be searched for.
  var searchKinds: [CatalogItem.Kind] { get }
  /// The kinds of items whose most popular ones can be listed.
  var chartKinds: [CatalogItem.Kind] { get }
  /// Whether the country of a query selects a store. Otherwise it only limits the results to items of that country.
  var hasStores: Bool { get }
  /// Whether the addresses of streams expire, so that an outdated one is of no use.
  var addressesExpire: Bool { get }
  /// The rate of requests that the provider permits.
  var rateLimit: CatalogRateLimit { get }

  /// The maximum size of a picture in bytes, at most `CatalogFetchRequest.maximumPictureSize`.
  var maximumPictureSize: Int { get }

  /// Returns the genres by which the popular items of a kind can be limited; empty if they cannot.
  func genres(of kind: CatalogItem.Kind) -> [CatalogGenre]

  /// Returns whether the provider can answer a query.
  func supports(_ subject: CatalogQuery.Subject) -> Bool

  /// Returns the request that a query becomes. Throws `invalid_params` for a query that the provider does not support
  /// or whose country, language or genre is malformed or unknown; `query_too_short`, `too_large` or `out_of_range`; and
  /// `denied` if a token is missing.
  func request(for query: CatalogQuery) throws(Failure) -> CatalogRequest

  /// Returns the pages that the provider sends with one response each and that contain the page of a query together, in
  /// their order. There is at least one.
  func pages(of query: CatalogQuery) -> [PageRequest]

  /// Parses the response to the request for `query`. Throws the `Failure` that the response stands for: `bad_response`,
  /// `rate_limited`, `denied`, `not_found`, `offline`, `timeout` or `invalid_params`.
  ///
  /// The results for two queries are equal if both their requests and the kinds of their results
  /// (`CatalogQuery.Subject.resultKind`) are, so these can be the key of a cache of results.
  func result(of query: CatalogQuery, from response: CatalogResponse) throws(Failure) -> CatalogResult

  /// Returns the URL of a picture, given by the URL in an item, in a size. The provider may offer only similar sizes.
  func artURL(_ art: String, size: Art.Size) -> String
}

extension CatalogProvider {
  public var name: String { scheme.rawValue }

  public var needsToken: Bool { false }

  public var failure: Failure? { nil }

  public var hasStores: Bool { true }

  public var addressesExpire: Bool { true }

  public var maximumPictureSize: Int { CatalogFetchRequest.maximumPictureSize }

  public func pages(of query: CatalogQuery) -> [PageRequest] { [query.page] }

  public func artURL(_ art: String, size: Art.Size) -> String { art }

  public var info: CatalogProviderInfo {
    CatalogProviderInfo(
      name: name, title: title, kinds: searchKinds, charts: chartKinds, attribution: attribution, link: link,
      error: failure?.localizableMessage)
  }

  /// Returns the genre of a kind with an id or a name: the exact one, regardless of case, or the first whose name
  /// begins with the text, such as "Action & Adventure" for "action". Throws `not_found` if there is none.
  public func genre(_ text: String, of kind: CatalogItem.Kind) throws(Failure) -> CatalogGenre {
    let genres = genres(of: kind)
    let wanted = text.trimmed.lowercased()
    let found =
      genres.first { $0.id == wanted || $0.name.lowercased() == wanted }
      ?? genres.first { !wanted.isEmpty && $0.name.lowercased().hasPrefix(wanted) }
    guard let found else {
      throw Failure(.notFound, "\(title) has no genre “\(text)” of the kind \(kind.rawValue)")
    }
    return found
  }

  /// Returns how long a response to a query is fresh if its server does not state the time.
  public func lifetime(of subject: CatalogQuery.Subject) -> MediaTime {
    switch subject {
    case .search, .suggest: .seconds(10 * 60)
    case .popular, .people: .seconds(3600)
    case .details(let uri) where uri.kind == .podcast: .seconds(3600)
    case .details: .seconds(86_400)
    case .played: .zero
    }
  }

  /// The error for a query that the provider does not support.
  func unsupported(_ subject: CatalogQuery.Subject) -> Failure {
    Failure(.invalidParams, "\(title) cannot \(subject.wording)")
  }
}

/// The maximum rate of requests to a host.
public struct CatalogRateLimit: Hashable, Sendable {
  /// The number of requests in `interval`.
  public let requests: Int
  public let interval: MediaTime

  public init(requests: Int, interval: MediaTime) {
    self.requests = requests
    self.interval = interval
  }

  /// The limit for hosts about which nothing is known, such as those of pictures.
  public static let standard = CatalogRateLimit(requests: 5, interval: .seconds(1))
}
