// Any thread may call this. Its work is done on the thread "loudness", which waits for the index, for its worker and
// for the file system; only `close` waits for it. `state` is guarded by its mutex.

public import SegueIndex
public import SegueSystem
internal import Synchronization

/// The progress of the loudness measurement.
public struct LoudnessStatus: Equatable, Sendable {
  public var isMeasuring = false
  /// The number of tracks that the current or last run has measured, successfully or not.
  public var done = 0
  /// The number of tracks to measure.
  public var total = 0
  /// The number of tracks that could not be measured.
  public var failed = 0
  /// The estimated time until the end of the run; nil until it has measured for some seconds.
  public var remaining: MediaTime?

  public init() {}
}

/// A scanner that measures the loudness of tracks in the background, where neither the file nor the index has it.
public final class LoudnessScanner: Sendable {
  private struct State {
    var isRunning = false
    /// Whether another run was requested during the current one.
    var isRequested = false
    /// Whether the current run is to end.
    var isCancelled = false
    var isClosed = false
  }

  private let thread = SerialThread<Void>(name: "loudness") {}
  private let wake: EventCounter
  private let state = Mutex(State())
  private let store: LibraryStore
  private let worker: FilePath
  private let onStatus: @Sendable (LoudnessStatus) -> Void

  /// `worker`: the path of the worker program. `onStatus` runs on the thread "loudness", at most a few times a second.
  public init(
    store: LibraryStore, worker: FilePath, onStatus: @escaping @Sendable (LoudnessStatus) -> Void
  ) throws(SystemError) {
    wake = try EventCounter()
    self.store = store
    self.worker = worker
    self.onStatus = onStatus
  }

  /// Starts a run. If one is under way, another follows it. Any thread may call this.
  public func measure() {
    let starts = state.withLock { state in
      guard !state.isClosed else { return false }
      state.isRequested = true
      defer { state.isRunning = true }
      return !state.isRunning
    }
    if starts { thread.post { [self] _ in run() } }
  }

  /// Lets the current run end, and drops the request for another. The measurements of an unfinished album are lost. Any
  /// thread may call this.
  public func cancel() {
    let isRunning = state.withLock { state in
      state.isRequested = false
      state.isCancelled = state.isRunning
      return state.isRunning
    }
    if isRunning { wake.raise() }
  }

  /// Ends the current run. The measurements of an unfinished album are lost. Waits for the thread.
  public func close() {
    state.withLock { $0.isClosed = true }
    wake.raise()
    thread.close()
  }

  private func run() {
    var last = LoudnessStatus()
    // A request that was cancelled before the thread saw it has been announced, too.
    defer { onStatus(last) }
    while true {
      let continues = state.withLock { state in
        let continues = state.isRequested && !state.isClosed
        state.isRequested = false
        state.isCancelled = false
        if !continues { state.isRunning = false }
        return continues
      }
      guard continues else { return }
      let isClosed = { [self] in state.withLock { $0.isClosed || $0.isCancelled } }
      last = LoudnessRun(store, worker, wake, isClosed: isClosed, onStatus).run()
      CurrentProcess.trimHeap()
    }
  }
}
