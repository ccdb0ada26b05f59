internal import SegueFFmpeg
internal import SegueSystem

/// How timestamps and track frames of one stream belong together.
struct Timeline {
  private let timeBase: TimeBase
  private let rate: SampleRate
  /// The timestamp of the first decoded frame, and the track frame it is (below zero where delay precedes the track).
  private let firstTimestamp: Int64
  private let firstFrame: Int64
  /// Where timestamps are coarser than frames (Matroska's milliseconds), positions are multiples of this from the first.
  private let grid: Int64

  init(timeBase: TimeBase, rate: SampleRate, firstTimestamp: Int64, firstFrame: Int64, grid: Int64) {
    self.timeBase = timeBase
    self.rate = rate
    self.firstFrame = firstFrame
    let isCoarse = timeBase.numerator * Int64(rate.hertz) > timeBase.denominator
    self.grid = isCoarse ? max(1, grid) : 1
    // A coarse first timestamp is the true one rounded; the delay says what was rounded.
    let stated = Self.bounded(timeBase.convert(firstTimestamp, to: TimeBase(rate)))
    let unit = timeBase.numerator * Int64(rate.hertz) / max(1, timeBase.denominator)
    hasRoundedStart = isCoarse && abs(stated - firstFrame) <= unit + 1
    self.firstTimestamp = Self.bounded(firstTimestamp)
  }

  /// A file may state any timestamp: no sum of a few bounded ones overflows.
  private static func bounded(_ value: Int64) -> Int64 { value.clamped(to: -1 << 60...1 << 60) }

  /// Track frame 0 lies at timestamp 0, and `firstTimestamp` only approximates that of the first frame.
  private let hasRoundedStart: Bool

  /// The track frame that `timestamp` names.
  func frame(at timestamp: Int64) -> Int64 {
    let unit = TimeBase(rate)
    let origin = hasRoundedStart ? 0 : firstTimestamp
    let elapsed = Self.bounded(timeBase.convert(Self.bounded(timestamp) - origin, to: unit))
    let offset = elapsed - (hasRoundedStart ? firstFrame : 0)
    return (offset + (offset >= 0 ? grid : -grid) / 2) / grid * grid + firstFrame
  }

  /// The last timestamp at or before `frame`.
  func timestamp(of frame: Int64) -> Int64 {
    let unit = TimeBase(rate)
    return firstTimestamp + Self.bounded(unit.convertRoundingDown(frame - firstFrame, to: timeBase))
  }
}
