/// A count of sample frames: one sample of every channel. Durations and positions in a track are frames of *its* rate.
public struct Frames: Hashable, Comparable, Sendable, CustomStringConvertible {
  public var count: Int64

  public init(_ count: Int64) { self.count = count }
  public init(_ count: Int) { self.count = Int64(count) }

  public static let zero = Frames(Int64(0))

  public static func + (a: Frames, b: Frames) -> Frames { Frames(a.count + b.count) }
  public static func - (a: Frames, b: Frames) -> Frames { Frames(a.count - b.count) }
  public static func += (a: inout Frames, b: Frames) { a.count += b.count }
  public static func -= (a: inout Frames, b: Frames) { a.count -= b.count }
  public static func < (a: Frames, b: Frames) -> Bool { a.count < b.count }

  public var description: String { "\(count) frames" }
}

/// Frames per second, 1…1,000,000 Hz.
public struct SampleRate: Hashable, Comparable, Sendable, CustomStringConvertible {
  public var hertz: UInt32

  public init(_ hertz: UInt32) { self.hertz = hertz }

  public static let cd = SampleRate(44_100)
  /// The highest that a sound server takes, and that leaves a worker.
  public static let maximumOutput = SampleRate(384_000)

  public static func < (a: SampleRate, b: SampleRate) -> Bool { a.hertz < b.hertz }

  /// The time `frames` take, to the nanosecond below or at it; at most `MediaTime.longest`, either way: a header may
  /// state any number.
  public func time(of frames: Frames) -> MediaTime {
    let rate = Int64(hertz)
    let (whole, rest) = frames.count.quotientAndRemainder(dividingBy: rate)
    let longest = MediaTime.longest.nanoseconds / 1_000_000_000
    guard whole > -longest else { return MediaTime(nanoseconds: -MediaTime.longest.nanoseconds) }
    guard whole < longest else { return .longest }
    return MediaTime(nanoseconds: whole * 1_000_000_000 + rest * 1_000_000_000 / rate)
  }

  /// The frame nearest to `time`, which is taken as at most `MediaTime.longest`, either way.
  /// `frames(in: time(of: f)) == f` for every rate and every `f` of a track.
  public func frames(in time: MediaTime) -> Frames {
    let rate = Int64(hertz)
    let longest = MediaTime.longest.nanoseconds
    let (whole, rest) = time.nanoseconds.clamped(to: -longest...longest).quotientAndRemainder(dividingBy: 1_000_000_000)
    return Frames(whole * rate + (rest * rate + 500_000_000) / 1_000_000_000)
  }

  public var description: String { "\(hertz) Hz" }
}

/// A position or duration in a track, in nanoseconds; about ±292 years, kept to ±`longest` by every parser.
public struct MediaTime: Hashable, Comparable, Sendable, CustomStringConvertible {
  public var nanoseconds: Int64

  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// Seconds as JSON and people give them; what is no number is zero, what is beyond `longest` is `longest`.
  public init(seconds: Double) {
    let limit = Double(MediaTime.longest.nanoseconds)
    nanoseconds = seconds.isNaN ? 0 : Int64((seconds * 1e9).rounded().clamped(to: -limit...limit))
  }

  public static let zero = MediaTime(nanoseconds: 0)
  /// Ten years.
  public static let longest = MediaTime(nanoseconds: 10 * 366 * 86_400 * 1_000_000_000)

  public var seconds: Double { Double(nanoseconds) / 1e9 }

  /// Whole ones, as MPRIS counts.
  public var microseconds: Int64 { nanoseconds / 1_000 }

  /// At most `longest`, either way.
  public init(microseconds: Int64) {
    let most = Self.longest.microseconds
    self.init(nanoseconds: microseconds.clamped(to: -most...most) * 1_000)
  }

  public static func + (a: MediaTime, b: MediaTime) -> MediaTime {
    MediaTime(nanoseconds: a.nanoseconds + b.nanoseconds)
  }
  public static func - (a: MediaTime, b: MediaTime) -> MediaTime {
    MediaTime(nanoseconds: a.nanoseconds - b.nanoseconds)
  }
  public static func < (a: MediaTime, b: MediaTime) -> Bool { a.nanoseconds < b.nanoseconds }

  public var description: String { "\(seconds) s" }
}

extension Comparable {
  public func clamped(to range: ClosedRange<Self>) -> Self { min(max(self, range.lowerBound), range.upperBound) }
}
