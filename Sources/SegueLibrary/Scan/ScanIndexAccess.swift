// Between the thread "scan", which calls this, and "index", which answers. The count is atomic, the rest is guarded by
// its mutex; `wake` ends the sleep of the thread "scan".

internal import SegueSystem
internal import SegueWire
internal import Synchronization

/// The scan's way to the index: what is written is not waited for, what is read is. All of it is done in order.
final class ScanIndexAccess: Sendable {
  /// Hears of what was looked into and is on its way to the index. On the thread "scan".
  let found: @Sendable ([ScannedFile]) -> Void
  private let store: LibraryStore
  private let wake: EventCounter
  private let pending = Atomic(0)
  private let state = Mutex(State())

  private struct State {
    var trouble: Failure?
    /// Counts the troubles that were told; what is posted is of the one that is current.
    var era = 0
    /// What was posted in this era and before is not done any more: it may rest on what could not be.
    var lostEra = -1
    /// The index was begun anew. Once: if the new one breaks as well, what is found breaks it, and each takes room on
    /// the disk.
    var hasBegunAnew = false
    var mustFill = false
  }

  init(_ store: LibraryStore, wake: EventCounter, found: @escaping @Sendable ([ScannedFile]) -> Void) {
    self.store = store
    self.found = found
    self.wake = wake
    store.onRecreation { [weak self] in self?.noteBegunAnew() }
  }

  /// What was posted rests on what the index had before. On one of the threads of the library.
  private func noteBegunAnew() {
    state.withLock { state in
      state.trouble = Failure(.unavailable, "the index was begun anew")
      state.lostEra = state.era
      if !state.hasBegunAnew { (state.hasBegunAnew, state.mustFill) = (true, true) }
    }
    wake.raise()
  }

  /// Whether the trouble is that the index was begun anew, and everything is to be found again at once; told once.
  func takeRescanRequest() -> Bool {
    state.withLock { state in
      defer { state.mustFill = false }
      return state.mustFill
    }
  }

  /// How much was posted and is not done.
  var pendingCount: Int { pending.load(ordering: .acquiring) }

  /// Why something that was posted could not be done; told once. What was posted behind it is not done either.
  func takeTrouble() -> Failure? {
    state.withLock { state in
      guard let trouble = state.trouble else { return nil }
      state.trouble = nil
      state.era += 1
      return trouble
    }
  }

  func post(_ body: @escaping @Sendable (LibraryWriter) throws(StoreError) -> Void) {
    pending.add(1, ordering: .acquiringAndReleasing)
    let era = state.withLock(\.era)
    let unlessLost = { @Sendable [self] (writer: LibraryWriter) throws(StoreError) in
      if state.withLock({ $0.lostEra < era }) { try body(writer) }
    }
    store.write(unlessLost) { [self] result in
      if case .failure(let failure) = result {
        state.withLock { state in
          state.trouble = failure
          state.lostEra = era
        }
      }
      pending.subtract(1, ordering: .acquiringAndReleasing)
      wake.raise()
    }
  }

  /// Waits for the answer.
  func ask<Value: Sendable>(
    _ body: @escaping @Sendable (LibraryWriter) throws(StoreError) -> Value
  ) throws(Failure) -> Value {
    let answer = BlockingPromise<Result<Value, Failure>>()
    store.write(body) { answer.fulfill($0) }
    return try answer.wait().get()
  }
}
