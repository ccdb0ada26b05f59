public import SegueSystem

/// An event that happens once, and for which any number of threads wait.
public final class TestEvent: Sendable {
  private let semaphore = Semaphore()

  public init() {}

  /// Makes the event happen. Called once.
  public func happen() { semaphore.signal() }

  /// Blocks until the event has happened.
  public func wait() {
    semaphore.wait()
    semaphore.signal()
  }

  /// Blocks like `wait()`, but for at most `timeout`. Returns whether the event has happened.
  public func wait(for timeout: MediaTime) -> Bool {
    let hasHappened = semaphore.wait(for: timeout)
    if hasHappened { semaphore.signal() }
    return hasHappened
  }
}
