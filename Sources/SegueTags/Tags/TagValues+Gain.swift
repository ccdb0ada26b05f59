internal import SegueWire

extension TagValues {
  /// Of the tags for it, or of ID3v2's own frame. What iTunes measures (iTunNORM) is no loudness.
  var gain: ReplayGain {
    ReplayGain(
      trackGain: loudness(.opusTrackGain) ?? number(.trackGain) ?? number(.relativeTrackGain),
      trackPeak: number(.trackPeak) ?? number(.relativeTrackPeak),
      albumGain: loudness(.opusAlbumGain) ?? number(.albumGain) ?? number(.relativeAlbumGain),
      albumPeak: number(.albumPeak) ?? number(.relativeAlbumPeak))
  }

  /// RFC 7845, 5.2.1: 256ths of a dB to bring it to −23 LUFS.
  private func loudness(_ field: TagField) -> Double? {
    text(field).flatMap { Int($0) }.flatMap { (-32768...32767).contains($0) ? Double($0) / 256 + 5 : nil }
  }

  /// "-7.25 dB", "+1,5", "0.987", "3.05e-05".
  private func number(_ field: TagField) -> Double? {
    guard let text = text(field) else { return nil }
    let digits = text.prefix { $0.isASCII && ($0.isNumber || "+-.,eE".contains($0)) }
    return Double(String(digits.map { $0 == "," ? "." : $0 }))
  }
}
