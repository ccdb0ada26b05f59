internal import Glibc
internal import SegueLink
internal import SegueSystem
internal import SegueWire

extension GainParameters {
  /// In dB; more is no wish but an error, and would overflow.
  private static let largest = 60.0
  /// Less cannot be heard, nor would it change a sample of 16 bits: such a track stays as it is.
  private static let smallest = 0.001

  /// In dB, what a track is played with whose tags state `tags`; nil if it is played as it is.
  func decibels(_ tags: ReplayGain) -> Double? {
    guard let basis else { return nil }
    let track = [
      (tags.trackGain, tags.trackPeak ?? measured.trackPeak), (measured.trackGain, measured.trackPeak),
    ]
    let album = [
      (tags.albumGain, tags.albumPeak ?? measured.albumPeak), (measured.albumGain, measured.albumPeak),
    ]
    // The other of the two is nearer to what was meant than nothing.
    let known = (basis == .track ? track + album : album + track).first { $0.0 != nil }
    var gain = known?.0.map { $0 + preamp } ?? fallback
    if preventsClipping { gain = min(gain, -20 * log10(known?.1 ?? 1)) }
    return abs(gain) < Self.smallest ? nil : gain.clamped(to: -Self.largest...Self.largest)
  }
}
