// Any thread may call this. Its work is done on the thread "loudness", which waits for the index, for its worker and
// for the file system; nobody waits for it but `close`. `isWanted` and `isClosed` are guarded by their mutex.

public import SegueSystem
internal import Synchronization

/// Measures in the background what neither files nor index say of loudness.
public final class LoudnessScanner: Sendable {
  private struct State {
    var isRunning = false
    /// It was asked for again meanwhile.
    var isWanted = false
    var isClosed = false
  }

  private let thread = SerialThread<Void>(name: "loudness") {}
  private let wake: EventCounter
  private let state = Mutex(State())
  private let store: LibraryStore
  private let worker: FilePath
  private let report: @Sendable (LoudnessStatus) -> Void

  /// Does nothing yet. `worker` is the program. `report` runs on the thread "loudness", a few times a second at most.
  public init(
    store: LibraryStore, worker: FilePath, report: @escaping @Sendable (LoudnessStatus) -> Void
  ) throws(SystemError) {
    wake = try EventCounter()
    self.store = store
    self.worker = worker
    self.report = report
  }

  /// Begins or, if it is at it, looks again when it is done. Any thread.
  public func measure() {
    let begins = state.withLock { state in
      guard !state.isClosed else { return false }
      state.isWanted = true
      defer { state.isRunning = true }
      return !state.isRunning
    }
    if begins { thread.post { [self] _ in run() } }
  }

  /// Ends what is being done: of an album begun nothing is kept. Waits for the thread.
  public func close() {
    state.withLock { $0.isClosed = true }
    wake.raise()
    thread.close()
  }

  private func run() {
    while true {
      let goesOn = state.withLock { state in
        let goesOn = state.isWanted && !state.isClosed
        state.isWanted = false
        if !goesOn { state.isRunning = false }
        return goesOn
      }
      guard goesOn else { return }
      LoudnessRun(store, worker, wake, isClosed: { [self] in state.withLock { $0.isClosed } }, report).run()
      CurrentProcess.trimHeap()
    }
  }
}
