/// A speed of playback, in hundredths of the original speed, from 0.5 to 3.
public struct PlaybackSpeed: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The speed in hundredths, 50…300.
  public let hundredths: Int

  /// The original speed.
  public static let normal = PlaybackSpeed(unchecked: 100)
  public static let slowest = PlaybackSpeed(unchecked: 50)
  public static let fastest = PlaybackSpeed(unchecked: 300)

  private init(unchecked hundredths: Int) { self.hundredths = hundredths }

  /// Returns nil if the speed is out of range.
  public init?(hundredths: Int) {
    guard (Self.slowest.hundredths...Self.fastest.hundredths).contains(hundredths) else { return nil }
    self.hundredths = hundredths
  }

  /// Creates the speed nearest to `factor`. Returns nil if the factor is out of range or not a number.
  public init?(factor: Double) {
    guard factor >= Self.slowest.factor, factor <= Self.fastest.factor else { return nil }
    hundredths = Int((factor * 100).rounded())
  }

  /// Creates the speed nearest to `factor`, which may be out of range.
  public init(clamping factor: Double) {
    self = Self(factor: factor) ?? (factor < Self.normal.factor ? .slowest : .fastest)
  }

  /// The speed as a factor, 0.5…3.
  public var factor: Double { Double(hundredths) / 100 }

  /// Returns the time in which `length` of a track is played, limited to ±`MediaTime.maximum`.
  public func time(toPlay length: MediaTime) -> MediaTime {
    self == .normal ? length : MediaTime(seconds: length.seconds / factor)
  }

  /// Returns the number of frames of a track from which `frames` were made.
  public func length(playedIn frames: Frames) -> Frames { Frames(frames.count * Int64(hundredths) / 100) }

  /// Returns the number of frames, rounded to the nearest, that are made from `length` frames of a track.
  public func frames(toPlay length: Frames) -> Frames {
    Frames((length.count * 100 + Int64(hundredths) / 2) / Int64(hundredths))
  }

  public static func < (a: PlaybackSpeed, b: PlaybackSpeed) -> Bool { a.hundredths < b.hundredths }

  /// The factor with as few decimals as possible, for example "1.5".
  public var description: String {
    let (whole, rest) = hundredths.quotientAndRemainder(dividingBy: 100)
    if rest == 0 { return "\(whole)" }
    return rest % 10 == 0 ? "\(whole).\(rest / 10)" : "\(whole).\(rest < 10 ? "0" : "")\(rest)"
  }
}
