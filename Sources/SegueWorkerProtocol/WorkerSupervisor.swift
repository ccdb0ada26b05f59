internal import Glibc
public import SegueSystem

/// A job that a worker may be doing when it ends.
public protocol SupervisedJob {
  /// The number of workers that were killed from outside, or hung, while they did this job.
  var kills: Int { get set }
}

/// A supervisor of the workers of one owner: it counts the workers that fail to start, decides which job a worker's end
/// is attributed to, and which jobs are retried with another worker. It is a pure value without processes and clocks.
///
/// A file that crashes its worker must not affect other jobs. A worker does its jobs in order, so a crash is attributed
/// to the first job that it has not finished, and the others are retried. A worker that hangs or is killed may do so
/// for another reason, such as a machine that is short of memory: then the job is tried with another worker before it
/// is the cause. If a worker ends before it is ready, no job is the cause. After `maximumFailedStarts` such workers in
/// a row the owner gives up; otherwise it would start workers endlessly.
public struct WorkerSupervisor: Sendable {
  /// The way in which a worker ended.
  public enum End: Equatable, Sendable {
    /// The worker ended before it was ready, or had no job that could have caused its end.
    case failedStart
    /// Another process killed the worker, or the kernel did because memory ran out. The job need not be the cause.
    case killedExternally
    /// The daemon ended the worker for exceeding a time limit. The job need not be the cause.
    case hung
    /// The worker crashed, or the daemon ended it for invalid data.
    case failed

    /// A reason for which the daemon ends a worker.
    public enum Reason: Sendable {
      case timeout, violation
    }

    /// Determines the way in which a worker ended.
    /// - Parameters:
    ///   - status: The exit status of the worker; nil if it is unknown.
    ///   - wasReady: Whether the worker had reported that it is ready.
    ///   - reason: The reason for which the daemon ended the worker; nil if it did not.
    public init(_ status: ExitStatus?, wasReady: Bool, endedFor reason: Reason?) {
      guard wasReady else {
        self = .failedStart
        return
      }
      switch reason {
      case .timeout: self = .hung
      case .violation: self = .failed
      case nil: self = status == .killed(signal: SIGKILL) ? .killedExternally : .failed
      }
    }
  }

  /// A decision on the jobs of a worker that has ended.
  public struct Outcome<Job> {
    /// The job that the end is attributed to. It fails.
    public var culprit: Job?
    /// The jobs to give to another worker, in their order.
    public var retries: [Job] = []
    /// Whether so many workers in a row failed to start that no further one should be started.
    public var isGivingUp = false
  }

  /// The number of consecutive failed starts after which the owner gives up.
  public static let maximumFailedStarts = 3
  /// The number of kills from outside after which a job is the culprit. A user who kills workers, or a kernel that is
  /// short of memory, seldom hits one job so often.
  public static let maximumKills = 3
  /// The number of workers that must hang before the job is the culprit.
  public static let maximumHangs = 2

  private let maximumKills: Int
  private var failedStarts = 0

  /// - Parameter maximumKills: If it is 1, every kill is attributed to the job that the worker was doing.
  public init(maximumKills: Int = Self.maximumKills) { self.maximumKills = maximumKills }

  /// Records that a worker has responded, which shows that workers can be started.
  public mutating func workerResponded() { failedStarts = 0 }

  /// Records that the owner gave up. Counting starts again with its next request.
  public mutating func gaveUp() { failedStarts = 0 }

  /// Records that a worker with the unfinished jobs `pending`, in their order, has ended, and returns what to do with
  /// them.
  ///
  /// - Parameter isFirstJobRunning: Whether the worker was certainly doing the first of `pending`. If not, all are
  ///   retried; the caller gives each of them to a worker that has nothing else to do.
  public mutating func workerEnded<Job: SupervisedJob>(
    _ end: End, pending: [Job], isFirstJobRunning: Bool = true
  ) -> Outcome<Job> {
    if end == .failedStart {
      failedStarts += 1
      let isGivingUp = failedStarts >= Self.maximumFailedStarts
      if isGivingUp { failedStarts = 0 }
      return Outcome(retries: pending, isGivingUp: isGivingUp)
    }
    guard isFirstJobRunning, var first = pending.first else { return Outcome(retries: pending) }
    first.kills += 1
    let attempts =
      switch end {
      case .killedExternally: maximumKills
      case .hung: min(maximumKills, Self.maximumHangs)
      case .failed, .failedStart: 1
      }
    if first.kills < attempts { return Outcome(retries: [first] + pending.dropFirst()) }
    return Outcome(culprit: first, retries: Array(pending.dropFirst()))
  }
}

/// A record of the time at which a worker last made progress, for its time limits. It is a pure value; the caller reads
/// the clock.
public struct WorkerProgress: Sendable {
  /// Whether the worker is ready for jobs.
  public private(set) var isReady = false
  private var last: MonotonicTime

  /// Creates the record of a worker that was started at `now`.
  public init(startedAt now: MonotonicTime = .now) { last = now }

  /// Records that the worker is ready for jobs.
  public mutating func becameReady(at now: MonotonicTime = .now) {
    isReady = true
    last = now
  }

  /// Records that the worker has done something, or was idle until now.
  public mutating func advanced(at now: MonotonicTime = .now) { last = now }

  /// Returns the time at which a worker that does nothing until then has exceeded `timeout`.
  public func deadline(timeout: MediaTime) -> MonotonicTime { last + timeout }

  /// Returns whether the worker has done nothing for `timeout`.
  public func hasExceeded(_ timeout: MediaTime, at now: MonotonicTime = .now) -> Bool {
    now >= deadline(timeout: timeout)
  }
}
