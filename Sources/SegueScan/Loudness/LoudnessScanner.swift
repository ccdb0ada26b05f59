// Thread: any. Its work is done on the thread "loudness", which waits for the index, for its worker and for the file
// system; only `close` waits for it. `state` is guarded by its mutex.

public import SegueLibrary
public import SegueSystem
internal import Synchronization

/// The progress of the loudness measurement.
public struct LoudnessStatus: Equatable, Sendable {
  /// The number of tracks that the run has measured, successfully or not.
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
  private enum State {
    case idle
    /// The thread is to begin with a run.
    case starting
    /// A run is under way. `isFollowed`: whether another one was requested since it began.
    case running(isFollowed: Bool)
    /// A run is to end, or was cancelled before it began. `isFollowed`: whether another one was requested since then.
    case cancelled(isFollowed: Bool)
    case closed
  }

  private let thread = SerialThread<Void>(name: "loudness") {}
  private let wake: EventCounter
  private let state = Mutex(State.idle)
  private let store: LibraryStore
  private let worker: FilePath
  private let onStatus: @Sendable (LoudnessStatus?) -> Void

  /// `worker`: the path of the worker program. `onStatus` runs on the thread "loudness", at most a few times a second,
  /// and once with nil when no run is left. A run that was requested since then is active by the time the receiver
  /// handles that.
  public init(
    store: LibraryStore, worker: FilePath, onStatus: @escaping @Sendable (LoudnessStatus?) -> Void
  ) throws(SystemError) {
    wake = try EventCounter()
    self.store = store
    self.worker = worker
    self.onStatus = onStatus
  }

  /// Whether a run is under way, or is to begin or to end.
  public var isActive: Bool {
    state.withLock { state in
      switch state {
      case .idle, .closed: false
      case .starting, .running, .cancelled: true
      }
    }
  }

  /// Starts a run. If one is under way, another follows it. Any thread may call this.
  public func measure() {
    let starts = state.withLock { state in
      switch state {
      case .idle:
        state = .starting
        return true
      case .running: state = .running(isFollowed: true)
      case .cancelled: state = .cancelled(isFollowed: true)
      case .starting, .closed: break
      }
      return false
    }
    if starts { thread.post { [self] _ in run() } }
  }

  /// Lets the current run end, and drops the request for another. The measurements of an unfinished album are lost. Any
  /// thread may call this.
  public func cancel() {
    let isRunning = state.withLock { state in
      switch state {
      case .idle, .closed: return false
      case .starting, .running, .cancelled:
        state = .cancelled(isFollowed: false)
        return true
      }
    }
    if isRunning { wake.raise() }
  }

  /// Ends the current run. The measurements of an unfinished album are lost. Waits for the thread.
  public func close() {
    state.withLock { $0 = .closed }
    wake.raise()
    thread.close()
  }

  private func run() {
    while beginRun() {
      LoudnessRun(store, worker, wake, isClosed: { [self] in isEnding }, onStatus).run()
      CurrentProcess.trimHeap()
    }
    // A request that was cancelled before the thread saw it has been announced, too.
    onStatus(nil)
  }

  /// Returns whether a run was requested, which begins now.
  private func beginRun() -> Bool {
    state.withLock { state in
      switch state {
      case .starting, .running(isFollowed: true), .cancelled(isFollowed: true):
        state = .running(isFollowed: false)
        return true
      case .idle, .running(isFollowed: false), .cancelled(isFollowed: false):
        state = .idle
        return false
      case .closed: return false
      }
    }
  }

  /// Whether the current run is to end.
  private var isEnding: Bool {
    state.withLock { state in
      switch state {
      case .cancelled, .closed: true
      case .idle, .starting, .running: false
      }
    }
  }
}
