internal import SegueClientKit
internal import SegueUnicode
internal import SegueWire

/// A list of items that is read in pages: from an online catalogue, or from the library by a search.
enum PageQuery: Hashable {
  /// Everything in the library that matches a search. A page has up to `pageLength` tracks, albums and artists each.
  case library(String)
  case search(String, CatalogItem.Kind)
  /// The most popular items. Those of films are of the genre in the settings, or of all genres.
  case popular(CatalogItem.Kind, isAnyGenre: Bool)
  case people
  /// The most popular stations of a country, by its code of two letters, or with a tag.
  case stationsOfCountry(String)
  case stationsWithTag(String)

  /// The number of items of a page.
  static let pageLength = 20

  /// Returns the request for the page that begins at an offset. With `refresh`, the provider is asked even if the cache
  /// has a fresh response.
  func request(offset: Int, refresh: Bool) -> any ProtocolRequest {
    let limit = Self.pageLength
    switch self {
    case .library(let text): return LibrarySearchRequest(query: text, offset: offset, limit: limit)
    case .search(let text, let kind):
      return CatalogSearchRequest(query: text, kind: kind, offset: offset, limit: limit, remember: offset == 0)
    case .popular(let kind, let isAnyGenre):
      let genre: String?? = isAnyGenre ? .some(nil) : nil
      return CatalogPopularRequest(kind: kind, genre: genre, offset: offset, limit: limit, refresh: refresh)
    case .people: return CatalogPeopleRequest(offset: offset, limit: limit, refresh: refresh)
    case .stationsOfCountry(let country):
      return CatalogPopularRequest(
        kind: .station, country: country, offset: offset, limit: limit, refresh: refresh)
    case .stationsWithTag(let tag):
      return CatalogPopularRequest(kind: .station, genre: tag, offset: offset, limit: limit, refresh: refresh)
    }
  }

  /// Returns the page in a response; nil if it is no response to such a request.
  func page(in response: any JSONDecodable) -> CatalogPage? {
    guard case .library(let text) = self, let found = (response as? SearchAnswer)?.found else {
      return response as? CatalogPage
    }
    let items =
      found.tracks.map { CatalogItem($0) } + found.albums.map { CatalogItem($0) }
      + found.artists.map { CatalogItem($0) }
    // Items with the searched name precede those on the page that only belong to them, such as the songs of an album.
    let words = SearchWords(text)
    let named = items.filter { words.beginWords(of: $0.title) }
    let others = items.filter { !words.beginWords(of: $0.title) }
    return CatalogPage(
      items: named + others, total: found.total, offset: found.offset, limit: Self.pageLength, provider: "",
      attribution: nil)
  }
}

/// The source of hints and suggestions for a search.
enum SuggestionSource: Hashable {
  case library
  case catalog(CatalogItem.Kind)

  /// The number of characters from which on there are suggestions, and a search is possible.
  private static let minimumLength = 3

  /// Returns whether a text is long enough for a search. In scripts with wide characters, one of them may be a whole
  /// word, which the library finds.
  func isLongEnough(_ text: String) -> Bool {
    text.count >= Self.minimumLength || self == .library && DisplayWidth.of(text) > text.count
  }

  /// Returns the request for the last searches that contain a text.
  func hints(containing text: String) -> any ProtocolRequest<SearchList> {
    switch self {
    case .library: HistorySearchesRequest(prefix: text)
    case .catalog: CatalogSearchesRequest(prefix: text)
    }
  }

  /// Returns the request for completions of a text.
  func suggestions(for text: String) -> any ProtocolRequest {
    switch self {
    case .library: LibrarySuggestRequest(prefix: text)
    case .catalog(let kind): CatalogSuggestRequest(prefix: text, kind: kind)
    }
  }

  /// Returns the completions in a response, without the last searches.
  static func suggestions(in response: any JSONDecodable) -> [SearchCompletion] {
    if let library = response as? Suggestions {
      return library.suggestions.filter { $0.type != .search }.map(SearchCompletion.init)
    }
    return (response as? CatalogPage)?.items.map(SearchCompletion.init) ?? []
  }
}

/// A text that completes a search, with facts about the item that has this name.
struct SearchCompletion: Equatable {
  let text: String
  /// The facts in their order; empty for an earlier search.
  var facts: [String] = []
}

extension SearchCompletion {
  fileprivate init(_ suggestion: LibrarySuggestion) {
    let kind: CatalogItem.Kind? =
      switch suggestion.type {
      case .track: .song
      case .album: .album
      case .artist: .artist
      case .search: nil
      }
    self.init(text: suggestion.text, facts: [kind?.label, suggestion.artist].compactMap(\.self))
  }

  /// All items that a catalogue suggests are of the kind that is searched.
  fileprivate init(_ item: CatalogItem) {
    self.init(text: item.title, facts: [item.creator, item.year.map(String.init)].compactMap(\.self))
  }
}
