internal import CSystemd
internal import Glibc
public import SegueSystem

/// A source that reports a signal as an event. Sources are created before the first thread starts: a new thread
/// inherits the blocked signals, and a signal that any thread does not block ends the process.
@MainActor
public final class SignalSource {
  // Proof: set once in init, used on the loop thread only; deinit runs where the last @MainActor owner releases it.
  private nonisolated(unsafe) var source: OpaquePointer?
  private let handler: @MainActor () -> Void

  public init(on loop: EventLoop, signal number: Int32, handler: @escaping @MainActor () -> Void) throws(SystemError) {
    self.handler = handler
    blockSignal(number)
    // Proof: `deinit` removes the source, which calls on the loop thread only.
    let context = Unmanaged.passUnretained(self).toOpaque()
    try sdChecked("sd_event_add_signal") { sd_event_add_signal(loop.event, &source, number, signalReceived, context) }
    // A signal is handled before the events that arrive with it, so that a daemon that must stop accepts no more
    // clients.
    sd_event_source_set_priority(source, Int64(SD_EVENT_PRIORITY_IMPORTANT))
  }

  deinit { sd_event_source_disable_unref(source) }

  fileprivate func dispatch() { handler() }
}

/// Blocks a signal on the calling thread and the threads that it starts.
func blockSignal(_ number: Int32) {
  var mask = sigset_t()
  sigemptyset(&mask)
  sigaddset(&mask, number)
  pthread_sigmask(SIG_BLOCK, &mask, nil)
}

private nonisolated func signalReceived(
  _: OpaquePointer?, _: UnsafePointer<signalfd_siginfo>?, context: UnsafeMutableRawPointer?
) -> Int32 {
  guard let context else { return 0 }
  // The reference is strong during the call, because the handler may release its source.
  let source = Unmanaged<SignalSource>.fromOpaque(context).takeUnretainedValue()
  MainActor.assumeIsolated { source.dispatch() }
  return 0
}
