/// A bound on how often something may happen: a token for each time, of which so many may be saved and so many are added
/// every second.
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

  /// Adds tokens beside those that time adds.
  public mutating func add(_ count: Double) { tokens = min(tokens + count, capacity) }

  /// Takes a token. Returns false, and takes none, if there is none.
  public mutating func take(at now: MonotonicTime = .now) -> Bool {
    tokens = min(tokens + (now - refilled).seconds * perSecond, capacity)
    refilled = now
    guard tokens >= 1 else { return false }
    tokens -= 1
    return true
  }
}
