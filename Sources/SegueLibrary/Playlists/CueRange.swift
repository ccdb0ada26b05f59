public import SegueSystem

/// A part of a file, as a track of a cue sheet is one. In whole CD frames (75 a second), which is what cue sheets count
/// in: the end of a track and the start of the next are the same number, so they become the same sample.
public struct CueRange: Hashable, Sendable {
  /// CD frames from the file's start.
  public var start: Int64
  /// CD frames from the file's start; nil for the last track, which ends where the file does.
  public var end: Int64?

  public init(start: Int64, end: Int64?) {
    self.start = start
    self.end = end
  }

  public static let framesPerSecond: Int64 = 75
  /// No bound that is read lies beyond `MediaTime.maximum`, so that none overflows as a time.
  static let longest = MediaTime.maximum.nanoseconds / 1_000_000_000 * framesPerSecond

  /// To the nearest nanosecond. `SampleRate.frames(in:)` makes the exact sample of it.
  public var startTime: MediaTime { Self.time(start) }
  public var endTime: MediaTime? { end.map(Self.time) }
  public var duration: MediaTime? { end.map { Self.time($0 - start) } }

  private static func time(_ frames: Int64) -> MediaTime {
    let (whole, rest) = frames.quotientAndRemainder(dividingBy: framesPerSecond)
    return MediaTime(nanoseconds: whole * 1_000_000_000 + (rest * 1_000_000_000 + 37) / framesPerSecond)
  }
}
