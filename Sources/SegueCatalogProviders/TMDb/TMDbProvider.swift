internal import SegueSystem
public import SegueWire

/// The Movie Database: films and people, with ratings, descriptions and pictures, but without sound. It needs the read
/// token of an account.
public struct TMDbProvider: CatalogProvider {
  private let api: BaseURL
  private let images: BaseURL
  private let token: CatalogToken?

  public static let apiURL = BaseURLSetting(
    "TmdbURL", label: LocalizableMessage("Address of TMDb"), LocalizableMessage("the address of the API of TMDb"),
    standard: "https://api.themoviedb.org/3")
  public static let imagesURL = BaseURLSetting(
    "TmdbImagesURL", label: LocalizableMessage("Address of TMDb pictures"),
    LocalizableMessage("the address of the pictures of TMDb"), standard: "https://image.tmdb.org/t/p")

  public init(_ configuration: CatalogConfiguration) {
    (api, images, token) = (configuration[Self.apiURL], configuration[Self.imagesURL], configuration.tokens[.tmdb])
  }

  public var scheme: CatalogItemURI.Scheme { .tmdb }
  public var title: String { "TMDb" }
  public var link: String { "https://www.themoviedb.org/" }
  public var attribution: String? { Self.credit }
  public var baseURLs: [BaseURLSetting] { [Self.apiURL, Self.imagesURL] }
  public var needsToken: Bool { true }
  public var searchKinds: [CatalogItem.Kind] { [.film, .person] }
  public var chartKinds: [CatalogItem.Kind] { [.film, .person] }
  public var rateLimit: CatalogRateLimit { CatalogRateLimit(requests: 40, interval: .seconds(1)) }

  public var failure: Failure? {
    token == nil ? Failure(.denied, "TMDb needs a read token, and none is configured") : nil
  }

  /// The attribution that the terms of the API ask for.
  static let credit = "This product uses the TMDB API but is not endorsed or certified by TMDB."

  public func genres(of kind: CatalogItem.Kind) -> [CatalogGenre] { kind == .film ? TMDbGenres.films : [] }

  public func artURL(_ art: String, size: Art.Size) -> String {
    TMDbImages(base: images).url(art, size: size)
  }

  public func supports(_ subject: CatalogQuery.Subject) -> Bool {
    switch subject {
    case .search(nil, _): false
    case .search(let kind?, _), .suggest(let kind, _): searchKinds.contains(kind)
    case .popular(let kind, let genre): kind == .film || kind == .person && genre == nil
    case .people: true
    case .details(let uri): uri.scheme == scheme
    case .played: false
    }
  }

  // MARK: Requests

  /// The number of items of every page.
  private static let pageLength = 20
  /// The number of the last page of a list.
  private static let lastPage = 500

  /// Pages after the last one of the provider are left out, except the first that is wanted, whose request is refused.
  public func pages(of query: CatalogQuery) -> [PageRequest] {
    switch query.subject {
    case .details, .played, .suggest: return [query.page]
    case .search, .popular, .people: break
    }
    let first = query.page.offset / Self.pageLength
    guard first < Self.lastPage else { return [query.page] }
    let end = query.page.offset + query.page.limit.clamped(to: 1...Self.lastPage * Self.pageLength)
    let last = min((end - 1) / Self.pageLength, Self.lastPage - 1)
    return (first...last).map { PageRequest(offset: $0 * Self.pageLength, limit: Self.pageLength) }
  }

  public func request(for query: CatalogQuery) throws(Failure) -> CatalogRequest {
    guard supports(query.subject) else { throw unsupported(query.subject) }
    if let failure { throw failure }
    let locale = try CatalogLocale(of: query)
    let language: [(String, String?)] = [("language", locale.tag)]
    let region: [(String, String?)] = [("region", locale.country?.uppercased())]
    switch query.subject {
    case .search(.person, let text), .suggest(.person, let text):
      let term = FileURI.percentEncoded(try CatalogQuery.term(text))
      return try list(query, "/search/person", [("query", term)] + language)
    case .search(_, let text), .suggest(_, let text):
      let term = FileURI.percentEncoded(try CatalogQuery.term(text))
      return try list(query, "/search/movie", [("query", term)] + language + region)
    case .popular(.person, _), .people: return try list(query, "/person/popular", language)
    case .popular(_, genre: nil): return try list(query, "/movie/popular", language + region)
    case .popular(let kind, let genre?):
      let id = try self.genre(genre, of: kind).id
      let filter: [(String, String?)] = [("with_genres", id), ("sort_by", "popularity.desc")]
      return try list(query, "/discover/movie", filter + language + region)
    case .details(let uri):
      let parts = uri.kind == .film ? "credits,translations" : "movie_credits,translations"
      return request("/\(Self.pathName(of: uri.kind))/\(uri.id)", language + [("append_to_response", parts)])
    case .played: throw unsupported(query.subject)
    }
  }

  private func request(_ path: String, _ parameters: [(String, String?)]) -> CatalogRequest {
    CatalogRequest(api, path, parameters.map { (name: $0.0, value: $0.1) }, token: token)
  }

  private func list(
    _ query: CatalogQuery, _ path: String, _ parameters: [(String, String?)]
  ) throws(Failure) -> CatalogRequest {
    let page = Self.number(ofPage: query.page)
    guard page <= Self.lastPage else {
      throw Failure(.outOfRange, "\(title) lists at most \(Self.lastPage * Self.pageLength) items")
    }
    return request(path, parameters + [("include_adult", "false"), ("page", String(page))])
  }

  /// Returns the number of the page that contains the first item that is wanted. Its first page is 1.
  private static func number(ofPage page: PageRequest) -> Int { page.offset / pageLength + 1 }

  private static func pathName(of kind: CatalogItem.Kind) -> String { kind == .person ? "person" : "movie" }

  // MARK: Responses

  public func result(of query: CatalogQuery, from response: CatalogResponse) throws(Failure) -> CatalogResult {
    guard supports(query.subject) else { throw unsupported(query.subject) }
    let json = try response.json(from: title) { $0["status_message"]?.string ?? $0.strings("errors").first }
    guard json.kind == .object else { throw Failure(.badResponse, "\(title) sent a response without an object") }
    let images = TMDbImages(base: images)
    switch query.subject {
    case .search(.person, _), .suggest(.person, _), .popular(.person, _), .people:
      return try listResult(json, query) { TMDbPerson.entry($0, images) }
    case .search, .suggest, .popular: return try listResult(json, query) { TMDbFilm.entry($0, images) }
    case .details(let uri):
      let entries =
        uri.kind == .film
        ? [TMDbFilm.details(json, images)]
          + (json["credits"]?.list("cast") ?? []).map { TMDbPerson.entry($0, images) }
        : [TMDbPerson.details(json, images)]
          + TMDbPerson.films(json).map { TMDbFilm.entry($0, images) }
      return try CatalogResult(entries.compactMap { $0 }).details(of: uri, from: self)
    case .played: throw unsupported(query.subject)
    }
  }

  private func listResult(
    _ json: JSON, _ query: CatalogQuery, _ entry: (JSON) -> CatalogEntry?
  ) throws(Failure) -> CatalogResult {
    guard json["results"]?.kind == .array else {
      throw Failure(.badResponse, "\(title) sent a response without results")
    }
    // Pages after the last one are refused, so their items do not count.
    let total = json["total_results"]?.int.map { min($0, Self.lastPage * Self.pageLength) }
    let offset = (Self.number(ofPage: query.page) - 1) * Self.pageLength
    return CatalogResult(json.list("results").compactMap(entry), offset: offset, total: total)
  }
}
