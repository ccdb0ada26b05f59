extension Item {
  /// A short fact about an item: a stable name, which programs translate, and a value.
  public struct Fact: Equatable, JSONEncodable {
    /// The name of a fact. The comments describe the values.
    public enum Name: String, Sendable, CaseIterable {
      /// The title of the album of a song.
      case album
      /// The number of a song on its disc.
      case track
      /// The number of the disc of a song.
      case disc
      /// The number of songs of an album, of episodes of a podcast, or of parts of an audiobook.
      case tracks
      /// `explicit`, or `cleaned` if explicit words were removed.
      case explicit
      /// The age rating, such as `PG-13`.
      case advisory
      /// The price with its currency, such as `9.99 USD`.
      case price
      case copyright
      /// The country as an ISO 3166 code.
      case country
      /// The title of the podcast of an episode.
      case podcast
      /// The URL of a podcast's feed.
      case feed
      /// The codec of a station's stream, such as `MP3`.
      case codec
      /// The bit rate of a station's stream in kbit/s.
      case bitrate
      case originalTitle = "original_title"
      case tagline
      case director
      /// The names of the leading actors.
      case cast
      /// The role of a person in a film.
      case character
      /// The revenue of a film in US dollars.
      case revenue
      /// The URL of the home page of a film or a person.
      case homepage
      /// The date of birth.
      case born
      /// The date of death.
      case died
      case birthplace
      /// The profession, such as `Acting`.
      case department
      /// The titles for which a person is known.
      case knownFor = "known_for"
    }

    public var name: Name
    public var value: String

    public init(_ name: Name, _ value: String) {
      self.name = name
      self.value = value
    }

    public func encode(into json: inout JSONWriter) {
      json.beginObject()
      json.member("name", name.rawValue)
      json.member("value", value)
      json.endObject()
    }

    /// Reads a fact. Returns nil if its name is unknown, because a newer daemon may have further facts.
    init?(known json: JSON) {
      guard let name = json["name"]?.string.flatMap(Name.init), let value = json["value"]?.string else { return nil }
      self.init(name, value)
    }
  }
}
