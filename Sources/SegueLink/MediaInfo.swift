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
    json.member("metadata", metadata)
    if !chapters.isEmpty { json.member("chapters", chapters) }
    json.present("gain", gain)
    json.endObject()
  }

  /// What a worker wrote, kept to what a track can have.
  public init(_ json: JSON) {
    audio = Audio(json["audio"] ?? json)
    duration = json["duration"]?.time
    durationKind = json["durationKind"]?.string.flatMap(DurationKind.init) ?? .estimated
    seekable = json["seekable"]?.bool ?? false
    metadata = json["metadata"].map(Metadata.init) ?? Metadata()
    chapters = json["chapters"]?.elements?.prefix(Chapter.most).map(Chapter.init) ?? []
    gain = json["gain"]?.double
    self = bounded
  }

  /// As much of it as a track can have.
  var bounded: MediaInfo {
    var bounded = self
    bounded.audio.codec = audio.codec.cut(to: Self.longestName)
    bounded.audio.container = audio.container.cut(to: Self.longestName)
    bounded.duration = duration?.clamped(to: .zero ... .maximum)
    bounded.metadata = metadata.bounded
    bounded.chapters = Chapter.bounded(chapters)
    bounded.gain = gain?.clamped(to: -1_000...1_000)
    return bounded
  }

  /// Of a codec or a container, in bytes.
  private static let longestName = 64
}
