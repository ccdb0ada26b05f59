import SegueCatalogProviders
import SegueSystem
import Testing

@testable import SegueCatalogService

@Suite struct RateLimiterTests {
  private let iTunes = CatalogRateLimit(requests: 20, interval: .seconds(60))
  private let start = MonotonicTime(nanoseconds: 1_000_000_000_000)

  @Test func twentyRequestsAMinute_areAllowed() throws {
    var limiter = RateLimiter()
    for _ in 0..<20 { #expect(limiter.take("h", iTunes, at: start) == nil) }
    #expect(limiter.take("h", iTunes, at: start) == .seconds(3), "a token every three seconds")
    #expect(limiter.take("h", iTunes, at: start + .seconds(2)) == .seconds(1))
    #expect(limiter.take("h", iTunes, at: start + .seconds(3)) == nil)
    #expect(limiter.take("h", iTunes, at: start + .seconds(3)) != nil)
    for _ in 0..<20 { #expect(limiter.take("h", iTunes, at: start + .seconds(1000)) == nil) }
    #expect(limiter.take("h", iTunes, at: start + .seconds(1000)) != nil, "at most 20 at once")
  }

  @Test func reservedRequests_areLeftToOthers() {
    var limiter = RateLimiter()
    for _ in 0..<10 { #expect(limiter.take("h", iTunes, reserving: 0.5, at: start) == nil) }
    #expect(limiter.take("h", iTunes, reserving: 0.5, at: start) == .seconds(3))
    for _ in 0..<10 { #expect(limiter.take("h", iTunes, at: start) == nil) }
    #expect(limiter.take("h", iTunes, reserving: 0.5, at: start) == .seconds(33))
    #expect(limiter.take("h", iTunes, at: start) == .seconds(3))
  }

  @Test func hosts_haveSeparateLimits() {
    var limiter = RateLimiter()
    let one = CatalogRateLimit(requests: 1, interval: .seconds(1))
    #expect(limiter.take("a", one, at: start) == nil)
    #expect(limiter.take("b", one, at: start) == nil)
    #expect(limiter.take("a", one, at: start) != nil)
  }

  @Test func pausedHost_getsNoRequestUntilTheEnd() {
    var limiter = RateLimiter()
    limiter.pause("h", for: .seconds(7), iTunes, at: start)
    #expect(limiter.take("h", iTunes, at: start + .seconds(1)) == .seconds(6))
    #expect(limiter.take("other", iTunes, at: start) == nil)
    #expect(limiter.take("h", iTunes, at: start + .seconds(7)) == nil)
  }

  /// Several requests are under way when a server refuses the first one.
  @Test func shorterPause_doesNotReplaceALongerOne() {
    var limiter = RateLimiter()
    limiter.pause("h", for: .seconds(3600), iTunes, at: start)
    limiter.pause("h", for: .seconds(60), iTunes, at: start + .seconds(1))
    #expect(limiter.take("h", iTunes, at: start + .seconds(100)) == .seconds(3500))
    limiter.pause("h", for: .seconds(7200), iTunes, at: start + .seconds(100))
    #expect(limiter.take("h", iTunes, at: start + .seconds(100)) == .seconds(7200))
  }

  @Test func pause_isKeptWhenHostsAreForgotten() {
    var limiter = RateLimiter()
    limiter.pause("h", for: .seconds(60), iTunes, at: start)
    for host in 0..<1000 { _ = limiter.take("\(host)", iTunes, at: start) }
    #expect(limiter.take("h", iTunes, at: start) == .seconds(60))
  }
}
