import SegueSystem
import Testing

@testable import SegueFetch

@Suite struct RetryScheduleTests {
  @Test func theDelayGrowsWhileAttemptsBringNoBytes() {
    var schedule = RetrySchedule()
    let delays = (0..<12).map { _ in schedule.delay(afterBytes: false) }
    #expect(delays.first == .milliseconds(400))
    #expect(zip(delays, delays.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(delays.last == .seconds(30))
    #expect(schedule.failures == 12)
  }

  @Test func anAttemptThatBringsBytesIsNoFailure() {
    var schedule = RetrySchedule()
    for _ in 0..<5 { _ = schedule.delay(afterBytes: false) }
    #expect(schedule.delay(afterBytes: true) == .milliseconds(200))
    #expect(schedule.failures == 0)
  }
}
