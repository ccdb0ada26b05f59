public import SegueWire

// The representation of queries in the messages between daemon and fetch process.

extension CatalogQuery: JSONEncodable {
  private enum Name: String {
    case search, suggest, popular, people, details, played
  }

  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    switch subject {
    case .search(let kind, let term):
      json.member("subject", Name.search.rawValue)
      json.member("kind", kind?.rawValue)
      json.member("term", term)
    case .suggest(let kind, let term):
      json.member("subject", Name.suggest.rawValue)
      json.member("kind", kind.rawValue)
      json.member("term", term)
    case .popular(let kind, let genre):
      json.member("subject", Name.popular.rawValue)
      json.member("kind", kind.rawValue)
      json.member("genre", genre)
    case .people: json.member("subject", Name.people.rawValue)
    case .details(let uri):
      json.member("subject", Name.details.rawValue)
      json.member("uri", uri.uri)
    case .played(let uri):
      json.member("subject", Name.played.rawValue)
      json.member("uri", uri.uri)
    }
    json.member("country", country)
    json.member("language", language)
    json.member("offset", page.offset)
    json.member("limit", page.limit)
    json.endObject()
  }

  /// Reads a query. Returns nil if it is malformed.
  init?(_ json: JSON) {
    let kind = json["kind"]?.string.flatMap(CatalogItem.Kind.init)
    let term = json["term"]?.string
    let uri = json["uri"]?.string.flatMap { try? CatalogItemURI($0) }
    let subject: Subject
    switch json["subject"]?.string.flatMap(Name.init) {
    case .search:
      guard let term else { return nil }
      subject = .search(kind, term)
    case .suggest:
      guard let kind, let term else { return nil }
      subject = .suggest(kind, term)
    case .popular:
      guard let kind else { return nil }
      subject = .popular(kind, genre: json["genre"]?.string)
    case .people: subject = .people
    case .details:
      guard let uri else { return nil }
      subject = .details(uri)
    case .played:
      guard let uri else { return nil }
      subject = .played(uri)
    case nil: return nil
    }
    guard let offset = json["offset"]?.int, let limit = json["limit"]?.int else { return nil }
    self.init(
      subject, country: json["country"]?.string, language: json["language"]?.string,
      page: PageRequest(offset: offset, limit: limit))
  }
}

extension CatalogConfiguration: JSONEncodable {
  /// Encodes the configuration with the tokens: only for the socket of the fetch process.
  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.key("baseURLs")
    json.beginObject()
    for setting in CatalogProviders().baseURLs {
      json.key(named: setting.key)
      json.string(self[setting].text)
    }
    json.endObject()
    json.key("tokens")
    json.beginObject()
    for (scheme, token) in tokens {
      json.key(named: scheme.rawValue)
      json.string(token.secret)
    }
    json.endObject()
    json.endObject()
  }

  /// Reads a configuration. Throws `invalid_params` if a URL or a token is malformed, or a URL is missing.
  init(reading json: JSON) throws(Failure) {
    self.init()
    for setting in CatalogProviders().baseURLs {
      self[setting] = try BaseURL(json["baseURLs"]?[setting.key]?.string ?? "")
    }
    for scheme in CatalogItemURI.Scheme.allCases {
      guard let token = json["tokens"]?[scheme.rawValue]?.string else { continue }
      tokens[scheme] = try CatalogToken(token)
    }
  }
}
