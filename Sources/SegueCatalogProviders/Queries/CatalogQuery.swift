internal import SegueSystem
public import SegueWire

/// A question to the provider of an online catalogue, independent of the form in which the provider is asked.
public struct CatalogQuery: Hashable, Sendable {
  /// The content of a query.
  public enum Subject: Hashable, Sendable {
    /// The items of a kind that match a term of at least three characters; nil for several kinds.
    case search(CatalogItem.Kind?, String)
    /// The items of a kind that complete a term of at least three characters.
    case suggest(CatalogItem.Kind, String)
    /// The most popular items of a kind, of all genres or of one. A genre is an id or a name of the provider; see
    /// `CatalogProvider.genre(_:of:)`.
    case popular(CatalogItem.Kind, genre: String?)
    /// The most popular people: people of films, or artists.
    case people
    /// The details of an item, and then the items that belong to it: the songs of an album, the episodes of a podcast,
    /// the albums of an artist, the actors of a film, the films of an actor.
    case details(CatalogItemURI)
    /// A notice that the item is played, for a provider that counts plays. The result is empty.
    case played(CatalogItemURI)
  }

  public var subject: Subject
  /// The country of the store or of the stations as an ISO 3166-1 code such as `de`; nil for the provider's default.
  public var country: String?
  /// The language of texts, such as `de` or `de-DE`, also in the form of a locale (`de_DE.UTF-8`); nil for the
  /// provider's default.
  public var language: String?
  /// The part of the list that is wanted. It does not concern details, which are always complete.
  public var page: PageRequest

  public init(_ subject: Subject, country: String? = nil, language: String? = nil, page: PageRequest? = nil) {
    self.subject = subject
    self.country = country
    self.language = language
    self.page = page ?? PageRequest(limit: Self.standardLimit(of: subject))
  }

  /// The minimum number of characters of a search term.
  public static let minimumTermLength = 3
  /// The maximum size of a search term, in bytes of UTF-8.
  public static let maximumTermSize = 512

  private static func standardLimit(of subject: Subject) -> Int {
    switch subject {
    case .search: 30
    case .suggest: 10
    case .popular, .people: 20
    case .details, .played: CatalogResult.maximumCount
    }
  }
}

extension CatalogQuery {
  /// Returns a search term as it is sent: without control characters and surrounding or repeated white space. Throws
  /// `query_too_short` or `too_large`.
  public static func term(_ text: String) throws(Failure) -> String {
    guard text.utf8.count <= maximumTermSize else {
      throw Failure(.tooLarge, "the search has \(text.utf8.count) bytes; the maximum is \(maximumTermSize)")
    }
    let term = CatalogText.line(text) ?? ""
    guard term.count >= minimumTermLength else {
      throw Failure(.queryTooShort, "Please enter at least \(minimumTermLength) characters for the search")
    }
    return term
  }
}

extension CatalogQuery.Subject {
  /// A word for the kind of items that the response to the request is read as. The responses to one request may be read
  /// as several kinds: iTunes has one chart for albums and artists, and one lookup for all kinds with an id.
  public var resultKind: String {
    switch self {
    case .search(nil, _): "all"
    case .search(let kind?, _), .suggest(let kind, _), .popular(let kind, _): kind.rawValue
    case .people: CatalogItem.Kind.person.rawValue
    case .details(let uri), .played(let uri): uri.kind.rawValue
    }
  }

  /// A description for error messages, such as "search for stations".
  var wording: LocalizableMessage {
    switch self {
    case .search(nil, _): LocalizableMessage("search for several kinds of items at once")
    case .search(let kind?, _), .suggest(let kind, _): LocalizableMessage("search for \(kind.pluralWording)")
    case .popular(let kind, _): LocalizableMessage("list popular \(kind.pluralWording)")
    case .people: LocalizableMessage("list popular people")
    case .details(let uri): LocalizableMessage("describe \(uri.uri)")
    case .played(let uri): LocalizableMessage("count a play of \(uri.uri)")
    }
  }
}

extension CatalogItem.Kind {
  /// The word for several items of the kind, as the object of a sentence.
  fileprivate var pluralWording: LocalizableMessage {
    switch self {
    case .song: LocalizableMessage("songs")
    case .album: LocalizableMessage("albums")
    case .artist: LocalizableMessage("artists")
    case .film: LocalizableMessage("films")
    case .audiobook: LocalizableMessage("audiobooks")
    case .podcast: LocalizableMessage("podcasts")
    case .episode: LocalizableMessage("episodes")
    case .station: LocalizableMessage("stations")
    case .person: LocalizableMessage("people")
    }
  }
}
