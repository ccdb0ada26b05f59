/// A limit on the rate of an event: each event takes a token, and tokens are added at a constant rate up to a maximum.
public struct TokenBucket: Sendable {
  private let capacity: Double
  private let perSecond: Double
  private var tokens: Double
  private var refilled: MonotonicTime

  /// Creates a full bucket.
  public init(capacity: Double, perSecond: Double, at now: MonotonicTime = .now) {
    self.capacity = capacity
    self.perSecond = perSecond
    tokens = capacity
    refilled = now
  }

  /// Adds `count` tokens in addition to those that are added over time.
  public mutating func add(_ count: Double) { tokens = min(tokens + count, capacity) }

  /// Takes tokens. Returns false if there are not so many besides those that are to be left.
  public mutating func take(
    _ count: Double = 1, leaving reserved: Double = 0, at now: MonotonicTime = .now
  ) -> Bool {
    refill(at: now)
    guard tokens >= count + reserved else { return false }
    tokens -= count
    return true
  }

  /// Returns the time until there is a token besides those that are to be left.
  public mutating func delay(leaving reserved: Double = 0, at now: MonotonicTime = .now) -> MediaTime {
    refill(at: now)
    return MediaTime(seconds: max(0, 1 + reserved - tokens) / perSecond)
  }

  private mutating func refill(at now: MonotonicTime) {
    tokens = min(tokens + (now - refilled).seconds * perSecond, capacity)
    refilled = now
  }
}
