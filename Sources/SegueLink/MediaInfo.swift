public import SegueSystem
public import SegueWire

/// What the worker found in a file.
public struct MediaInfo: Equatable, JSONEncodable, JSONDecodable {
  public var audio: Audio
  /// Of the track, or of the range that was asked for.
  public var duration: MediaTime?
  public var durationKind: DurationKind
  public var seekable: Bool
  public var metadata: Metadata
  /// Of a whole file that has two at least; in order of time.
  public var chapters: [Chapter] = []
  /// What it is played with, in dB; nil if it is played as it is, or only looked into.
  public var gain: Double?

  public init(audio: Audio, duration: MediaTime?, durationKind: DurationKind, seekable: Bool, metadata: Metadata) {
    self.audio = audio
    self.duration = duration
    self.durationKind = durationKind
    self.seekable = seekable
    self.metadata = metadata
  }

  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.member("audio", audio)
    json.member("duration", duration)
    json.member("durationKind", durationKind.rawValue)
    json.member("seekable", seekable)
    json.key("metadata")
    metadata.encodeFound(into: &json)
    if !chapters.isEmpty { json.member("chapters", chapters) }
    json.present("gain", gain)
    json.endObject()
  }

  /// What a worker wrote, kept to what a track can have.
  public init(_ json: JSON) {
    audio = Audio(json["audio"] ?? json)
    audio.codec = audio.codec.cut(to: Self.longestName)
    audio.container = audio.container.cut(to: Self.longestName)
    duration = json["duration"]?.time?.clamped(to: .zero ... .longest)
    durationKind = json["durationKind"]?.string.flatMap(DurationKind.init) ?? .estimated
    seekable = json["seekable"]?.bool ?? false
    metadata = json["metadata"].map { Metadata($0).bounded } ?? Metadata()
    chapters = Chapter.bounded(json["chapters"]?.elements?.prefix(Chapter.most).map(Chapter.init) ?? [])
    gain = json["gain"]?.double?.clamped(to: -1_000...1_000)
  }

  /// Of a codec or a container, in bytes.
  private static let longestName = 64
}

extension Metadata {
  /// Without what the file has not: ten thousand of these are written and read in a scan.
  fileprivate func encodeFound(into json: inout JSONWriter) {
    json.beginObject()
    json.present("title", title)
    json.present("artist", artist)
    json.present("artists", artists)
    json.present("album", album)
    json.present("albumArtist", albumArtist)
    json.present("composer", composer)
    json.present("genre", genre)
    json.present("date", date)
    json.present("year", year)
    json.present("track", track)
    json.present("trackTotal", trackTotal)
    json.present("disc", disc)
    json.present("discTotal", discTotal)
    json.present("art", art)
    json.present("stream", stream)
    json.endObject()
  }
}

extension JSONWriter {
  fileprivate mutating func present(_ name: StaticString, _ value: Int?) {
    if let value { member(name, value) }
  }
}
