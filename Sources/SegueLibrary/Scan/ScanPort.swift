// Between the thread "scan", which calls this, and "index", which answers. The count is atomic, the failure under its
// mutex; `wake` ends the sleep of the thread "scan".

internal import SegueSystem
internal import SegueWire
internal import Synchronization

/// The scan's way to the index: what is written is not waited for, what is read is. All of it is done in order.
final class ScanPort: Sendable {
  private let store: LibraryStore
  private let wake: EventCounter
  private let pending = Atomic(0)
  private let trouble = Mutex<Failure?>(nil)

  init(_ store: LibraryStore, wake: EventCounter) {
    self.store = store
    self.wake = wake
  }

  /// How much was posted and is not done.
  var pendingCount: Int { pending.load(ordering: .acquiring) }

  /// Why something that was posted could not be done; told once.
  func takeTrouble() -> Failure? {
    trouble.withLock { trouble in
      defer { trouble = nil }
      return trouble
    }
  }

  func post(_ body: @escaping @Sendable (LibraryWriter) throws(StoreError) -> Void) {
    pending.add(1, ordering: .acquiringAndReleasing)
    store.write(body) { [self] result in
      if case .failure(let failure) = result { trouble.withLock { $0 = failure } }
      pending.subtract(1, ordering: .acquiringAndReleasing)
      wake.raise()
    }
  }

  /// Waits for the answer.
  func ask<Value: Sendable>(
    _ body: @escaping @Sendable (LibraryWriter) throws(StoreError) -> Value
  ) throws(Failure) -> Value {
    let answer = BlockingAnswer<Result<Value, Failure>>()
    store.write(body) { answer.give($0) }
    return try answer.wait().get()
  }
}
