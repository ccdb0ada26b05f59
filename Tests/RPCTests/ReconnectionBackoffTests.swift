import SegueRPC
import SegueSystem
import Testing

/// Tests of the delays between attempts to connect.
@Suite struct ReconnectionBackoffTests {
  private let start = MonotonicTime(nanoseconds: 1_000_000_000_000)

  private func delay(_ backoff: inout ReconnectionBackoff, at now: MonotonicTime, absent: Bool = false) -> MediaTime? {
    backoff.nextAttempt(isDaemonAbsent: absent, canWatch: true, at: now).map { $0 - now }
  }

  @Test func delaysGrowWhileAttemptsFail() {
    var backoff = ReconnectionBackoff()
    let delays = (0..<11).map { _ in delay(&backoff, at: start) }
    #expect(delays.prefix(3) == [.milliseconds(10), .milliseconds(20), .milliseconds(40)])
    #expect(delays.suffix(2) == [.seconds(5), .seconds(5)])
    backoff.reset()
    #expect(delay(&backoff, at: start) == .milliseconds(10))
  }

  @Test func onlyANewSocketEndsTheWaitIfNothingListens() {
    var backoff = ReconnectionBackoff()
    let delays = (0..<9).map { _ in delay(&backoff, at: start, absent: true) }
    #expect(delays.dropLast().allSatisfy { $0 != nil } && delays.last == .some(nil))
  }

  @Test func delaysGrowIfTheDaemonEndsEveryConnectionSoon() {
    var backoff = ReconnectionBackoff()
    var now = start
    for _ in 0..<12 {
      backoff.connectionIsAccepted(at: now)
      now = now + .milliseconds(100)
      _ = delay(&backoff, at: now)
    }
    #expect(delay(&backoff, at: now) == .seconds(5))
  }

  @Test func delaysAreShortAfterAConnectionThatLasted() {
    var backoff = ReconnectionBackoff()
    for _ in 0..<12 { _ = delay(&backoff, at: start) }
    backoff.connectionIsAccepted(at: start)
    #expect(delay(&backoff, at: start + .seconds(5)) == .milliseconds(10))
  }
}
