/// A number of frames. A frame is one sample of every channel. Durations and positions in a track count frames at the
/// rate of that track.
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

/// A number of frames per second, 1…1,000,000 Hz.
public struct SampleRate: Hashable, Comparable, Sendable, CustomStringConvertible {
  public var hertz: UInt32

  public init(_ hertz: UInt32) { self.hertz = hertz }

  public static let cd = SampleRate(44_100)
  /// The highest rate that a sound server accepts. No worker produces a higher one.
  public static let maximumOutput = SampleRate(384_000)

  public static func < (a: SampleRate, b: SampleRate) -> Bool { a.hertz < b.hertz }

  /// Returns the duration of `frames`, rounded towards zero to a nanosecond and limited to ±`MediaTime.maximum`: a
  /// header may state any number.
  public func time(of frames: Frames) -> MediaTime {
    let rate = Int64(hertz)
    let (whole, rest) = frames.count.quotientAndRemainder(dividingBy: rate)
    let limit = MediaTime.maximum.nanoseconds / 1_000_000_000
    guard whole > -limit else { return .zero - .maximum }
    guard whole < limit else { return .maximum }
    return MediaTime(nanoseconds: whole * 1_000_000_000 + rest * 1_000_000_000 / rate)
  }

  /// Returns the number of frames nearest to `time`, which is limited to ±`MediaTime.maximum` first.
  /// `frames(in: time(of: f)) == f` holds for every rate and every `f` of a track.
  public func frames(in time: MediaTime) -> Frames {
    let rate = Int64(hertz)
    let limit = MediaTime.maximum.nanoseconds
    let (whole, rest) = time.nanoseconds.clamped(to: -limit...limit).quotientAndRemainder(dividingBy: 1_000_000_000)
    return Frames(whole * rate + (rest * rate + 500_000_000) / 1_000_000_000)
  }

  public var description: String { "\(hertz) Hz" }
}

/// A position or duration in a track, or an interval between two times of a clock, in nanoseconds.
///
/// The type holds about ±292 years, to which results of its operators are limited; parsers limit values to ±`maximum`.
/// It is not `Duration`, whose 128 bits count attoseconds: clocks of the kernel, PulseAudio and sd-event count nano- or
/// microseconds in 64 bits.
public struct MediaTime: Hashable, Comparable, Sendable, CustomStringConvertible {
  public var nanoseconds: Int64

  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// Converts seconds as JSON and users give them. Not-a-number becomes zero; other values are limited to ±`maximum`.
  public init(seconds: Double) {
    let limit = Double(MediaTime.maximum.nanoseconds)
    nanoseconds = seconds.isNaN ? 0 : Int64((seconds * 1e9).rounded().clamped(to: -limit...limit))
  }

  /// Converts microseconds, limited to ±`maximum`.
  public init(microseconds: Int64) {
    let limit = Self.maximum.microseconds
    self.init(nanoseconds: microseconds.clamped(to: -limit...limit) * 1_000)
  }

  public static func seconds(_ count: Int) -> MediaTime { MediaTime(nanoseconds: Int64(count) * 1_000_000_000) }
  public static func seconds(_ count: Double) -> MediaTime { MediaTime(seconds: count) }
  public static func milliseconds(_ count: Int) -> MediaTime { MediaTime(nanoseconds: Int64(count) * 1_000_000) }
  public static func microseconds(_ count: Int) -> MediaTime { MediaTime(nanoseconds: Int64(count) * 1_000) }

  /// Returns the sum of two durations in nanoseconds, which is at most `maximum`. A file may state any duration.
  public static func sum(_ a: Int64, _ b: Int64) -> Int64 {
    min(a.clamped(to: 0...maximum.nanoseconds) + b.clamped(to: 0...maximum.nanoseconds), maximum.nanoseconds)
  }

  public static let zero = MediaTime(nanoseconds: 0)
  /// The maximum time that parsers return: ten years.
  public static let maximum = MediaTime.seconds(10 * 366 * 86_400)

  public var seconds: Double { Double(nanoseconds) / 1e9 }

  /// The time in whole microseconds, as MPRIS counts it.
  public var microseconds: Int64 { nanoseconds / 1_000 }

  public static func + (a: MediaTime, b: MediaTime) -> MediaTime {
    MediaTime(nanoseconds: a.nanoseconds.addingSaturated(b.nanoseconds))
  }
  public static func - (a: MediaTime, b: MediaTime) -> MediaTime {
    MediaTime(nanoseconds: a.nanoseconds.subtractingSaturated(b.nanoseconds))
  }
  public static func * (a: MediaTime, b: Int) -> MediaTime {
    MediaTime(nanoseconds: a.nanoseconds.multipliedSaturated(by: Int64(b)))
  }
  public static func / (a: MediaTime, b: Int) -> MediaTime { MediaTime(nanoseconds: a.nanoseconds / Int64(b)) }
  public static func < (a: MediaTime, b: MediaTime) -> Bool { a.nanoseconds < b.nanoseconds }

  public var description: String { "\(seconds) s" }

  /// The time in whole seconds, rounded down, as a clock shows it: `0:07`, `4:56`, `1:02:03`.
  public var clock: String {
    let total = max(0, nanoseconds / 1_000_000_000)
    let (hours, minutes, seconds) = (total / 3600, total / 60 % 60, total % 60)
    let tail = (seconds < 10 ? ":0" : ":") + String(seconds)
    if hours == 0 { return String(minutes) + tail }
    return "\(hours)" + (minutes < 10 ? ":0" : ":") + String(minutes) + tail
  }
}

extension Comparable {
  /// Returns the value in `range` that is nearest to this one.
  public func clamped(to range: ClosedRange<Self>) -> Self { min(max(self, range.lowerBound), range.upperBound) }
}
