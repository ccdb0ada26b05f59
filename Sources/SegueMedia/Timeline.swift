internal import CFFmpeg
internal import SegueSystem

/// How timestamps and track frames of one stream belong together.
struct Timeline {
  private let timeBase: AVRational
  private let rate: SampleRate
  /// The timestamp of the first decoded frame, and the track frame it is (below zero where delay precedes the track).
  private let firstTimestamp: Int64
  private let firstFrame: Int64
  /// Where timestamps are coarser than frames (Matroska's milliseconds), positions are multiples of this from the first.
  private let grid: Int64

  init(timeBase: AVRational, rate: SampleRate, firstTimestamp: Int64, firstFrame: Int64, grid: Int64) {
    self.timeBase = timeBase
    self.rate = rate
    self.firstFrame = firstFrame
    let isCoarse = Int64(timeBase.num) * Int64(rate.hertz) > Int64(timeBase.den)
    self.grid = isCoarse ? max(1, grid) : 1
    // A coarse first timestamp is the true one rounded; the delay says what was rounded.
    let stated = Self.bounded(av_rescale_q(firstTimestamp, timeBase, AVRational(num: 1, den: Int32(rate.hertz))))
    let unit = Int64(timeBase.num) * Int64(rate.hertz) / max(1, Int64(timeBase.den))
    hasRoundedStart = isCoarse && abs(stated - firstFrame) <= unit + 1
    self.firstTimestamp = Self.bounded(firstTimestamp)
  }

  /// A file may state any timestamp: no sum of a few bounded ones overflows.
  private static func bounded(_ value: Int64) -> Int64 { value.clamped(to: -1 << 60...1 << 60) }

  /// Track frame 0 lies at timestamp 0, and `firstTimestamp` only approximates that of the first frame.
  private let hasRoundedStart: Bool

  /// The track frame that `timestamp` names.
  func frame(at timestamp: Int64) -> Int64 {
    let unit = AVRational(num: 1, den: Int32(rate.hertz))
    let origin = hasRoundedStart ? 0 : firstTimestamp
    let elapsed = Self.bounded(av_rescale_q(Self.bounded(timestamp) - origin, timeBase, unit))
    let offset = elapsed - (hasRoundedStart ? firstFrame : 0)
    return (offset + (offset >= 0 ? grid : -grid) / 2) / grid * grid + firstFrame
  }

  /// The last timestamp at or before `frame`.
  func timestamp(of frame: Int64) -> Int64 {
    let unit = AVRational(num: 1, den: Int32(rate.hertz))
    return firstTimestamp + Self.bounded(av_rescale_q_rnd(frame - firstFrame, unit, timeBase, AV_ROUND_DOWN))
  }
}
