public import SegueWire

/// The details of tags that the library needs in addition to `Metadata`.
public struct TagDetails: Equatable, JSONEncodable, JSONDecodable {
  /// The date of the first release, as written in the tags.
  public var originalDate: String?
  /// The album artists, if there are several; otherwise empty.
  public var albumArtists: [String] = []
  /// The composers, if there are several; otherwise empty. The library stores composers, conductors and works on their
  /// own: the JSON lacks them.
  public var composers: [String] = []
  public var conductors: [String] = []
  /// The works of which the track is a part, such as a symphony.
  public var works: [String] = []
  /// Whether the album is a compilation of several artists.
  public var compilation: Bool
  /// The sort names of the tags.
  public var titleSort: String?
  public var artistSort: String?
  public var albumSort: String?
  public var albumArtistSort: String?
  public var musicBrainz: MusicBrainzIDs
  public var gain: ReplayGain

  public init() {
    compilation = false
    musicBrainz = MusicBrainzIDs()
    gain = ReplayGain()
  }

  /// The details within the limits of their texts and values.
  public var bounded: TagDetails {
    var bounded = self
    bounded.originalDate = originalDate?.truncated(to: Metadata.maximumTextSize)
    bounded.albumArtists = Self.bounded(albumArtists)
    bounded.composers = Self.bounded(composers)
    bounded.conductors = Self.bounded(conductors)
    bounded.works = Self.bounded(works)
    bounded.titleSort = titleSort?.truncated(to: Metadata.maximumTextSize)
    bounded.artistSort = artistSort?.truncated(to: Metadata.maximumTextSize)
    bounded.albumSort = albumSort?.truncated(to: Metadata.maximumTextSize)
    bounded.albumArtistSort = albumArtistSort?.truncated(to: Metadata.maximumTextSize)
    bounded.musicBrainz = musicBrainz.bounded
    bounded.gain = gain.bounded
    return bounded
  }

  private static func bounded(_ values: [String]) -> [String] {
    values.prefix(Metadata.maximumValueCount).map { $0.truncated(to: Metadata.maximumTextSize) }
  }

  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.memberIfPresent("originalDate", originalDate)
    if compilation { json.member("compilation", true) }
    if !albumArtists.isEmpty { json.member("albumArtists", albumArtists) }
    json.memberIfPresent("titleSort", titleSort)
    json.memberIfPresent("artistSort", artistSort)
    json.memberIfPresent("albumSort", albumSort)
    json.memberIfPresent("albumArtistSort", albumArtistSort)
    if !musicBrainz.isEmpty { json.member("musicBrainz", musicBrainz) }
    if !gain.isEmpty { json.member("gain", gain) }
    json.endObject()
  }

  public init(_ json: JSON?) {
    self.init()
    originalDate = json?["originalDate"]?.string
    compilation = json?["compilation"]?.bool ?? false
    albumArtists = json?["albumArtists"]?.elements?.compactMap(\.string) ?? []
    titleSort = json?["titleSort"]?.string
    artistSort = json?["artistSort"]?.string
    albumSort = json?["albumSort"]?.string
    albumArtistSort = json?["albumArtistSort"]?.string
    musicBrainz = MusicBrainzIDs(json?["musicBrainz"])
    gain = ReplayGain(json?["gain"])
    self = bounded
  }
}

extension JSONWriter {
  mutating func memberIfPresent(_ name: StaticString, _ value: String?) {
    if let value { member(name, value) }
  }

  mutating func memberIfPresent(_ name: StaticString, _ value: Double?) {
    if let value { member(name, value) }
  }
}
