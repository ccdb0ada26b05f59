internal import SegueSystem
public import SegueWire

/// Radio Browser, a directory of radio stations that its users maintain.
public struct RadioBrowserProvider: CatalogProvider {
  private let api: BaseURL

  /// The standard name has the addresses of all servers, of which libcurl tries another one if it cannot connect.
  public static let apiURL = BaseURLSetting(
    "RadioBrowserURL", label: LocalizableMessage("Address of Radio Browser"),
    LocalizableMessage("the address of a server of Radio Browser"),
    standard: "https://all.api.radio-browser.info")

  public init(_ configuration: CatalogConfiguration) { api = configuration[Self.apiURL] }

  public var scheme: CatalogItemURI.Scheme { .radio }
  public var title: String { "Radio Browser" }
  public var link: String { "https://www.radio-browser.info/" }
  public var attribution: String? { nil }
  public var baseURLs: [BaseURLSetting] { [Self.apiURL] }
  public var searchKinds: [CatalogItem.Kind] { [.station] }
  public var chartKinds: [CatalogItem.Kind] { [.station] }
  public var hasStores: Bool { false }
  public var addressesExpire: Bool { false }
  public var rateLimit: CatalogRateLimit { .standard }
  /// Pictures are icons of the websites of stations.
  public var maximumPictureSize: Int { 2 << 20 }

  public func genres(of kind: CatalogItem.Kind) -> [CatalogGenre] { kind == .station ? RadioBrowserTags.common : [] }

  public func supports(_ subject: CatalogQuery.Subject) -> Bool {
    switch subject {
    case .search(let kind, _): kind == .station
    case .suggest(let kind, _), .popular(let kind, _): kind == .station
    case .details(let uri), .played(let uri): uri.scheme == scheme
    case .people: false
    }
  }

  // MARK: Requests

  public func request(for query: CatalogQuery) throws(Failure) -> CatalogRequest {
    guard supports(query.subject) else { throw unsupported(query.subject) }
    switch query.subject {
    case .search(_, let text), .suggest(_, let text):
      return try search(query, "name", try CatalogQuery.term(text))
    case .popular(_, let genre): return try search(query, "tagList", try genre.map(Self.tag))
    case .played(let uri): return CatalogRequest(api, "/json/url/\(uri.id)")
    case .details(let uri):
      return CatalogRequest(api, "/json/stations/byuuid/\(uri.id)")
    case .people: throw unsupported(query.subject)
    }
  }

  /// Returns the request for the stations that match a filter, or for all stations, most popular first.
  private func search(_ query: CatalogQuery, _ filter: String, _ value: String?) throws(Failure) -> CatalogRequest {
    let country = try CatalogLocale(of: query).country
    return CatalogRequest(
      api, "/json/stations/search",
      [
        (filter, value.map(FileURI.percentEncoded)), ("countrycode", country?.uppercased()), ("hidebroken", "true"),
        ("order", "clickcount"), ("reverse", "true"), ("offset", String(query.page.offset)),
        ("limit", String(Self.limit(of: query))),
      ])
  }

  private static func limit(of query: CatalogQuery) -> Int {
    query.page.limit.clamped(to: 1...CatalogResult.maximumCount)
  }

  /// Returns a genre as a tag, which may be any word. Tags are in lower case and separated by commas.
  private static func tag(_ genre: String) throws(Failure) -> String {
    guard let tag = CatalogText.line(genre.lowercased()), tag.utf8.count <= CatalogQuery.maximumTermSize,
      !tag.contains(",")
    else { throw Failure(.invalidParams, "“\(genre)” is not the tag of a station") }
    return tag
  }

  // MARK: Responses

  public func result(of query: CatalogQuery, from response: CatalogResponse) throws(Failure) -> CatalogResult {
    guard supports(query.subject) else { throw unsupported(query.subject) }
    let json = try response.json(from: title) { $0["message"]?.string }
    if case .played = query.subject { return CatalogResult([]) }
    guard json.kind == .array else { throw Failure(.badResponse, "\(title) sent a response without stations") }
    let stations = (json.elements ?? []).prefix(CatalogResult.maximumCount)
    let entries = stations.compactMap(RadioBrowserStation.entry)
    switch query.subject {
    case .details(let uri): return try CatalogResult(entries).details(of: uri, from: self)
    case .search, .suggest, .popular, .people, .played:
      // A response with fewer stations than requested has the last ones.
      let isLast = stations.count < Self.limit(of: query)
      let total = isLast ? query.page.offset.clamped(to: 0...Int.max / 2) + entries.count : nil
      return CatalogResult(entries, offset: query.page.offset, total: total)
    }
  }
}

/// The common tags of stations, which are their genres. There are thousands of others.
enum RadioBrowserTags {
  static let common = [
    "60s", "70s", "80s", "90s", "alternative", "ambient", "blues", "chillout", "christian", "classic rock", "classical",
    "country", "culture", "dance", "disco", "electronic", "folk", "funk", "gospel", "hip hop", "hits", "house", "indie",
    "jazz", "latin", "lounge", "metal", "news", "oldies", "pop", "punk", "reggae", "rock", "soul", "soundtracks",
    "sports", "talk", "techno", "top 40", "trance", "world music",
  ].map { tag in
    CatalogGenre(id: tag, name: tag, kind: .station, provider: CatalogItemURI.Scheme.radio.rawValue)
  }
}
