internal import SegueWire

extension TagValues {
  /// The gain in ReplayGain tags or in ID3v2's RVA2 frame. iTunNORM is not used, since it does not state a loudness.
  var gain: ReplayGain {
    ReplayGain(
      trackGain: loudness(.opusTrackGain) ?? number(.trackGain) ?? number(.relativeTrackGain),
      trackPeak: number(.trackPeak) ?? number(.relativeTrackPeak),
      albumGain: loudness(.opusAlbumGain) ?? number(.albumGain) ?? number(.relativeAlbumGain),
      albumPeak: number(.albumPeak) ?? number(.relativeAlbumPeak))
  }

  /// Returns the gain of an Opus tag (RFC 7845, 5.2.1), which is relative to −23 LUFS in units of 1/256 dB.
  private func loudness(_ field: TagField) -> Double? {
    text(field).flatMap { Int($0) }.flatMap { (-32768...32767).contains($0) ? Double($0) / 256 + 5 : nil }
  }

  /// Returns the number in texts such as "-7.25 dB", "+1,5", "0.987" and "3.05e-05".
  private func number(_ field: TagField) -> Double? {
    guard let text = text(field) else { return nil }
    let digits = text.prefix { $0.isASCII && ($0.isNumber || "+-.,eE".contains($0)) }
    return Double(String(digits.map { $0 == "," ? "." : $0 }))
  }
}
