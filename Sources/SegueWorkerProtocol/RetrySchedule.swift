public import SegueSystem

/// The times at which a lost stream is requested or opened again. After an attempt that brought enough, the next one
/// follows soon. After other attempts, the delay doubles each time.
public struct RetrySchedule: Equatable, Sendable {
  private var backoff = Backoff(.milliseconds(400)...(.seconds(30)))

  /// The time for which a live stream must be received or heard to have brought enough.
  public static let sufficientTime = MediaTime.seconds(1)
  /// The delay after an attempt that brought enough. A server that ends every connection is not asked without a pause.
  private static let delayAfterSuccess = MediaTime.milliseconds(200)

  public init() {}

  /// The number of consecutive attempts that brought too little.
  public var failures: Int { backoff.count }

  /// Records the end of an attempt, and returns the delay before the next one.
  public mutating func delay(afterSuccess isSufficient: Bool) -> MediaTime {
    guard isSufficient else { return backoff.next() }
    backoff.reset()
    return Self.delayAfterSuccess
  }
}
