/// The delays between attempts that fail: each is twice as long as the one before, up to a maximum.
public struct Backoff: Equatable, Sendable {
  /// The number of delays since the last success.
  public private(set) var count = 0
  private let delays: ClosedRange<MediaTime>

  /// - Parameter delays: The first delay, and the longest one.
  public init(_ delays: ClosedRange<MediaTime>) { self.delays = delays }

  /// Returns the delay before the next attempt.
  public mutating func next() -> MediaTime {
    defer { count += 1 }
    return min(delays.lowerBound * (1 << min(count, 62)), delays.upperBound)
  }

  /// Begins with the first delay again, because an attempt has succeeded or its conditions have changed.
  public mutating func reset() { count = 0 }
}
