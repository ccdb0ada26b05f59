import SegueSystem
import SegueWorkerProtocol
import Testing

@testable import SegueFetch

@Suite struct RetryScheduleTests {
  private let enough: Int64 = 16 * 1024

  @Test func theDelayGrowsWhileAttemptsBringTooFewBytes() {
    for count in [0, enough - 1] {
      var schedule = RetrySchedule()
      let delays = (0..<12).map { _ in schedule.delay(afterBytes: count, in: .zero, isLive: true) }
      #expect(delays.first == .milliseconds(400))
      #expect(zip(delays, delays.dropFirst()).allSatisfy { $0 <= $1 })
      #expect(delays.last == .seconds(30))
      #expect(schedule.failures == 12)
    }
  }

  @Test(arguments: [true, false])
  func anAttemptThatBringsEnoughBytesIsNoFailure(_ isLive: Bool) {
    var schedule = RetrySchedule()
    for _ in 0..<5 { _ = schedule.delay(afterBytes: 0, in: .zero, isLive: isLive) }
    #expect(schedule.delay(afterBytes: enough, in: .zero, isLive: isLive) == .milliseconds(200))
    #expect(schedule.failures == 0)
  }

  @Test func aSecondOfALiveStreamIsEnough() {
    var schedule = RetrySchedule()
    #expect(schedule.delay(afterBytes: 1, in: .seconds(1), isLive: true) == .milliseconds(200))
    #expect(schedule.delay(afterBytes: 1, in: .milliseconds(999), isLive: true) == .milliseconds(400))
    #expect(schedule.delay(afterBytes: 0, in: .seconds(9), isLive: true) == .milliseconds(800))
    #expect(schedule.delay(afterBytes: 1, in: .seconds(9), isLive: false) == .milliseconds(1600))
  }
}
