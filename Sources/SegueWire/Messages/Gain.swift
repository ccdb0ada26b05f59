/// A mode of loudness normalization (ReplayGain, R128).
public enum GainMode: String, Sendable, CaseIterable {
  /// Tracks play without a gain.
  case off
  /// All tracks have the same loudness.
  case track
  /// All albums have the same loudness, and the differences within an album are kept.
  case album
  /// The mode is `album` while an album plays in order, otherwise `track`.
  case auto
}

/// The result of `gain`: the settings of loudness normalization and the applied gain.
public struct Gain: Equatable, JSONEncodable, JSONDecodable {
  public var mode: GainMode
  /// The gain in dB that is added to the gain of every track that has one.
  public var preamp: Double
  /// The gain in dB of tracks without a gain.
  public var fallback: Double
  /// Whether gains are limited so that peaks stay below full scale.
  public var preventsClipping: Bool
  /// The gain in dB that is applied to the current track; nil if it plays without a gain, or if no decoder is open.
  public var applied: Double?

  public init(mode: GainMode, preamp: Double, fallback: Double, preventsClipping: Bool, applied: Double?) {
    self.mode = mode
    self.preamp = preamp
    self.fallback = fallback
    self.preventsClipping = preventsClipping
    self.applied = applied
  }

  /// The range of `preamp` and `fallback`, in dB.
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
