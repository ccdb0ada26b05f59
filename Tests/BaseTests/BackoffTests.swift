import Glibc
import SegueSystem
import Testing

/// Tests of delays between attempts, and of the timeouts of waits.
@Suite struct BackoffTests {
  @Test func eachDelayIsTwiceAsLongUpToTheMaximum() {
    var backoff = Backoff(.milliseconds(50)...(.milliseconds(300)))
    let delays = (0..<5).map { _ in backoff.next() }
    #expect(delays == [50, 100, 200, 300, 300].map(MediaTime.milliseconds))
    #expect(backoff.count == 5)
    backoff.reset()
    #expect(backoff.count == 0)
    #expect(backoff.next() == .milliseconds(50))
  }

  @Test func theDelayStaysAtTheMaximumHoweverManyAttemptsFail() {
    var backoff = Backoff(.seconds(1)...(.seconds(60)))
    #expect((0..<200).map { _ in backoff.next() }.last == .seconds(60))
  }

  @Test func timeoutsAreRoundedUpAndNeverNegative() {
    let now = MonotonicTime(nanoseconds: 5_000_000_000)
    func timeout(_ nanoseconds: Int64) -> Int32 {
      MonotonicTime.timeout(until: now + MediaTime(nanoseconds: nanoseconds), at: now)
    }
    #expect(timeout(0) == 0)
    #expect(timeout(1) == 1)
    #expect(timeout(1_000_000) == 1)
    #expect(timeout(1_000_001) == 2)
    #expect(timeout(-1) == 0)
    #expect(timeout(.min) == 0)
    #expect(timeout(.max) == .max)
    #expect(MonotonicTime.timeout(until: nil, at: now) == -1)
  }

  @Test func aWaitEndsAtTheDeadlineOrWithAnEvent() throws {
    let counter = try EventCounter()
    var entries = [pollfd(fd: counter.raw, events: Int16(POLLIN), revents: 0)]
    let deadline = MonotonicTime.now + .milliseconds(2)
    #expect(poll(&entries, until: deadline) == 0)
    #expect(MonotonicTime.now >= deadline)
    counter.raise()
    #expect(poll(&entries, until: nil) == 1)
    #expect(entries[0].revents == Int16(POLLIN))
  }
}
