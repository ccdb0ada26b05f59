internal import SegueSystem

/// The times at which a lost connection is established again. An attempt that brings bytes is no failure: after its end
/// the next one follows soon. After attempts without bytes, the delay doubles each time.
struct RetrySchedule {
  /// The number of consecutive attempts that brought no bytes.
  private(set) var failures = 0

  /// The delay after an attempt that brought bytes. A server that ends every connection is not asked without a pause.
  private static let minimumDelay = MediaTime.milliseconds(200)
  private static let maximumDelay = MediaTime.seconds(30)

  /// Records the end of an attempt, and returns the delay before the next one.
  mutating func delay(afterBytes hasBytes: Bool) -> MediaTime {
    failures = hasBytes ? 0 : failures + 1
    let delay = Self.minimumDelay.nanoseconds << Int64(min(failures, 10))
    return min(MediaTime(nanoseconds: delay), Self.maximumDelay)
  }
}
