public import SegueSystem

/// Work put off to a later turn of the loop, after what is ready already; raised many times, done once.
///
/// A counter of its own, and not sd-event's defer source: one that raises itself again while it runs stays the oldest of
/// all that is pending there, and is done again before anything else has its turn.
@MainActor
public final class DeferredTask {
  private let counter: EventCounter
  private var source: IOSource?
  private var isRaised = false

  public init(on loop: EventLoop, handler: @escaping @MainActor () -> Void) throws(SystemError) {
    counter = try EventCounter()
    // Told of every raise, it need not be cleared.
    source = try IOSource(on: loop, descriptor: counter.raw, of: counter, for: [.readable, .onChange]) {
      [unowned self] _ in
      isRaised = false
      handler()
    }
  }

  public func raise() {
    guard !isRaised else { return }
    isRaised = true
    counter.raise()
  }
}
