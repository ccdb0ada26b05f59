/// A detector of underruns: it ignores what the server reports about an earlier sound, and further reports of one
/// underrun.
struct UnderrunDetector {
  /// Whether the server has played anything since the stream was uncorked.
  private var hasPlayed = false
  /// Whether the server has reported since then that it has nothing more to play.
  private var isDry = false
  private var total: UInt64 = 0

  /// Whether a report that the server has run dry is new, and about the present sound.
  var acceptsDryReport: Bool { hasPlayed && !isDry }

  /// Starts anew, because the stream was uncorked.
  mutating func reset() {
    hasPlayed = false
    isDry = false
  }

  /// Records that the server started to play, for the first time or after it had run dry.
  mutating func markStarted() { isDry = false }

  /// Records that the server's timing shows the present sound playing.
  mutating func confirmPlaying() { hasPlayed = true }

  mutating func markDry() { isDry = true }

  /// Counts an underrun, and returns the total.
  mutating func count() -> UInt64 {
    total += 1
    return total
  }
}
