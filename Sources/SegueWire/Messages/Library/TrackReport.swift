public import SegueSystem

/// The answer of `library.track`: all that is known of one.
public struct TrackReport: Equatable, JSONEncodable, JSONDecodable {
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

  /// UUIDs in lower case.
  public struct MusicBrainz: Equatable, JSONEncodable, JSONDecodable {
    public var track: String?
    public var release: String?
    public var releaseGroup: String?
    public var artists: [String] = []
    public var albumArtists: [String] = []

    public init() {}

    public func encode(into json: inout JSONWriter) {
      json.beginObject()
      json.member("track", track)
      json.member("release", release)
      json.member("releaseGroup", releaseGroup)
      json.member("artists", artists)
      json.member("albumArtists", albumArtists)
      json.endObject()
    }

    public init(_ json: JSON) {
      track = json["track"]?.string
      release = json["release"]?.string
      releaseGroup = json["releaseGroup"]?.string
      artists = json["artists"]?.elements?.compactMap(\.string) ?? []
      albumArtists = json["albumArtists"]?.elements?.compactMap(\.string) ?? []
    }
  }

  /// Gains in dB to −18 LUFS; peaks, 1 being full scale.
  public struct Gain: Equatable, JSONEncodable, JSONDecodable {
    public var trackGain: Double?
    public var trackPeak: Double?
    public var albumGain: Double?
    public var albumPeak: Double?

    public init() {}

    public func encode(into json: inout JSONWriter) {
      json.beginObject()
      json.member("trackGain", decimal: trackGain)
      json.member("trackPeak", decimal: trackPeak)
      json.member("albumGain", decimal: albumGain)
      json.member("albumPeak", decimal: albumPeak)
      json.endObject()
    }

    public init(_ json: JSON) {
      trackGain = json["trackGain"]?.double
      trackPeak = json["trackPeak"]?.double
      albumGain = json["albumGain"]?.double
      albumPeak = json["albumPeak"]?.double
    }
  }

  public struct ChapterMark: Equatable, JSONEncodable, JSONDecodable {
    public var title: String
    public var start: MediaTime

    public init(title: String, start: MediaTime) {
      self.title = title
      self.start = start
    }

    public func encode(into json: inout JSONWriter) {
      json.beginObject()
      json.member("title", title)
      json.member("start", start)
      json.endObject()
    }

    public init(_ json: JSON) {
      title = json["title"]?.string ?? ""
      start = json["start"]?.time ?? .zero
    }
  }

  public var track: ListedTrack
  public var audio: Audio
  public var originalDate: String?
  public var compilation = false
  public var sort = SortNames()
  public var musicBrainz = MusicBrainz()
  public var gain = Gain()
  public var chapters: [ChapterMark] = []
  /// A picture, and lyrics, are embedded.
  public var hasCover = false
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
    musicBrainz = MusicBrainz(json["musicBrainz"] ?? json)
    gain = Gain(json["gain"] ?? json)
    chapters = json.list("chapters")
    hasCover = json["hasCover"]?.bool ?? false
    hasLyrics = json["hasLyrics"]?.bool ?? false
  }
}

extension JSONWriter {
  fileprivate mutating func member(_ name: StaticString, decimal value: Double?) {
    key(name)
    if let value { double(value) } else { null() }
  }
}
