/// How loud a track and its album are, as their tags state it (ReplayGain 2.0; RFC 7845, 5.2.1).
public struct ReplayGain: Equatable, JSONEncodable, JSONDecodable {
  /// What brings it to −18 LUFS, in dB: after the gain of an Opus header, which decoding has applied by then.
  public var trackGain: Double?
  /// The largest sample; 1 is full scale.
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

  /// What no music needs left out.
  public var bounded: ReplayGain {
    ReplayGain(trackGain: trackGain, trackPeak: trackPeak, albumGain: albumGain, albumPeak: albumPeak)
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

  public init(_ json: JSON) {
    self.init(
      trackGain: json["trackGain"]?.double, trackPeak: json["trackPeak"]?.double,
      albumGain: json["albumGain"]?.double, albumPeak: json["albumPeak"]?.double)
  }

  /// What no music needs is no measurement.
  private static func gain(_ decibels: Double) -> Double? { (-64...64).contains(decibels) ? decibels : nil }
  private static func peak(_ level: Double) -> Double? { (0...64).contains(level) && level > 0 ? level : nil }
}
