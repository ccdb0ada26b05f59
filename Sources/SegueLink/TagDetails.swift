public import SegueWire

/// What a file says of itself beyond `Metadata`: what it is filed by.
public struct TagDetails: Equatable, JSONEncodable, JSONDecodable {
  /// Of the first release, as the file writes it.
  public var originalDate: String?
  /// The album is of several artists and belongs together all the same.
  public var compilation: Bool
  /// The names to sort by, where the file gives any.
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

  /// As much of it as is kept.
  public var bounded: TagDetails {
    var bounded = self
    bounded.originalDate = originalDate?.cut(to: Metadata.longestText)
    bounded.titleSort = titleSort?.cut(to: Metadata.longestText)
    bounded.artistSort = artistSort?.cut(to: Metadata.longestText)
    bounded.albumSort = albumSort?.cut(to: Metadata.longestText)
    bounded.albumArtistSort = albumArtistSort?.cut(to: Metadata.longestText)
    bounded.musicBrainz = musicBrainz.bounded
    bounded.gain = gain.bounded
    return bounded
  }

  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.present("originalDate", originalDate)
    if compilation { json.member("compilation", true) }
    json.present("titleSort", titleSort)
    json.present("artistSort", artistSort)
    json.present("albumSort", albumSort)
    json.present("albumArtistSort", albumArtistSort)
    if !musicBrainz.isEmpty { json.member("musicBrainz", musicBrainz) }
    if !gain.isEmpty { json.member("gain", gain) }
    json.endObject()
  }

  public init(_ json: JSON) {
    self.init()
    originalDate = json["originalDate"]?.string
    compilation = json["compilation"]?.bool ?? false
    titleSort = json["titleSort"]?.string
    artistSort = json["artistSort"]?.string
    albumSort = json["albumSort"]?.string
    albumArtistSort = json["albumArtistSort"]?.string
    musicBrainz = json["musicBrainz"].map(MusicBrainzIDs.init) ?? MusicBrainzIDs()
    gain = json["gain"].map(ReplayGain.init) ?? ReplayGain()
    self = bounded
  }
}

extension JSONWriter {
  mutating func present(_ name: StaticString, _ value: String?) {
    if let value { member(name, value) }
  }

  mutating func present(_ name: StaticString, _ value: Double?) {
    if let value { member(name, value) }
  }
}
