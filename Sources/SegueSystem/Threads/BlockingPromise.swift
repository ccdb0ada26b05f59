/// A value that one thread provides and another thread waits for.
public final class BlockingPromise<Value: Sendable>: @unchecked Sendable {
  // Proof: `value` is written once before `signal` and read once after `wait`; the semaphore orders the two accesses.
  private let semaphore = Semaphore()
  private var value: Value?

  public init() {}

  /// Provides the value. Called once, on any thread.
  public func fulfill(_ value: Value) {
    self.value = value
    semaphore.signal()
  }

  /// Blocks until the value is there. Called once, on another thread.
  public func wait() -> Value {
    semaphore.wait()
    guard let value else { preconditionFailure("the promise was waited for twice") }
    return value
  }
}
