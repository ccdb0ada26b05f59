/// The encoding of a sample between worker and sink. Samples are interleaved and have the byte order of the host.
public enum SampleFormat: UInt8, Sendable, CaseIterable {
  case signed16 = 1
  case signed32 = 2
  case float32 = 3

  public var bytes: Int { self == .signed16 ? 2 : 4 }
}

/// The channels of a frame, in the order of their bits in `mask`: the WAVE order, which FFmpeg calls native.
/// If `mask` is 0, the positions are unknown, and `count` channels follow the sink's default order.
public struct ChannelLayout: Hashable, Sendable {
  /// The number of channels, 1…32.
  public var count: UInt8
  /// The positions of the channels as bits (AV_CH_*): bit 0 is front left, 1 front right, 2 front centre, 3 LFE, 4 back
  /// left, 5 back right, 6 front left of centre, 7 front right of centre, 8 back centre, 9 side left, 10 side right, 11
  /// top centre, and so on.
  public var mask: UInt64

  public init(count: UInt8, mask: UInt64) {
    self.count = count
    self.mask = mask
  }

  public static let mono = ChannelLayout(count: 1, mask: 0x4)
  public static let stereo = ChannelLayout(count: 2, mask: 0x3)
  private static let maximumCount: UInt8 = 32

  public var isValid: Bool {
    (1...Self.maximumCount).contains(count) && (mask == 0 || mask.nonzeroBitCount == Int(count))
  }
}

/// The format of PCM frames.
public struct AudioFormat: Hashable, Sendable {
  public var sample: SampleFormat
  public var rate: SampleRate
  public var channels: ChannelLayout

  public init(sample: SampleFormat, rate: SampleRate, channels: ChannelLayout) {
    self.sample = sample
    self.rate = rate
    self.channels = channels
  }

  public var bytesPerFrame: Int { sample.bytes * Int(channels.count) }
  public var bytesPerSecond: Int { bytesPerFrame * Int(rate.hertz) }
}
