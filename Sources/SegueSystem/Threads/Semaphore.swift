internal import CSegue
internal import Glibc

/// A counting semaphore (sem_overview(7)). Any thread may signal it or wait for it.
public final class Semaphore: @unchecked Sendable {
  // Proof: the pointer is set once; sem_post and sem_wait are safe from any thread. The semaphore itself must not move.
  private let raw: UnsafeMutablePointer<sem_t>

  /// Creates a semaphore whose count is 0.
  public init() {
    raw = .allocate(capacity: 1)
    sem_init(raw, 0, 0)
  }

  deinit {
    sem_destroy(raw)
    raw.deallocate()
  }

  /// Adds 1 to the count and wakes one waiting thread.
  public func signal() { sem_post(raw) }

  /// Blocks until the count is above 0 and subtracts 1.
  public func wait() {
    while sem_wait(raw) != 0 {}
  }

  /// Blocks like `wait()`, but for at most `timeout`. Returns false after the timeout.
  public func wait(for timeout: MediaTime) -> Bool { segue_wait_semaphore(raw, timeout.nanoseconds) }
}
