import SegueSystem
import Testing

@testable import SegueScan

@Suite struct ScanScheduleTests {
  private let start = MonotonicTime(nanoseconds: 1_000_000_000_000)

  @Test func changesAreDueAfterAPauseOrTheMaximumDelay() {
    let schedule = ScanSchedule(limits: ScanLimits())
    #expect(schedule.dueTime(ofChanges: nil) == nil)
    #expect(schedule.dueTime(ofChanges: (start, start)) == start + .milliseconds(500))
    #expect(schedule.dueTime(ofChanges: (start, start + .seconds(3))) == start + .milliseconds(3_500))
    #expect(schedule.dueTime(ofChanges: (start, start + .seconds(60))) == start + .seconds(5))
  }

  @Test func abandonedWalksAreRepeatedWithABackoffUpToTheInterval() {
    var schedule = ScanSchedule(limits: ScanLimits())
    var pauses: [Double] = []
    for _ in 0..<20 {
      schedule.recordAbandonedWalk()
      schedule.planWalk(isWatchIncomplete: false, at: start)
      pauses.append(((schedule.deadline(nil) ?? start) - start).seconds)
      schedule.recordFullWalkStart()
    }
    #expect(pauses.prefix(4) == [5, 10, 20, 40])
    #expect(pauses.suffix(12).allSatisfy { $0 == 900 })
    #expect(schedule.mustCoverEverything)
    schedule.recordFullWalkEnd()
    schedule.planWalk(isWatchIncomplete: false, at: start)
    #expect(schedule.deadline(nil) == nil)
  }

  @Test func anAbandonedWalkIsRepeatedSoonDespiteALaterTimedWalk() {
    var schedule = ScanSchedule(limits: ScanLimits())
    schedule.planWalk(isWatchIncomplete: true, at: start)
    #expect(schedule.deadline(nil) == start + .seconds(900))
    schedule.recordAbandonedWalk()
    schedule.planWalk(isWatchIncomplete: true, at: start + .seconds(60))
    #expect(schedule.deadline(nil) == start + .seconds(65))
    // The pause after a second failure is longer, but does not postpone the walk.
    schedule.recordAbandonedWalk()
    schedule.planWalk(isWatchIncomplete: true, at: start + .seconds(61))
    #expect(schedule.deadline(nil) == start + .seconds(65))
  }

  @Test func foldersWithoutWatchesAreDueAtTheInterval() {
    var schedule = ScanSchedule(limits: ScanLimits())
    schedule.planWalk(isWatchIncomplete: true, at: start)
    #expect(!schedule.isWalkDue(nil, at: start + .seconds(899)))
    #expect(schedule.isWalkDue(nil, at: start + .seconds(900)))
    #expect(schedule.take(at: start + .seconds(900)).isTimed)
    #expect(!schedule.isWalkDue(nil, at: start + .seconds(900)))
  }

  @Test func aRequestForTooManyPathsIsOneForEverything() {
    var schedule = ScanSchedule(limits: ScanLimits())
    for index in 0..<5_000 { schedule.requestPath(FilePath("/music/\(index)")) }
    let request = schedule.take(at: start).request
    #expect(request.coversEverything && request.paths.isEmpty)
    #expect(schedule.take(at: start).request.isEmpty)
  }
}
