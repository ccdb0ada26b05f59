// libpulse's own thread. Everything below the `Sink` lives on it. Its lock is taken by nobody but libpulse: other threads
// reach it through a mailbox, and touch the loop only before it starts and after it has ended.
internal import CPulse

/// A `pa_threaded_mainloop`.
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

  /// False if there is no thread to be had.
  func start() -> Bool { pa_threaded_mainloop_start(threaded) == 0 }

  /// Ends the thread after what it is doing now, and waits for that. Not from the thread itself.
  func stop() { pa_threaded_mainloop_stop(threaded) }

  deinit { pa_threaded_mainloop_free(threaded) }
}

/// Calls back on the pulse thread when a descriptor is readable. Off until enabled.
final class ReadWatch {
  private let api: UnsafeMutablePointer<pa_mainloop_api>
  // Guard: set once in `init`, freed in `deinit`; the loop only holds it in between.
  private var event: OpaquePointer?
  private let fired: () -> Void

  var isEnabled = false {
    didSet {
      if isEnabled != oldValue {
        api.pointee.io_enable(event, isEnabled ? PA_IO_EVENT_INPUT : PA_IO_EVENT_NULL)
      }
    }
  }

  /// The descriptor stays the caller's, and open for as long as this lives.
  init(_ loop: PulseLoop, descriptor: Int32, fired: @escaping () -> Void) {
    api = loop.api
    self.fired = fired
    // Unretained: `deinit` frees the event before the object goes.
    event = api.pointee.io_new(
      api, descriptor, PA_IO_EVENT_NULL, readWatchFired, Unmanaged.passUnretained(self).toOpaque())
  }

  deinit { api.pointee.io_free(event) }

  fileprivate func fire() { if isEnabled { fired() } }
}

private func readWatchFired(
  _: UnsafeMutablePointer<pa_mainloop_api>?, _: OpaquePointer?, _: Int32, _: pa_io_event_flags_t,
  context: UnsafeMutableRawPointer?
) {
  guard let context else { return }
  Unmanaged<ReadWatch>.fromOpaque(context).takeUnretainedValue().fire()
}
