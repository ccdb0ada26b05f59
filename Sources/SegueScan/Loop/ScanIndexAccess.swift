// Thread: "scan", which calls this, or "index", which does the work. The count is atomic, the rest is guarded by its
// mutex; `wake` ends the sleep of the thread "scan".

internal import SegueLibrary
internal import SegueSQLite
internal import SegueSystem
internal import SegueWire
internal import Synchronization

/// The scan's access to the index. Writes are posted, and the scan does not wait for them; it waits for other work. All
/// work is done in order.
final class ScanIndexAccess: Sendable {
  /// The closure that is called with files that are about to be stored in the index. On the thread "scan".
  let onFilesRead: @Sendable ([ScannedFile]) -> Void
  private let store: LibraryStore
  private let wake: @Sendable () -> Void
  private let pending = Atomic(0)
  private let state = Mutex(State())

  private struct State {
    var failure: Failure?
    /// The number of failures that `takeFailure` has returned. Each write has the number at which it was posted.
    var takenFailures = 0
    /// Writes with this number or a smaller one are skipped: they may depend on a write that failed.
    var lastSkippedNumber = -1
    /// Whether the index was recreated. The scan fills it again only once: if the new index breaks as well, its
    /// contents are the cause, and each broken index takes space on the disk.
    var wasRecreated = false
    var needsRescan = false
  }

  init(
    _ store: LibraryStore, wake: @escaping @Sendable () -> Void,
    onFilesRead: @escaping @Sendable ([ScannedFile]) -> Void
  ) {
    self.store = store
    self.onFilesRead = onFilesRead
    self.wake = wake
    store.onRecreation { [weak self] in self?.handleRecreation() }
  }

  /// Handles a recreation of the index: the pending writes depend on the old contents. On a thread of the library.
  private func handleRecreation() {
    state.withLock { state in
      state.failure = Failure(.unavailable, "the index was recreated")
      state.lastSkippedNumber = state.takenFailures
      if !state.wasRecreated { (state.wasRecreated, state.needsRescan) = (true, true) }
    }
    wake()
  }

  /// Returns whether the index was recreated and has to be filled again at once. Returns true only once.
  func takeRescanRequest() -> Bool {
    state.withLock { state in
      defer { state.needsRescan = false }
      return state.needsRescan
    }
  }

  /// The number of writes that are not done yet.
  var pendingCount: Int { pending.load(ordering: .acquiring) }

  /// Removes and returns the reason why a write failed. The writes posted after it have been skipped.
  func takeFailure() -> Failure? {
    state.withLock { state in
      guard let failure = state.failure else { return nil }
      state.failure = nil
      state.takenFailures += 1
      return failure
    }
  }

  /// Writes to the index, without waiting.
  func post(_ body: @escaping @Sendable (LibraryWriter) throws(StoreError) -> Void) {
    pending.add(1, ordering: .acquiringAndReleasing)
    let number = state.withLock(\.takenFailures)
    let unlessFailed = { @Sendable [self] (writer: LibraryWriter) throws(StoreError) in
      if state.withLock({ $0.lastSkippedNumber < number }) { try body(writer) }
    }
    store.write(unlessFailed) { [self] result in
      if case .failure(let failure) = result {
        state.withLock { state in
          state.failure = failure
          state.lastSkippedNumber = number
        }
      }
      pending.subtract(1, ordering: .acquiringAndReleasing)
      wake()
    }
  }

  /// Reads or writes the index, and waits for the result. Unlike posted writes, the work is also done after a failure.
  func perform<Value: Sendable>(
    _ body: @escaping @Sendable (LibraryWriter) throws(StoreError) -> Value
  ) throws(Failure) -> Value {
    let promise = BlockingPromise<Result<Value, Failure>>()
    store.write(body) { promise.fulfill($0) }
    return try promise.wait().get()
  }
}
