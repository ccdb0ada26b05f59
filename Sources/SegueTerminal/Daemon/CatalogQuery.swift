internal import SegueFrontend
internal import SegueUnicode
internal import SegueWire

/// A list of items that is read in pages: from an online catalogue, or from the library by a search.
enum CatalogQuery: Hashable {
  /// Everything in the library that matches a search. A page has up to `pageLength` tracks, albums and artists each.
  case library(String)
  case search(String, Item.Kind)
  /// The most popular items. Those of films are of the genre in the settings, or of all genres.
  case popular(Item.Kind, isAnyGenre: Bool)
  case people
  /// The most popular stations of a country, by its code of two letters, or with a tag.
  case stationsOfCountry(String)
  case stationsWithTag(String)

  /// The number of items of a page.
  static let pageLength = 20

  /// Returns the request for the page that begins at an offset. With `refresh`, the provider is asked even if the cache has a
  /// fresh response.
  func request(offset: Int, refresh: Bool) -> ClientRequest {
    func request(_ method: String, _ write: (inout JSONWriter) -> Void = { _ in }) -> ClientRequest {
      ClientRequest(method) {
        $0.member("offset", offset)
        $0.member("limit", Self.pageLength)
        if refresh { $0.member("refresh", true) }
        write(&$0)
      }
    }
    switch self {
    case .library(let text):
      return ClientRequest("library.search") {
        $0.member("query", text)
        $0.member("offset", offset)
        $0.member("limit", Self.pageLength)
      }
    case .search(let text, let kind):
      return ClientRequest("catalog.search") {
        $0.member("query", text)
        $0.member("kind", kind.rawValue)
        $0.member("offset", offset)
        $0.member("limit", Self.pageLength)
        $0.member("remember", offset == 0)
      }
    case .popular(let kind, let isAnyGenre):
      return request("catalog.popular") {
        $0.member("kind", kind.rawValue)
        if isAnyGenre {
          $0.key("genre")
          $0.null()
        }
      }
    case .people: return request("catalog.people")
    case .stationsOfCountry(let country):
      return request("catalog.popular") {
        $0.member("kind", Item.Kind.station.rawValue)
        $0.member("country", country)
      }
    case .stationsWithTag(let tag):
      return request("catalog.popular") {
        $0.member("kind", Item.Kind.station.rawValue)
        $0.member("genre", tag)
      }
    }
  }

  /// Returns the page in a response.
  func page(in response: JSON) -> CatalogPage {
    guard case .library = self else { return CatalogPage(response) }
    let found = SearchAnswer(response).found
    let items = found.tracks.map { Item($0) } + found.albums.map { Item($0) } + found.artists.map { Item($0) }
    return CatalogPage(
      items: items, total: found.total, offset: found.offset, limit: Self.pageLength, provider: "", attribution: nil)
  }
}

/// The source of hints and suggestions for a search.
enum SuggestionSource: Hashable {
  case library
  case catalog(Item.Kind)

  /// The number of characters from which on there are suggestions, and a search is possible.
  private static let minimumLength = 3

  /// Returns whether a text is long enough for a search. In scripts with wide characters, one of them may be a whole word, which
  /// the library finds.
  func isLongEnough(_ text: String) -> Bool {
    text.count >= Self.minimumLength || self == .library && DisplayWidth.of(text) > text.count
  }

  /// Returns the request for the last searches that contain a text.
  func hints(containing text: String) -> ClientRequest {
    ClientRequest(self == .library ? "history.searches" : "catalog.hints") { $0.member("prefix", text) }
  }

  /// Returns the request for completions of a text.
  func suggestions(for text: String) -> ClientRequest {
    switch self {
    case .library: ClientRequest("library.suggest") { $0.member("prefix", text) }
    case .catalog(let kind):
      ClientRequest("catalog.suggest") {
        $0.member("prefix", text)
        $0.member("kind", kind.rawValue)
      }
    }
  }

  /// Returns the completions in a response, without the last searches.
  func suggestions(in response: JSON) -> [String] {
    switch self {
    case .library: Suggestions(response).suggestions.filter { $0.type != .search }.map(\.text)
    case .catalog: CatalogPage(response).items.map(\.title)
    }
  }
}
