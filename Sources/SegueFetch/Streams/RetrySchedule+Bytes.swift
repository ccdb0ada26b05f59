internal import SegueSystem
internal import SegueWorkerProtocol

extension RetrySchedule {
  private static let sufficientBytes: Int64 = 16 * 1024

  /// Records the end of an attempt that brought `count` bytes in `time`, and returns the delay before the next one. A
  /// live stream that sends for a second has brought enough, too.
  mutating func delay(afterBytes count: Int64, in time: MediaTime, isLive: Bool) -> MediaTime {
    delay(afterSuccess: count >= Self.sufficientBytes || isLive && count > 0 && time >= Self.sufficientTime)
  }
}
