public import SegueSystem

/// A completion handler with a timeout. It is called once: with the result, or with nil when the time is over.
@MainActor
public final class TimedCompletion<Value> {
  private var completion: (@MainActor (Value?) -> Void)?
  /// The timer, which keeps this object alive until the handler is called.
  private var timer: Timer?

  /// Calls `completion` at once if no timer can be created.
  public init(timeout: MediaTime, on loop: EventLoop, completion: @escaping @MainActor (Value?) -> Void) {
    self.completion = completion
    timer = try? Timer(on: loop) { self.finish(nil) }
    if let timer { timer.arm(after: timeout) } else { finish(nil) }
  }

  /// Passes the result to the handler. Has no effect after the timeout.
  public func complete(with value: Value) { finish(value) }

  private func finish(_ value: Value?) {
    guard let completion else { return }
    self.completion = nil
    timer = nil
    completion(value)
  }
}
