internal import CSystemd
public import SegueSystem

/// Work put off to the next turn of the loop, after what is ready already; raised many times, done once.
@MainActor
public final class Deferred {
  // Proof: set once in init, used on the loop thread only; deinit runs where the last @MainActor owner lets go.
  private nonisolated(unsafe) var source: OpaquePointer?
  private let handler: @MainActor () -> Void

  public init(on loop: EventLoop, handler: @escaping @MainActor () -> Void) throws(SystemError) {
    self.handler = handler
    let context = Unmanaged.passUnretained(self).toOpaque()
    try sdChecked("sd_event_add_defer") { sd_event_add_defer(loop.event, &source, deferredCame, context) }
    sd_event_source_set_enabled(source, Int32(SD_EVENT_OFF))
  }

  deinit { sd_event_source_disable_unref(source) }

  public func raise() { sd_event_source_set_enabled(source, Int32(SD_EVENT_ONESHOT)) }

  fileprivate func dispatch() { handler() }
}

private nonisolated func deferredCame(_: OpaquePointer?, context: UnsafeMutableRawPointer?) -> Int32 {
  guard let context else { return 0 }
  // A strong reference for the length of the call: the handler may let go of its source.
  let source = Unmanaged<Deferred>.fromOpaque(context).takeUnretainedValue()
  MainActor.assumeIsolated { source.dispatch() }
  return 0
}
