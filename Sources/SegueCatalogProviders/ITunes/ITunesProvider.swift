internal import SegueSystem
public import SegueWire

/// The iTunes Search API and the charts of the iTunes store: songs, albums, artists, films, audiobooks, podcasts and
/// episodes, most of which have a preview.
public struct ITunesProvider: CatalogProvider {
  private let api: BaseURL
  private let charts: BaseURL

  public static let apiURL = BaseURLSetting(
    "ITunesURL", label: LocalizableMessage("Address of iTunes"),
    LocalizableMessage("the address of the iTunes Search API"), standard: "https://itunes.apple.com")
  public static let chartsURL = BaseURLSetting(
    "ITunesChartsURL", label: LocalizableMessage("Address of iTunes charts"),
    LocalizableMessage("the address of the charts of iTunes"), standard: "https://itunes.apple.com")

  public init(_ configuration: CatalogConfiguration) {
    (api, charts) = (configuration[Self.apiURL], configuration[Self.chartsURL])
  }

  public var scheme: CatalogItemURI.Scheme { .itunes }
  public var title: String { "iTunes" }
  public var link: String { "https://www.apple.com/itunes/" }
  public var attribution: String? { Self.credit }
  public var baseURLs: [BaseURLSetting] { [Self.apiURL, Self.chartsURL] }
  public var searchKinds: [CatalogItem.Kind] { CatalogItem.Kind.allCases.filter { Self.entity(of: $0) != nil } }
  public var chartKinds: [CatalogItem.Kind] { CatalogItem.Kind.allCases.filter { Self.chartName(of: $0) != nil } }
  public var rateLimit: CatalogRateLimit { CatalogRateLimit(requests: 20, interval: .seconds(60)) }

  /// The attribution that the terms of the Search API ask for.
  static let credit = "provided courtesy of iTunes"

  public func genres(of kind: CatalogItem.Kind) -> [CatalogGenre] { ITunesGenres.genres(of: kind) }

  public func artURL(_ art: String, size: Art.Size) -> String { ITunesArtwork.url(art, size: size) }

  public func supports(_ subject: CatalogQuery.Subject) -> Bool {
    switch subject {
    case .search(nil, _): true
    case .search(let kind?, _), .suggest(let kind, _): searchKinds.contains(kind)
    case .popular(let kind, _): chartKinds.contains(kind)
    case .people: true
    case .details(let uri): uri.scheme == scheme
    case .played: false
    }
  }

  // MARK: Requests

  /// The store that is asked if a query names no country, as in the API.
  private static let standardCountry = "us"
  /// The maximum number of results of a request.
  private static let maximumLimit = 200
  /// The number of items of a chart, which is requested once for all its pages.
  private static let chartLength = 100

  /// The entities of the items that belong to an item.
  private static let contentEntities: [CatalogItem.Kind: String] = [
    .album: "song", .artist: "album", .podcast: "podcastEpisode",
  ]

  public func request(for query: CatalogQuery) throws(Failure) -> CatalogRequest {
    guard supports(query.subject) else { throw unsupported(query.subject) }
    let locale = try CatalogLocale(of: query)
    let store: [(name: String, value: String?)] = [
      ("country", locale.country ?? Self.standardCountry), ("lang", Self.language(locale)),
    ]
    switch query.subject {
    case .search(let kind, let text): return try search(kind, text, query, store)
    case .suggest(let kind, let text): return try search(kind, text, query, store)
    case .popular(let kind, let genre): return try chart(kind, genre, query, locale)
    case .people: return try chart(.artist, nil, query, locale)
    case .details(let uri):
      // The item is the first result. An episode is found by its own id only if the entity is given.
      let contents = Self.contentEntities[uri.kind]
      let entity = contents ?? (uri.kind == .episode ? "podcastEpisode" : nil)
      let limit = contents == nil ? nil : String(Self.maximumLimit)
      return CatalogRequest(api, "/lookup", [("id", uri.id), ("entity", entity)] + store + [("limit", limit)])
    case .played: throw unsupported(query.subject)
    }
  }

  /// Returns the request for a search. Without a kind, the API returns several kinds.
  private func search(
    _ kind: CatalogItem.Kind?, _ text: String, _ query: CatalogQuery, _ store: [(name: String, value: String?)]
  ) throws(Failure) -> CatalogRequest {
    let names = kind.flatMap(Self.entity)
    guard kind == nil || names != nil else { throw unsupported(query.subject) }
    let term = FormEncoding.encode(try CatalogQuery.term(text))
    let limit = String(try limit(of: query))
    return CatalogRequest(
      api, "/search",
      [("term", term), ("media", names?.media), ("entity", names?.entity)] + store + [("limit", limit)])
  }

  /// Returns the number of results to request. The API has no offset, so all pages after the first one are parts of one
  /// response. Albums are sorted, so all their pages are.
  private func limit(of query: CatalogQuery) throws(Failure) -> Int {
    guard query.page.offset < Self.maximumLimit else {
      throw Failure(.outOfRange, "\(title) returns at most \(Self.maximumLimit) results")
    }
    if case .search(.album, _) = query.subject { return Self.maximumLimit }
    return query.page.offset == 0 ? query.page.limit.clamped(to: 1...Self.maximumLimit) : Self.maximumLimit
  }

  private func chart(
    _ kind: CatalogItem.Kind, _ genre: String?, _ query: CatalogQuery, _ locale: CatalogLocale
  ) throws(Failure) -> CatalogRequest {
    guard let name = Self.chartName(of: kind) else { throw unsupported(query.subject) }
    var path = "/\(locale.country ?? Self.standardCountry)/rss/\(name)/limit=\(Self.chartLength)"
    if let genre { path += "/genre=\(try self.genre(genre, of: kind).id)" }
    return CatalogRequest(charts, path + "/json")
  }

  /// The language in the form `de_de`; nil without a region, because the API knows no languages without one.
  private static func language(_ locale: CatalogLocale) -> String? {
    guard let language = locale.language, let region = locale.region else { return nil }
    return "\(language)_\(region.lowercased())"
  }

  /// The names of a kind in a search; nil if the API does not find it.
  private static func entity(of kind: CatalogItem.Kind) -> (media: String, entity: String)? {
    switch kind {
    case .song: ("music", "song")
    case .album: ("music", "album")
    case .artist: ("music", "musicArtist")
    case .film: ("movie", "movie")
    case .audiobook: ("audiobook", "audiobook")
    case .podcast: ("podcast", "podcast")
    case .episode: ("podcast", "podcastEpisode")
    case .station, .person: nil
    }
  }

  /// The name of the chart of a kind; nil if there is none. The artists of the most popular albums are the most popular
  /// artists, for whom there is no chart.
  private static func chartName(of kind: CatalogItem.Kind) -> String? {
    switch kind {
    case .song: "topsongs"
    case .album, .artist: "topalbums"
    case .film: "topmovies"
    case .audiobook: "topaudiobooks"
    case .podcast: "toppodcasts"
    case .episode, .station, .person: nil
    }
  }

  // MARK: Responses

  public func result(of query: CatalogQuery, from response: CatalogResponse) throws(Failure) -> CatalogResult {
    guard supports(query.subject) else { throw unsupported(query.subject) }
    // Beyond its rate, the API responds with status 403 and no body.
    let json = try response.json(from: title, limitStatus: 403) { $0["errorMessage"]?.string }
    switch query.subject {
    case .popular(let kind, _): return try chartResult(json, kind)
    case .people: return try chartResult(json, .artist)
    case .search, .suggest:
      let (result, count) = try searchResult(json)
      var whole = result
      // A response with fewer results than requested has all of them.
      if count < (try limit(of: query)) { whole.total = result.entries.count }
      return whole
    case .details(let uri): return try searchResult(json).result.details(of: uri, from: self)
    case .played: throw unsupported(query.subject)
    }
  }

  /// Returns the items of a search or a lookup, and the number of results before unknown kinds are left out.
  private func searchResult(_ json: JSON) throws(Failure) -> (result: CatalogResult, count: Int) {
    guard json["results"]?.kind == .array || json["results"]?.kind == .object else {
      throw Failure(.badResponse, "\(title) sent a response without results")
    }
    let results = json.list("results")
    return (CatalogResult(results.compactMap(ITunesItem.entry)), results.count)
  }

  private func chartResult(_ json: JSON, _ kind: CatalogItem.Kind) throws(Failure) -> CatalogResult {
    guard let feed = json["feed"], feed.kind == .object else {
      throw Failure(.badResponse, "\(title) sent a response without a chart")
    }
    var result = CatalogResult(feed.list("entry").compactMap { ITunesChart.entry($0, kind) })
    result.total = result.entries.count
    return result
  }
}

/// The encoding of HTML forms (`application/x-www-form-urlencoded`), which iTunes expects in queries: a space becomes
/// "+", and every byte except ASCII letters, digits and ".-_*" is percent-encoded. `FileURI.percentEncoded` is the
/// encoding of RFC 3986, which other services expect.
enum FormEncoding {
  static func encode(_ text: String) -> String {
    var encoded: [UInt8] = []
    encoded.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"),
        UInt8(ascii: "*"):
        encoded.append(byte)
      case UInt8(ascii: " "): encoded.append(UInt8(ascii: "+"))
      default: PercentEncoding.append(byte, to: &encoded)
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }
}
