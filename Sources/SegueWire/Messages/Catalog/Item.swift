public import SegueSystem

/// An item of an online catalogue (segue-ipc(7), `Item`).
public struct Item: Equatable, JSONEncodable, JSONDecodable {
  /// The URI, such as `itunes:song:ID`; see `CatalogItemURI`.
  public var uri: String
  public var kind: Kind
  public var title: String
  /// The artist, author, director or publisher.
  public var creator: String?
  public var year: Int?
  /// The release date, such as `1999-03-01`, `1999-03` or `1999`.
  public var date: String?
  /// The duration of the whole song, film or episode. A preview is shorter.
  public var duration: MediaTime?
  public var genres: [String] = []
  /// The URL of a picture of medium size.
  public var art: String?
  /// The description as plain text, whose lines end with "\n".
  public var description: String?
  public var rating: Rating?
  /// The language as an ISO 639 code, such as `en`, or as the provider names it.
  public var language: String?
  /// The budget of a film in US dollars.
  public var budget: Int64?
  public var facts: [Fact] = []
  /// The URL of the item's page for users.
  public var link: String?
  /// Whether the item can be played. If an album or a podcast is played, its songs or episodes are.
  public var playable = false
  /// The name of the provider, such as `itunes`.
  public var provider: String
  /// The attribution that the provider requires.
  public var credit: String?
  public var favorite = false

  /// Creates an item about which nothing else is known.
  public init(uri: String, kind: Kind, title: String, provider: String) {
    self.uri = uri
    self.kind = kind
    self.title = title
    self.provider = provider
  }

  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.member("uri", uri)
    json.member("kind", kind.rawValue)
    json.member("title", title)
    json.member("creator", creator)
    json.member("year", year)
    json.member("date", date)
    json.member("duration", duration)
    json.member("genres", genres)
    json.member("art", art)
    json.member("description", description)
    json.member("rating", rating)
    json.member("language", language)
    json.member("budget", budget)
    json.member("facts", facts)
    json.member("link", link)
    json.member("playable", playable)
    json.member("provider", provider)
    json.member("credit", credit)
    json.member("favorite", favorite)
    json.endObject()
  }

  public init(_ json: JSON) {
    self.init(
      uri: json["uri"]?.string ?? "", kind: json["kind"]?.string.flatMap(Kind.init) ?? .song,
      title: json["title"]?.string ?? "", provider: json["provider"]?.string ?? "")
    creator = json["creator"]?.string
    year = json["year"]?.int
    date = json["date"]?.string
    duration = json["duration"]?.time
    genres = json.strings("genres")
    art = json["art"]?.string
    description = json["description"]?.string
    rating = json.member("rating")
    language = json["language"]?.string
    budget = json["budget"]?.integer
    facts = json["facts"]?.elements?.compactMap(Fact.init(known:)) ?? []
    link = json["link"]?.string
    playable = json["playable"]?.bool ?? false
    credit = json["credit"]?.string
    favorite = json["favorite"]?.bool ?? false
  }
}

extension Item {
  /// How users of the provider rate an item.
  public struct Rating: Equatable, JSONEncodable, JSONDecodable {
    /// The average rating, 0…10.
    public var value: Double?
    /// The number of votes.
    public var votes: Int?
    /// The popularity: a number that can be compared only with those of the same provider and kind.
    public var popularity: Double?

    public init(value: Double? = nil, votes: Int? = nil, popularity: Double? = nil) {
      self.value = value
      self.votes = votes
      self.popularity = popularity
    }

    public func encode(into json: inout JSONWriter) {
      json.beginObject()
      json.member("value", value)
      json.member("votes", votes)
      json.member("popularity", popularity)
      json.endObject()
    }

    public init(_ json: JSON) {
      value = json["value"]?.double
      votes = json["votes"]?.int
      popularity = json["popularity"]?.double
    }
  }
}

extension Item.Kind {
  /// The word for several items of the kind, such as `films`.
  public var plural: String {
    switch self {
    case .person: "people"
    case .song, .album, .artist, .film, .audiobook, .podcast, .episode, .station: rawValue + "s"
    }
  }
}
