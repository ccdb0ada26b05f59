/// How tracks are made equally loud (ReplayGain, R128).
public enum GainMode: String, Sendable, CaseIterable {
  /// All are played as they are.
  case off
  /// Every track as loud as the others.
  case track
  /// Every album as loud as the others, its tracks as they belong together.
  case album
  /// `album` while an album plays in order, else `track`.
  case auto
}

/// The setting, and what came of it; the answer of `gain`.
public struct Gain: Equatable, JSONEncodable, JSONDecodable {
  public var mode: GainMode
  /// In dB, on top of the gain of every track that has one.
  public var preamp: Double
  /// In dB, for tracks without one.
  public var fallback: Double
  /// Whether no gain lifts a track's peak above full scale.
  public var preventsClipping: Bool
  /// In dB, what the track that is heard is played with; nil while it is played as it is, or nothing of it is open.
  public var applied: Double?

  public init(mode: GainMode, preamp: Double, fallback: Double, preventsClipping: Bool, applied: Double?) {
    self.mode = mode
    self.preamp = preamp
    self.fallback = fallback
    self.preventsClipping = preventsClipping
    self.applied = applied
  }

  /// Of preamp and fallback, in dB.
  public static let range = -30.0...30.0

  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.member("mode", mode.rawValue)
    json.member("preamp", preamp)
    json.member("fallback", fallback)
    json.member("preventsClipping", preventsClipping)
    json.member("applied", applied)
    json.endObject()
  }

  public init(_ json: JSON) {
    mode = json["mode"]?.string.flatMap(GainMode.init) ?? .off
    preamp = json["preamp"]?.double ?? 0
    fallback = json["fallback"]?.double ?? 0
    preventsClipping = json["preventsClipping"]?.bool ?? true
    applied = json["applied"]?.double
  }
}
