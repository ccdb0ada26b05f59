/// The metadata of a file (segue-ipc(7), `Metadata`).
public struct Metadata: Equatable, JSONEncodable, JSONDecodable {
  /// The title. If the file has none, the title is nil in the daemon, and the file name on the socket.
  public var title: String?
  public var artist: String?
  public var artists: [String]
  public var album: String?
  public var albumArtist: String?
  public var composer: String?
  public var genre: [String]
  /// The date as written in the tags, such as `1999` or `1999-03-01`.
  public var date: String?
  public var year: Int?
  public var track: Int?
  public var trackTotal: Int?
  public var disc: Int?
  public var discTotal: Int?
  /// The `file://` URI of the cover.
  public var art: String?
  /// The current title of a live stream.
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

extension Metadata {
  /// Returns the metadata with missing values taken from `other`.
  public func filled(from other: Metadata) -> Metadata {
    var filled = self
    filled.title = title ?? other.title
    if artist == nil {
      filled.artist = other.artist
      filled.artists = other.artists
    }
    filled.album = album ?? other.album
    filled.albumArtist = albumArtist ?? other.albumArtist
    filled.composer = composer ?? other.composer
    if genre.isEmpty { filled.genre = other.genre }
    if date == nil {
      filled.date = other.date
      filled.year = other.year
    }
    filled.track = track ?? other.track
    filled.trackTotal = trackTotal ?? other.trackTotal
    filled.disc = disc ?? other.disc
    filled.discTotal = discTotal ?? other.discTotal
    filled.art = art ?? other.art
    filled.stream = stream ?? other.stream
    return filled
  }
}
