public import SegueSystem

/// The times at which a lost stream is requested or opened again. After an attempt that brought enough, the next one follows
/// soon. After other attempts, the delay doubles each time.
public struct RetrySchedule: Equatable, Sendable {
  /// The number of consecutive attempts that brought too little.
  public private(set) var failures = 0

  /// The time for which a live stream must be received or heard to have brought enough.
  public static let sufficientTime = MediaTime.seconds(1)
  /// The delay after an attempt that brought enough. A server that ends every connection is not asked without a pause.
  private static let minimumDelay = MediaTime.milliseconds(200)
  private static let maximumDelay = MediaTime.seconds(30)

  public init() {}

  /// Records the end of an attempt, and returns the delay before the next one.
  public mutating func delay(afterSuccess isSufficient: Bool) -> MediaTime {
    failures = isSufficient ? 0 : failures + 1
    let delay = Self.minimumDelay.nanoseconds << Int64(min(failures, 10))
    return min(MediaTime(nanoseconds: delay), Self.maximumDelay)
  }
}
