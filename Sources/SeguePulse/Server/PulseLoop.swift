// Thread: the pulse thread. The `Sink` and everything that it owns run there. Only libpulse takes the lock of the loop:
// other threads use a mailbox, and touch the loop only before it starts and after it has ended.
internal import CPulse

/// An event loop with a thread: a `pa_threaded_mainloop`.
final class PulseLoop {
  private let threaded: OpaquePointer
  let api: UnsafeMutablePointer<pa_mainloop_api>

  init?() {
    guard let threaded = pa_threaded_mainloop_new() else { return nil }
    guard let api = pa_threaded_mainloop_get_api(threaded) else {
      pa_threaded_mainloop_free(threaded)
      return nil
    }
    self.threaded = threaded
    self.api = api
    pa_threaded_mainloop_set_name(threaded, "segue-pulse")
  }

  /// Starts the thread. Returns false if there is none available.
  func start() -> Bool { pa_threaded_mainloop_start(threaded) == 0 }

  /// Ends the thread after its present callback, and waits for that. Must not be called on the thread itself.
  func stop() { pa_threaded_mainloop_stop(threaded) }

  deinit { pa_threaded_mainloop_free(threaded) }
}

/// A watch that calls back on the pulse thread while a descriptor is readable. It is disabled at first.
final class ReadWatch {
  private let api: UnsafeMutablePointer<pa_mainloop_api>
  // Proof: the event is set once in `init` and freed in `deinit`; in between, only the loop uses it.
  private var event: OpaquePointer?
  private let fired: () -> Void

  private(set) var isEnabled = false

  /// The caller keeps the descriptor, and keeps it open for as long as this object exists.
  init(_ loop: PulseLoop, descriptor: Int32, fired: @escaping () -> Void) {
    api = loop.api
    self.fired = fired
    // Proof: unretained; `deinit` frees the event before the object is released.
    event = api.pointee.io_new(
      api, descriptor, PA_IO_EVENT_NULL, readWatchFired, Unmanaged.passUnretained(self).toOpaque())
  }

  deinit { api.pointee.io_free(event) }

  func enable() {
    guard !isEnabled else { return }
    isEnabled = true
    api.pointee.io_enable(event, PA_IO_EVENT_INPUT)
  }

  func disable() {
    guard isEnabled else { return }
    isEnabled = false
    api.pointee.io_enable(event, PA_IO_EVENT_NULL)
  }

  fileprivate func fire() { if isEnabled { fired() } }
}

private func readWatchFired(
  _: UnsafeMutablePointer<pa_mainloop_api>?, _: OpaquePointer?, _: Int32, _: pa_io_event_flags_t,
  context: UnsafeMutableRawPointer?
) {
  guard let context else { return }
  Unmanaged<ReadWatch>.fromOpaque(context).takeUnretainedValue().fire()
}
