public import SegueWire

/// The parameters from which a worker computes the gain of a track. The gain is taken from the tags or, if they state
/// none, from a measurement.
public struct GainParameters: Equatable, Sendable {
  /// The unit whose loudness is normalized.
  public enum Basis: String, Sendable {
    case track, album
  }

  /// The unit whose loudness is normalized; nil if the track plays without a gain, bit for bit.
  public var basis: Basis?
  /// The gain in dB that is added to the gain of a track that has one.
  public var preamp: Double
  /// The gain in dB of a track that has none.
  public var fallback: Double
  /// Whether the gain is limited so that the peak stays below full scale. If the peak is unknown, a limiter acts
  /// instead.
  public var preventsClipping: Bool
  /// The measured loudness.
  public var measured: ReplayGain

  public init(
    _ basis: Basis? = nil, preamp: Double = 0, fallback: Double = 0, preventsClipping: Bool = true,
    measured: ReplayGain = ReplayGain()
  ) {
    self.basis = basis
    self.preamp = preamp
    self.fallback = fallback
    self.preventsClipping = preventsClipping
    self.measured = measured
  }

  func encode(into json: inout JSONWriter) {
    guard let basis else { return }
    json.key("gain")
    json.beginObject()
    json.member("basis", basis.rawValue)
    json.memberIfPresent("preamp", preamp)
    json.memberIfPresent("fallback", fallback)
    json.member("preventsClipping", preventsClipping)
    json.member("measured", measured)
    json.endObject()
  }

  init(_ json: JSON?) {
    self.init(
      json?["basis"]?.string.flatMap(Basis.init), preamp: json?["preamp"]?.double ?? 0,
      fallback: json?["fallback"]?.double ?? 0, preventsClipping: json?["preventsClipping"]?.bool ?? true,
      measured: json?["measured"].map(ReplayGain.init) ?? ReplayGain())
  }
}
