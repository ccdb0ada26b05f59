public import SegueSystem

/// An identifier for one opening of a track, or for one seek in it. PCM of a generation that is no longer played is
/// skipped. The number is never 0, and a daemon never uses a number twice.
public struct Generation: Hashable, Sendable, CustomStringConvertible {
  public let number: UInt32

  public init(_ number: UInt32) { self.number = number }

  public var description: String { "generation \(number)" }
}

/// A marker in the stream of PCM: the beginning or the end of a generation.
public struct StreamMarker: Equatable, Sendable {
  public enum Kind: UInt8, Sendable {
    /// PCM of `generation` in `format` follows. Its first frame is the frame `mediaFrame` of the track.
    case begin = 1
    /// `generation` has no more PCM: its track was decoded to the end.
    case end = 2
  }

  public var kind: Kind
  public var generation: Generation
  public var format: AudioFormat
  /// The frame number at this marker, at `format.rate`, from the start of the track.
  public var mediaFrame: Frames
  /// The speed at which the track advances in the PCM that follows.
  public var speed: PlaybackSpeed
  /// Whether the bytes of the source that follow a `begin` marker are in memory, for two seconds or more. The PCM then
  /// follows without a wait for a disk or a server.
  public var isSourceCached: Bool

  public init(
    kind: Kind, generation: Generation, format: AudioFormat, mediaFrame: Frames, speed: PlaybackSpeed = .normal,
    isSourceCached: Bool = false
  ) {
    self.kind = kind
    self.generation = generation
    self.format = format
    self.mediaFrame = mediaFrame
    self.speed = speed
    self.isSourceCached = isSourceCached
  }
}

/// A marker as it is stored in the ring: 64 bytes in host byte order.
struct MarkerRecord {
  /// The number of bytes of PCM that were written before the marker.
  var position: UInt64
  var mediaFrame: Int64
  var channelMask: UInt64
  var generation: UInt32
  var rate: UInt32
  var kind: UInt8
  var sample: UInt8
  var channelCount: UInt8
  /// 0: false.
  var isSourceCached: UInt8
  /// The speed in hundredths.
  var speed: UInt16

  init(_ marker: StreamMarker, at position: UInt64) {
    self.position = position
    mediaFrame = marker.mediaFrame.count
    channelMask = marker.format.channels.mask
    generation = marker.generation.number
    rate = marker.format.rate.hertz
    kind = marker.kind.rawValue
    sample = marker.format.sample.rawValue
    channelCount = marker.format.channels.count
    isSourceCached = marker.isSourceCached ? 1 : 0
    speed = UInt16(marker.speed.hundredths)
  }

  private static let maximumSeconds = MediaTime.maximum.nanoseconds / 1_000_000_000

  /// The marker; nil if any value is invalid.
  var marker: StreamMarker? {
    guard let kind = StreamMarker.Kind(rawValue: kind), let sample = SampleFormat(rawValue: sample), generation != 0,
      (1...SampleRate.maximumOutput.hertz).contains(rate),
      (0...Int64(rate) * Self.maximumSeconds).contains(mediaFrame), let speed = PlaybackSpeed(hundredths: Int(speed))
    else { return nil }
    let layout = ChannelLayout(count: channelCount, mask: channelMask)
    guard layout.isValid else { return nil }
    return StreamMarker(
      kind: kind, generation: Generation(generation),
      format: AudioFormat(sample: sample, rate: SampleRate(rate), channels: layout), mediaFrame: Frames(mediaFrame),
      speed: speed, isSourceCached: isSourceCached != 0)
  }
}
