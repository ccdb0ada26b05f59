public import SegueSystem

/// A task that runs in a later iteration of the loop, after the events that are already pending. It can be scheduled many
/// times before it runs once.
///
/// It uses an event counter and not sd-event's defer source: a defer source that schedules itself while it runs stays the
/// oldest pending source and runs again before all others.
@MainActor
public final class DeferredTask {
  private let counter: EventCounter
  private var source: IOSource?
  private var isScheduled = false

  public init(on loop: EventLoop, handler: @escaping @MainActor () -> Void) throws(SystemError) {
    counter = try EventCounter()
    // An edge-triggered source reports every raise, so that the counter need not be cleared.
    source = try IOSource(on: loop, descriptor: counter.raw, of: counter, for: [.readable, .onChange]) {
      [unowned self] _ in
      isScheduled = false
      handler()
    }
  }

  public func schedule() {
    guard !isScheduled else { return }
    isScheduled = true
    counter.raise()
  }
}
