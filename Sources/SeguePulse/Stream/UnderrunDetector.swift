internal import SegueSystem

/// A detector of underruns: it ignores what the server reports about an earlier sound, and counts several reports of
/// one underrun once. A server that has run dry stays dry until the stream is uncorked again, although it reports a
/// start if more PCM was on the way to it.
struct UnderrunDetector: Equatable {
  /// Whether the server has played anything since the stream was uncorked.
  private var hasPlayed = false
  /// Whether the server has run dry since then.
  private(set) var isDry = false
  private var total: UInt64 = 0

  /// Returns whether a report that the server has run dry is about the present sound.
  /// - Parameters:
  ///   - end: The end of what the server had; nil if it is not known.
  ///   - written: The end of what was written. A server that has read that much is dry, whether or not it was seen
  ///     playing.
  func acceptsDryReport(at end: Frames?, written: Frames) -> Bool {
    hasPlayed || end == written && written > .zero
  }

  /// Starts anew, because the stream was uncorked.
  mutating func reset() {
    hasPlayed = false
    isDry = false
  }

  /// Records that the server's timing shows the present sound playing.
  mutating func confirmPlaying() { hasPlayed = true }

  mutating func markDry() { isDry = true }

  /// Counts an underrun, and returns the total.
  mutating func count() -> UInt64 {
    total += 1
    return total
  }
}
