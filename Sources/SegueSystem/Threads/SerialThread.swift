// Thread: any. The jobs are done one after another on a thread of its own, over a state that never leaves it. It may
// block in SQLite and in the file system. Only `close` waits for it. The jobs are guarded by `inbox`; the semaphore
// counts them.

internal import Glibc
internal import Synchronization

/// A thread that does jobs in order. It starts with its first job and ends with `close`.
public final class SerialThread<State>: Sendable {
  public typealias Job = @Sendable (inout State) -> Void
  /// A part of work that waits until there are no jobs. Returns whether more is left.
  public typealias IdleJob = @Sendable (inout State) -> Bool

  private let name: String
  private let makeState: @Sendable () -> State
  private let onIdle: IdleJob?
  private let inbox = Mutex(Inbox())
  private let work = Semaphore()
  private let fence = PublicationFence()

  private struct Inbox {
    var jobs: [Job] = []
    var thread: pthread_t?
    var isClosed = false
  }

  /// `name` is the name of the thread in tools, at most 15 bytes. `state` runs on the thread before the first job, and
  /// `onIdle` when there has been no job for `idleTime`: again and again until nothing is left, or there is a job.
  public init(name: String, onIdle: IdleJob? = nil, state: @escaping @Sendable () -> State) {
    self.name = name
    self.onIdle = onIdle
    makeState = state
  }

  /// The time without jobs after which the thread is idle: longer than the pauses of a user who types or turns pages.
  private static var idleTime: MediaTime { .seconds(1) }

  /// Adds a job. Any thread may call this. After `close` the job is dropped.
  public func post(_ job: @escaping Job) {
    let accepted = inbox.withLock { inbox in
      if inbox.isClosed { return false }
      fence.publish()
      inbox.jobs.append(job)
      if inbox.thread == nil { inbox.thread = start() }
      return true
    }
    if accepted { work.signal() }
  }

  /// Waits until all jobs are done, and ends the thread. Must not be called on the thread itself.
  public func close() {
    let thread = inbox.withLock { inbox in
      inbox.isClosed = true
      defer { inbox.thread = nil }
      return inbox.thread
    }
    guard let thread else { return }
    work.signal()
    pthread_join(thread, nil)
  }

  private func start() -> pthread_t? {
    var thread = pthread_t()
    // Proof: retained here, and released in `serialThreadMain`.
    let context = Unmanaged.passRetained(Start(run: { [self] in run() })).toOpaque()
    let status = pthread_create(&thread, nil, serialThreadMain, context)
    precondition(status == 0, "a thread could not be started: \(String(cString: strerror(status)))")
    return thread
  }

  private func run() {
    CurrentProcess.nameThread(name)
    var state = makeState()
    while true {
      waitForJob(&state)
      let job = inbox.withLock { inbox -> Job? in
        fence.acquire()
        return inbox.jobs.isEmpty ? nil : inbox.jobs.removeFirst()
      }
      // Without a job, the thread was woken by `close`.
      guard let job else { return }
      job(&state)
    }
  }

  private func waitForJob(_ state: inout State) {
    if let onIdle {
      if work.wait(for: Self.idleTime) { return }
      while onIdle(&state) { if work.wait(for: .zero) { return } }
    }
    work.wait()
  }
}

/// The closure that a new thread runs.
private final class Start {
  let run: () -> Void

  init(run: @escaping () -> Void) { self.run = run }
}

private nonisolated func serialThreadMain(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let context else { return nil }
  Unmanaged<Start>.fromOpaque(context).takeRetainedValue().run()
  return nil
}
