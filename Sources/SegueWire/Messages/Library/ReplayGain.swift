/// The gains and peaks of a track and its album, from tags or from a measurement (ReplayGain 2.0; RFC 7845, 5.2.1).
public struct ReplayGain: Equatable, JSONEncodable, JSONDecodable {
  /// The gain to −18 LUFS, in dB. It applies after the gain of an Opus header, which the decoder applies.
  public var trackGain: Double?
  /// The peak; 1 is full scale.
  public var trackPeak: Double?
  public var albumGain: Double?
  public var albumPeak: Double?

  public init(
    trackGain: Double? = nil, trackPeak: Double? = nil, albumGain: Double? = nil, albumPeak: Double? = nil
  ) {
    self.trackGain = trackGain.flatMap(Self.gain)
    self.trackPeak = trackPeak.flatMap(Self.peak)
    self.albumGain = albumGain.flatMap(Self.gain)
    self.albumPeak = albumPeak.flatMap(Self.peak)
  }

  /// The values without implausible ones.
  public var bounded: ReplayGain {
    ReplayGain(trackGain: trackGain, trackPeak: trackPeak, albumGain: albumGain, albumPeak: albumPeak)
  }

  /// Returns the values, and those of `other` where values are missing.
  public func filled(from other: ReplayGain) -> ReplayGain {
    ReplayGain(
      trackGain: trackGain ?? other.trackGain, trackPeak: trackPeak ?? other.trackPeak,
      albumGain: albumGain ?? other.albumGain, albumPeak: albumPeak ?? other.albumPeak)
  }

  public var isEmpty: Bool { self == ReplayGain() }

  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.member("trackGain", trackGain)
    json.member("trackPeak", trackPeak)
    json.member("albumGain", albumGain)
    json.member("albumPeak", albumPeak)
    json.endObject()
  }

  public init(_ json: JSON?) {
    self.init(
      trackGain: json?["trackGain"]?.double, trackPeak: json?["trackPeak"]?.double,
      albumGain: json?["albumGain"]?.double, albumPeak: json?["albumPeak"]?.double)
  }

  // Implausible values are treated as missing.
  private static func gain(_ decibels: Double) -> Double? { (-64...64).contains(decibels) ? decibels : nil }
  private static func peak(_ level: Double) -> Double? { (0...64).contains(level) && level > 0 ? level : nil }
}
