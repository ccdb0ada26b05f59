// A thread of our own that does posted jobs one after another, over a state that never leaves it. It may block in
// SQLite and in the file system; nobody waits for it, except `close`. The mailbox is guarded by `inbox`; the semaphore
// counts what is in it.

internal import Glibc
internal import SegueSystem
internal import Synchronization

/// A thread that starts with its first job and ends with `close`.
public final class SerialThread<State>: Sendable {
  public typealias Job = @Sendable (inout State) -> Void

  private let name: String
  private let makeState: @Sendable () -> State
  private let whenIdle: Job?
  private let inbox = Mutex(Inbox())
  private let work = Semaphore()

  private struct Inbox {
    var jobs: [Job] = []
    var thread: pthread_t?
    var isClosed = false
  }

  /// `name` is what tools show (15 bytes at most); `state` runs on the thread, before the first job, and `whenIdle` when
  /// there was none for `idleTime` after the last one, once.
  public init(name: String, whenIdle: Job? = nil, state: @escaping @Sendable () -> State) {
    self.name = name
    self.whenIdle = whenIdle
    makeState = state
  }

  /// Longer than somebody thinks who is typing or turning pages.
  private static var idleTime: MediaTime { .seconds(1) }

  /// Adds a job behind the others. Any thread. After `close` it is dropped.
  public func post(_ job: @escaping Job) {
    let accepted = inbox.withLock { inbox in
      if inbox.isClosed { return false }
      inbox.jobs.append(job)
      if inbox.thread == nil { inbox.thread = start() }
      return true
    }
    if accepted { work.signal() }
  }

  /// Waits until all that was posted is done, and ends the thread. Not from the thread itself.
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
    // The thread holds this object until it ends: balanced in `serialThreadMain`.
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
      let job = inbox.withLock { inbox -> Job? in inbox.jobs.isEmpty ? nil : inbox.jobs.removeFirst() }
      // Woken without a job: closed, and all done.
      guard let job else { return }
      job(&state)
    }
  }

  private func waitForJob(_ state: inout State) {
    if let whenIdle {
      if work.wait(for: Self.idleTime) { return }
      whenIdle(&state)
    }
    work.wait()
  }
}

/// What a new thread is to run.
private final class Start {
  let run: () -> Void

  init(run: @escaping () -> Void) { self.run = run }
}

private nonisolated func serialThreadMain(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let context else { return nil }
  Unmanaged<Start>.fromOpaque(context).takeRetainedValue().run()
  return nil
}
