/// The result of `library.track`: all that the library knows about a track.
public struct TrackReport: Equatable, JSONEncodable, JSONDecodable {
  /// The sort names of the tags.
  public struct SortNames: Equatable, JSONEncodable, JSONDecodable {
    public var title: String?
    public var artist: String?
    public var album: String?
    public var albumArtist: String?

    public init() {}

    public func encode(into json: inout JSONWriter) {
      json.beginObject()
      json.member("title", title)
      json.member("artist", artist)
      json.member("album", album)
      json.member("albumArtist", albumArtist)
      json.endObject()
    }

    public init(_ json: JSON) {
      title = json["title"]?.string
      artist = json["artist"]?.string
      album = json["album"]?.string
      albumArtist = json["albumArtist"]?.string
    }
  }

  public var track: ListedTrack
  public var audio: Audio
  public var originalDate: String?
  public var compilation = false
  public var sort = SortNames()
  public var musicBrainz = MusicBrainzIDs()
  public var gain = ReplayGain()
  public var chapters: [Chapter] = []
  /// Whether the file contains a picture.
  public var hasCover = false
  /// Whether the file contains lyrics.
  public var hasLyrics = false

  public init(track: ListedTrack, audio: Audio) {
    self.track = track
    self.audio = audio
  }

  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    track.encodeMembers(into: &json)
    json.member("audio", audio)
    json.member("originalDate", originalDate)
    json.member("compilation", compilation)
    json.member("sort", sort)
    json.member("musicBrainz", musicBrainz)
    json.member("gain", gain)
    json.member("chapters", chapters)
    json.member("hasCover", hasCover)
    json.member("hasLyrics", hasLyrics)
    json.endObject()
  }

  public init(_ json: JSON) {
    track = ListedTrack(json)
    audio = Audio(json["audio"] ?? json)
    originalDate = json["originalDate"]?.string
    compilation = json["compilation"]?.bool ?? false
    sort = SortNames(json["sort"] ?? json)
    musicBrainz = MusicBrainzIDs(json["musicBrainz"] ?? json)
    gain = ReplayGain(json["gain"] ?? json)
    chapters = json.list("chapters")
    hasCover = json["hasCover"]?.bool ?? false
    hasLyrics = json["hasLyrics"]?.bool ?? false
  }
}
