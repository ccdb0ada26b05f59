internal import Glibc

/// One value handed from a thread to another that waits for it.
public final class BlockingPromise<Value: Sendable>: @unchecked Sendable {
  // Proof: `value` is written once before `sem_post` and read once after `sem_wait`, which order the two.
  private let semaphore: UnsafeMutablePointer<sem_t>
  private var value: Value?

  public init() {
    semaphore = .allocate(capacity: 1)
    sem_init(semaphore, 0, 0)
  }

  deinit {
    sem_destroy(semaphore)
    semaphore.deallocate()
  }

  /// Once, on any thread.
  public func give(_ value: Value) {
    self.value = value
    sem_post(semaphore)
  }

  /// Once, on another thread; blocks until the value is there.
  public func wait() -> Value {
    while sem_wait(semaphore) != 0 {}
    guard let value else { preconditionFailure("waited twice") }
    return value
  }
}
