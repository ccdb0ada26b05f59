public import SegueSystem

/// What a file says of itself (PROTOCOL.md, `Metadata`).
public struct Metadata: Equatable, JSONEncodable, JSONDecodable {
  /// Inside the daemon nil where the file has none; on the socket the file's name then.
  public var title: String?
  public var artist: String?
  public var artists: [String]
  public var album: String?
  public var albumArtist: String?
  public var composer: String?
  public var genre: [String]
  /// As the file writes it: `1999`, `1999-03-01`.
  public var date: String?
  public var year: Int?
  public var track: Int?
  public var trackTotal: Int?
  public var disc: Int?
  public var discTotal: Int?
  /// `file://` URI of the cover.
  public var art: String?
  /// A live stream's current title.
  public var stream: String?

  public init() {
    artists = []
    genre = []
  }

  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.member("title", title)
    json.member("artist", artist)
    json.member("artists", artists)
    json.member("album", album)
    json.member("albumArtist", albumArtist)
    json.member("composer", composer)
    json.member("genre", genre)
    json.member("date", date)
    json.member("year", year)
    json.member("track", track)
    json.member("trackTotal", trackTotal)
    json.member("disc", disc)
    json.member("discTotal", discTotal)
    json.member("art", art)
    json.member("stream", stream)
    json.endObject()
  }

  public init(_ json: JSON) {
    title = json["title"]?.string
    artist = json["artist"]?.string
    artists = json.strings("artists")
    album = json["album"]?.string
    albumArtist = json["albumArtist"]?.string
    composer = json["composer"]?.string
    genre = json.strings("genre")
    date = json["date"]?.string
    year = json["year"]?.int
    track = json["track"]?.int
    trackTotal = json["trackTotal"]?.int
    disc = json["disc"]?.int
    discTotal = json["discTotal"]?.int
    art = json["art"]?.string
    stream = json["stream"]?.string
  }
}

extension JSON {
  /// `integer` as an `Int`.
  public var int: Int? { integer.map(Int.init) }

  /// Seconds, when this is a number.
  public var time: MediaTime? { double.map { MediaTime(seconds: $0) } }
}
