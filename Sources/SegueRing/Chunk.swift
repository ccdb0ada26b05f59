public import SegueSystem

/// One opening of a track, or one seek in it. Every `open` of the daemon starts a new one; PCM of a generation nobody
/// waits for any more is skipped. Never 0, never reused in a daemon's life.
public struct Generation: Hashable, Sendable, CustomStringConvertible {
  public let number: UInt32

  public init(_ number: UInt32) { self.number = number }

  public var description: String { "generation \(number)" }
}

/// A mark in the PCM: from this byte on, something else holds.
public struct Chunk: Equatable, Sendable {
  public enum Kind: UInt8, Sendable {
    /// PCM of `generation` in `format` follows, its first frame being `mediaFrame` of the track.
    case begin = 1
    /// `generation` has no more PCM: its track, or range, was decoded to its end.
    case end = 2
  }

  public var kind: Kind
  public var generation: Generation
  public var format: AudioFormat
  /// The track's own frame number at this mark, at `format.rate`, from the start of the track or range.
  public var mediaFrame: Frames

  public init(kind: Kind, generation: Generation, format: AudioFormat, mediaFrame: Frames) {
    self.kind = kind
    self.generation = generation
    self.format = format
    self.mediaFrame = mediaFrame
  }
}

/// A chunk record as it lies in the ring: 64 bytes, host order.
struct ChunkRecord {
  var byte: UInt64
  var mediaFrame: Int64
  var channelMask: UInt64
  var generation: UInt32
  var rate: UInt32
  var kind: UInt8
  var sample: UInt8
  var channelCount: UInt8

  init(_ chunk: Chunk, at byte: UInt64) {
    self.byte = byte
    mediaFrame = chunk.mediaFrame.count
    channelMask = chunk.format.channels.mask
    generation = chunk.generation.number
    rate = chunk.format.rate.hertz
    kind = chunk.kind.rawValue
    sample = chunk.format.sample.rawValue
    channelCount = chunk.format.channels.count
  }

  private static let longestSeconds = MediaTime.maximum.nanoseconds / 1_000_000_000

  /// The chunk, or nil if any member is not what it may be.
  var chunk: Chunk? {
    guard let kind = Chunk.Kind(rawValue: kind), let sample = SampleFormat(rawValue: sample), generation != 0,
      (1...SampleRate.maximumOutput.hertz).contains(rate),
      (0...Int64(rate) * Self.longestSeconds).contains(mediaFrame)
    else { return nil }
    let layout = ChannelLayout(count: channelCount, mask: channelMask)
    guard layout.isValid else { return nil }
    return Chunk(
      kind: kind, generation: Generation(generation),
      format: AudioFormat(sample: sample, rate: SampleRate(rate), channels: layout), mediaFrame: Frames(mediaFrame))
  }
}
