internal import SegueFFmpeg
internal import SegueSystem

/// A mapping between the timestamps of a stream and the frames of a track.
struct TrackTimeline {
  private let timeBase: TimeBase
  private let rate: SampleRate
  /// The timestamp of the first decoded frame, and its frame number. The number is negative if delay precedes the
  /// track.
  private let firstTimestamp: Int64
  private let firstFrame: Int64
  /// The distance between possible frame positions (`Codec.grid`), counted from the first frame, if timestamps are
  /// coarser than frames, such as the milliseconds of Matroska; otherwise 1.
  private let grid: Int64

  init(timeBase: TimeBase, rate: SampleRate, firstTimestamp: Int64, firstFrame: Int64, grid: Int64) {
    self.timeBase = timeBase
    self.rate = rate
    self.firstFrame = firstFrame
    let isCoarse = timeBase.numerator * Int64(rate.hertz) > timeBase.denominator
    self.grid = isCoarse ? max(1, grid) : 1
    // A coarse first timestamp is rounded. `firstFrame`, which is derived from the delay, is exact.
    let stated = Self.bounded(timeBase.convert(firstTimestamp, to: TimeBase(rate)))
    let unit = timeBase.numerator * Int64(rate.hertz) / max(1, timeBase.denominator)
    hasRoundedStart = isCoarse && abs(stated - firstFrame) <= unit + 1
    self.firstTimestamp = Self.bounded(firstTimestamp)
  }

  /// Returns `value` within bounds in which a sum of a few values cannot overflow. A file may state any timestamp.
  private static func bounded(_ value: Int64) -> Int64 { value.clamped(to: -1 << 60...1 << 60) }

  /// Whether frame 0 of the track is at timestamp 0, and `firstTimestamp` is only an approximation.
  private let hasRoundedStart: Bool

  /// Returns the track frame at `timestamp`.
  func frame(at timestamp: Int64) -> Int64 {
    let unit = TimeBase(rate)
    let origin = hasRoundedStart ? 0 : firstTimestamp
    let elapsed = Self.bounded(timeBase.convert(Self.bounded(timestamp) - origin, to: unit))
    let offset = elapsed - (hasRoundedStart ? firstFrame : 0)
    return (offset + (offset >= 0 ? grid : -grid) / 2) / grid * grid + firstFrame
  }

  /// Returns the last timestamp at or before `frame`.
  func timestamp(of frame: Int64) -> Int64 {
    let unit = TimeBase(rate)
    return firstTimestamp + Self.bounded(unit.convertRoundingDown(frame - firstFrame, to: timeBase))
  }
}
