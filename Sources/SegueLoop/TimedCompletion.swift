public import SegueSystem

/// An answer that is waited for until a time limit. It calls back once: with the answer, or with nil when the time is over.
@MainActor
public final class TimedCompletion<Answer> {
  private var then: (@MainActor (Answer?) -> Void)?
  /// Keeps this object until one of both has come.
  private var timer: Timer?

  /// Calls `then` at once if there can be no timer.
  public init(of limit: MediaTime, on loop: EventLoop, then: @escaping @MainActor (Answer?) -> Void) {
    self.then = then
    timer = try? Timer(on: loop) { self.finish(nil) }
    if let timer { timer.arm(after: limit) } else { finish(nil) }
  }

  /// Does nothing if the time is over.
  public func end(with answer: Answer) { finish(answer) }

  private func finish(_ answer: Answer?) {
    guard let then else { return }
    self.then = nil
    timer = nil
    then(answer)
  }
}
