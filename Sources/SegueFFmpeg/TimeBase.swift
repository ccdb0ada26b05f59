internal import CFFmpeg
package import SegueSystem

/// A unit of timestamps, in seconds: a rational number as libavformat states it.
package struct TimeBase: Sendable {
  package let numerator: Int64
  package let denominator: Int64

  init(_ rational: AVRational) {
    numerator = Int64(rational.num)
    denominator = Int64(rational.den)
  }

  package init(ticksPerSecond: Int32) {
    numerator = 1
    denominator = Int64(ticksPerSecond)
  }

  /// The time base in which timestamps count frames at `rate`.
  package init(_ rate: SampleRate) { self.init(ticksPerSecond: Int32(rate.hertz)) }

  private var rational: AVRational {
    AVRational(num: Int32(truncatingIfNeeded: numerator), den: Int32(truncatingIfNeeded: denominator))
  }

  /// Returns `value` in the other time base, rounded to the nearest integer (av_rescale_q). If the result does not fit,
  /// returns `Int64.min`.
  package func convert(_ value: Int64, to other: TimeBase) -> Int64 {
    av_rescale_q(value, rational, other.rational)
  }

  /// Returns `value` in the other time base, rounded down.
  package func convertRoundingDown(_ value: Int64, to other: TimeBase) -> Int64 {
    av_rescale_q_rnd(value, rational, other.rational, AV_ROUND_DOWN)
  }

  /// Returns the number of frames at `rate` in `value`, which must be positive. If the number does not fit, returns
  /// `Int64.max`.
  package func frames(_ value: Int64, at rate: SampleRate) -> Frames {
    let frames = convert(value, to: TimeBase(rate))
    return Frames(frames < 0 ? Int64.max : frames)
  }
}
