internal import SegueSystem

/// The times at which a lost connection is established again. After an attempt that brought enough bytes, the next one
/// follows soon. After other attempts, the delay doubles each time.
struct RetrySchedule {
  /// The number of consecutive attempts that brought too few bytes.
  private(set) var failures = 0

  /// The delay after an attempt that brought enough bytes. A server that ends every connection is not asked without a pause.
  private static let minimumDelay = MediaTime.milliseconds(200)
  private static let maximumDelay = MediaTime.seconds(30)
  private static let sufficientBytes: Int64 = 16 * 1024
  private static let sufficientTime = MediaTime.seconds(1)

  /// Records the end of an attempt that brought `count` bytes in `time`, and returns the delay before the next one. A live
  /// stream that sends for a second has brought enough, too.
  mutating func delay(afterBytes count: Int64, in time: MediaTime, isLive: Bool) -> MediaTime {
    let isSufficient = count >= Self.sufficientBytes || isLive && count > 0 && time >= Self.sufficientTime
    failures = isSufficient ? 0 : failures + 1
    let delay = Self.minimumDelay.nanoseconds << Int64(min(failures, 10))
    return min(MediaTime(nanoseconds: delay), Self.maximumDelay)
  }
}
