import SegueSystem
import SegueWorkerProtocol
import Testing

@Suite struct WorkerSupervisorTests {
  private struct Job: SupervisedJob, Equatable {
    let name: String
    var kills = 0
  }

  private let jobs = [Job(name: "first"), Job(name: "second")]

  @Test func aCrashIsAttributedToTheFirstUnfinishedJob() {
    var supervisor = WorkerSupervisor()
    let outcome = supervisor.workerEnded(.failed, pending: jobs)
    #expect(outcome.culprit?.name == "first")
    #expect(outcome.retries.map(\.name) == ["second"])
    #expect(!outcome.isGivingUp)
  }

  @Test func aCrashWithoutJobsHasNoCulprit() {
    var supervisor = WorkerSupervisor()
    let outcome = supervisor.workerEnded(.failed, pending: [Job]())
    #expect(outcome.culprit == nil)
    #expect(outcome.retries.isEmpty)
    #expect(!outcome.isGivingUp)
  }

  @Test func aCrashDuringUnorderedJobsRetriesAllOfThem() {
    var supervisor = WorkerSupervisor()
    let outcome = supervisor.workerEnded(.failed, pending: jobs, isFirstJobRunning: false)
    #expect(outcome.culprit == nil)
    #expect(outcome.retries == jobs)
  }

  @Test func aJobWhoseWorkersAreKilledIsRetriedUntilTheMaximum() {
    var supervisor = WorkerSupervisor()
    var pending = jobs
    for _ in 1..<WorkerSupervisor.maximumKills {
      let outcome = supervisor.workerEnded(.killedExternally, pending: pending)
      #expect(outcome.culprit == nil)
      pending = outcome.retries
    }
    #expect(pending.map(\.name) == ["first", "second"])
    #expect(supervisor.workerEnded(.killedExternally, pending: pending).culprit?.name == "first")
  }

  @Test func aKillIsACrashIfThereAreNoRetries() {
    var supervisor = WorkerSupervisor(maximumKills: 1)
    #expect(supervisor.workerEnded(.killedExternally, pending: jobs).culprit?.name == "first")
  }

  @Test func aJobIsTheCulpritWhenASecondWorkerHangs() {
    var supervisor = WorkerSupervisor()
    let outcome = supervisor.workerEnded(.hung, pending: jobs)
    #expect(outcome.culprit == nil)
    #expect(outcome.retries.map(\.name) == ["first", "second"])
    let second = supervisor.workerEnded(.hung, pending: outcome.retries)
    #expect(second.culprit?.name == "first")
    #expect(second.retries.map(\.name) == ["second"])
  }

  @Test func failedStartsInARowMakeTheOwnerGiveUp() {
    var supervisor = WorkerSupervisor()
    for _ in 0..<2 {
      for _ in 1..<WorkerSupervisor.maximumFailedStarts {
        let outcome = supervisor.workerEnded(.failedStart, pending: jobs)
        #expect(outcome.culprit == nil)
        #expect(outcome.retries == jobs)
        #expect(!outcome.isGivingUp)
      }
      #expect(supervisor.workerEnded(.failedStart, pending: jobs).isGivingUp, "the count begins anew afterwards")
    }
  }

  @Test func aResponseEndsARowOfFailedStarts() {
    var supervisor = WorkerSupervisor()
    for _ in 0..<10 {
      #expect(!supervisor.workerEnded(.failedStart, pending: jobs).isGivingUp)
      #expect(!supervisor.workerEnded(.failedStart, pending: jobs).isGivingUp)
      supervisor.workerResponded()
    }
  }

  @Test func theEndOfAWorkerDependsOnReadinessSignalAndOrders() {
    typealias End = WorkerSupervisor.End
    let kill = ExitStatus.killed(signal: 9)
    #expect(End(kill, wasReady: false, endedFor: nil) == .failedStart)
    #expect(End(kill, wasReady: false, endedFor: .timeout) == .failedStart)
    #expect(End(kill, wasReady: true, endedFor: nil) == .killedExternally)
    #expect(End(kill, wasReady: true, endedFor: .violation) == .failed)
    #expect(End(kill, wasReady: true, endedFor: .timeout) == .hung)
    #expect(End(.killed(signal: 11), wasReady: true, endedFor: nil) == .failed)
    #expect(End(nil, wasReady: true, endedFor: nil) == .failed)
  }

  @Test func aTimeoutCountsFromTheLastProgress() {
    let start = MonotonicTime(nanoseconds: 0)
    let second = MediaTime(seconds: 1)
    var progress = WorkerProgress(startedAt: start)
    #expect(!progress.isReady)
    #expect(progress.hasExceeded(second, at: start + second))
    progress.becameReady(at: start + second)
    #expect(progress.isReady)
    #expect(!progress.hasExceeded(second, at: start + second))
    progress.advanced(at: start + second + second)
    #expect(progress.deadline(timeout: second) == start + MediaTime(seconds: 3))
  }
}
