public import SegueSystem
public import SegueWire

/// The properties of an opened file or stream.
public struct MediaInfo: Equatable, JSONEncodable, JSONDecodable {
  public var audio: Audio
  /// The duration of the track, which may be a part of the file.
  public var duration: MediaTime?
  public var durationKind: DurationKind
  public var seekable: Bool
  public var metadata: Metadata
  /// The chapters, ordered by time. They are empty for a part of a file, and if there are fewer than two.
  public var chapters: [Chapter] = []
  /// The applied gain; nil if the track plays without a gain, or if it was only probed.
  public var gain: AppliedGain?
  /// The name of the station; nil for a stream without one, and for a file.
  public var station: String?

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
    if let gain { json.member("gain", gain) }
    json.memberIfPresent("station", station)
    json.endObject()
  }

  /// Creates the properties from the event of a worker, limited to plausible values.
  public init(_ json: JSON?) {
    audio = Audio(json?["audio"])
    duration = json?["duration"]?.time
    durationKind = json?["durationKind"]?.string.flatMap(DurationKind.init) ?? .estimated
    seekable = json?["seekable"]?.bool ?? false
    metadata = Metadata(json?["metadata"])
    chapters = json?["chapters"]?.elements?.prefix(Chapter.maximumCount).map(Chapter.init) ?? []
    gain = AppliedGain(json?["gain"])
    station = json?["station"]?.string
    self = bounded
  }

  /// The properties, limited to plausible values.
  var bounded: MediaInfo {
    var bounded = self
    bounded.audio.codec = audio.codec.truncated(to: Self.maximumNameSize)
    bounded.audio.container = audio.container.truncated(to: Self.maximumNameSize)
    bounded.duration = duration?.clamped(to: .zero ... .maximum)
    bounded.metadata = metadata.bounded
    bounded.chapters = Chapter.bounded(chapters)
    bounded.station = station?.truncated(to: Metadata.maximumTextSize)
    return bounded
  }

  /// The maximum size of the name of a codec or a container, in bytes.
  private static let maximumNameSize = 64
}
