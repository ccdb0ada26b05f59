internal import SegueCatalogProviders
internal import SegueSystem

/// A limiter of the rate of requests, with a token bucket for each host. It is a value: it reads no clock by itself.
struct RateLimiter {
  private struct Host {
    var bucket: TokenBucket
    /// The time until which the server accepts no requests.
    var pausedUntil: MonotonicTime
  }

  private struct Key: Hashable {
    let host: String
    /// Requests with different limits do not count together: a server may offer both results and pictures.
    let limit: CatalogRateLimit
  }

  private var hosts: [Key: Host] = [:]

  /// The number of hosts above which those without a pause are forgotten.
  private static let maximumHosts = 256

  /// Takes the permission for a request. Returns nil if it may be sent, and otherwise the time after which it may be.
  /// - Parameter reserved: The share of the permitted requests that this one leaves to others, from 0 to 1.
  mutating func take(
    _ host: String, _ limit: CatalogRateLimit, reserving reserved: Double = 0, at now: MonotonicTime
  ) -> MediaTime? {
    if hosts.count >= Self.maximumHosts { hosts = hosts.filter { $0.value.pausedUntil > now } }
    let key = Key(host: host, limit: limit)
    var state = hosts[key] ?? Self.makeHost(limit, at: now)
    defer { hosts[key] = state }
    if state.pausedUntil > now { return state.pausedUntil - now }
    let others = (Double(limit.requests) * reserved).rounded(.down)
    return state.bucket.take(leaving: others, at: now) ? nil : state.bucket.delay(leaving: others, at: now)
  }

  /// Permits no requests to a host for a time, because its server has refused one. A pause that ends later is kept: the
  /// server may refuse several requests that were sent at a time, and state the time only once.
  mutating func pause(_ host: String, for time: MediaTime, _ limit: CatalogRateLimit, at now: MonotonicTime) {
    let key = Key(host: host, limit: limit)
    var state = hosts[key] ?? Self.makeHost(limit, at: now)
    state.pausedUntil = max(state.pausedUntil, now + time)
    hosts[key] = state
  }

  private static func makeHost(_ limit: CatalogRateLimit, at now: MonotonicTime) -> Host {
    let requests = Double(limit.requests)
    return Host(
      bucket: TokenBucket(capacity: requests, perSecond: requests / limit.interval.seconds, at: now), pausedUntil: now)
  }
}
