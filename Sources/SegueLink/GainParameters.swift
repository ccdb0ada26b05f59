public import SegueWire

/// How loud a track is to be played: by what its tags state or, where they state nothing, by what was measured.
public struct GainParameters: Equatable, Sendable {
  /// What is to sound as loud as everything else.
  public enum Basis: String, Sendable {
    case track, album
  }

  /// nil: it is played as it is, bit for bit.
  public var basis: Basis?
  /// In dB; on top of a gain that is known, and alone where none is.
  public var preamp: Double
  public var fallback: Double
  /// No gain lifts the peak above full scale; a peak that nobody knows counts as full scale.
  public var preventsClipping: Bool
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
    json.key("level")
    json.beginObject()
    json.member("basis", basis.rawValue)
    json.present("preamp", preamp)
    json.present("fallback", fallback)
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
