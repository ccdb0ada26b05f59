// Thread: the loop.

internal import SegueSystem

/// The numbers of requests that strangers may send: so many of a network that pages work, and no more.
struct NetworkRates {
  private var buckets: [[UInt8]: TokenBucket] = [:]

  /// The number of networks that are remembered. When there are more, all begin anew: whoever has so many can send as
  /// much as the connections permit anyway.
  private static let maximumNetworks = 1_000

  /// Counts a request of a client. Returns the time until it may send another one; nil if it may send this one.
  mutating func take(for client: ClientAddress, at now: MonotonicTime = .now) -> MediaTime? {
    if buckets.count >= Self.maximumNetworks, buckets[client.network] == nil { buckets = [:] }
    var bucket = buckets[client.network] ?? TokenBucket(capacity: 200, perSecond: 50, at: now)
    defer { buckets[client.network] = bucket }
    return bucket.take(at: now) ? nil : bucket.delay(at: now)
  }
}
