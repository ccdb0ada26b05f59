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

extension Gain {
  /// The range of `preamp` and `fallback`, in dB.
  public static let range = -30.0...30.0
}
