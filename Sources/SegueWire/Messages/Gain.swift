internal import SegueSystem

/// A gain that is applied to a track.
public struct AppliedGain: Equatable, Sendable, JSONEncodable {
  /// The applied gain in dB.
  public var decibels: Double
  /// The gain in dB that tags, measurement and settings ask for.
  public var requested: Double
  /// The reason for which `decibels` is less than `requested`, or is not applied to all samples; nil if there is none.
  public var limit: GainLimit?

  public init(_ decibels: Double, requested: Double? = nil, limit: GainLimit? = nil) {
    self.decibels = decibels
    self.requested = requested ?? decibels
    self.limit = limit
  }

  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.member("decibels", decibels)
    json.member("requested", requested)
    if let limit { json.member("limit", limit.rawValue) }
    json.endObject()
  }

  /// Creates a gain from the event of a worker, limited to plausible values. Returns nil without one.
  public init?(_ json: JSON?) {
    guard let decibels = json?["decibels"]?.double else { return nil }
    let range = -1_000.0...1_000.0
    self.init(
      decibels.clamped(to: range), requested: json?["requested"]?.double?.clamped(to: range),
      limit: json?["limit"]?.string.flatMap(GainLimit.init))
  }
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
  /// The gain in dB that tags, measurement and settings ask for; nil if `applied` is nil.
  public var requested: Double?
  /// The reason for which the current track is less loud than `requested`; nil if it is not.
  public var limit: GainLimit?

  public init(
    mode: GainMode, preamp: Double, fallback: Double, preventsClipping: Bool, applied: Double?,
    requested: Double? = nil, limit: GainLimit? = nil
  ) {
    self.mode = mode
    self.preamp = preamp
    self.fallback = fallback
    self.preventsClipping = preventsClipping
    self.applied = applied
    self.requested = requested
    self.limit = limit
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
    json.member("requested", requested)
    json.member("limit", limit?.rawValue)
    json.endObject()
  }

  public init(_ json: JSON) {
    mode = json["mode"]?.string.flatMap(GainMode.init) ?? .off
    preamp = json["preamp"]?.double ?? 0
    fallback = json["fallback"]?.double ?? 0
    preventsClipping = json["preventsClipping"]?.bool ?? true
    applied = json["applied"]?.double
    requested = json["requested"]?.double
    limit = json["limit"]?.string.flatMap(GainLimit.init)
  }
}
