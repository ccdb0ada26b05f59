internal import SegueSystem

/// The pieces in which PCM arrives while playback waits for it. A source in real time is as far ahead of playback as at
/// the start only when a piece has just arrived, and a piece less before the next one does.
struct ArrivingPieces {
  /// The pause before a piece. What arrives sooner belongs to the previous piece.
  private static let minimumPause = MediaTime.milliseconds(50)

  /// The length of the longest piece. The first one does not count, because sources begin with a burst.
  private(set) var longest = MediaTime.zero
  /// The last arrival, and the length of PCM that had arrived by then.
  private var last: (time: MonotonicTime, length: MediaTime)?
  /// The length of PCM that had arrived before the last piece; nil during the first one.
  private var base: MediaTime?

  /// Records the length of the PCM that has arrived by now.
  mutating func record(_ length: MediaTime, at now: MonotonicTime) {
    guard length > last?.length ?? .zero else { return }
    if let last, now - last.time >= Self.minimumPause { base = last.length }
    last = (now, length)
    if let base { longest = max(longest, length - base) }
  }
}
