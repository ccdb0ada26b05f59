// Thread: the pulse thread.
internal import CPulse
internal import SegueSystem

/// A timer that calls back on the pulse thread, once per start, unless it is released before.
final class PulseTimer {
  private let api: UnsafeMutablePointer<pa_mainloop_api>
  private let context: OpaquePointer
  private var event: OpaquePointer?
  private let fired: () -> Void

  /// - Parameter context: provides the loop, because libpulse has monotonic timers only by way of a context.
  init(_ loop: PulseLoop, context: OpaquePointer, after delay: MediaTime, fired: @escaping () -> Void) {
    api = loop.api
    self.context = context
    self.fired = fired
    let due = pa_rtclock_now() + pa_usec_t(max(0, delay.nanoseconds / 1000))
    // Proof: unretained; `deinit` frees the event before the object is released.
    event = pa_context_rttime_new(context, due, timerFired, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Starts the timer again, whether it has fired or not, without allocating. Precondition: the context exists.
  func restart(after delay: MediaTime) {
    guard let event else { return }
    pa_context_rttime_restart(context, event, pa_rtclock_now() + pa_usec_t(max(0, delay.nanoseconds / 1000)))
  }

  deinit { if let event { api.pointee.time_free(event) } }

  fileprivate func fire() { fired() }
}

private func timerFired(
  _: UnsafeMutablePointer<pa_mainloop_api>?, _: OpaquePointer?, _: UnsafePointer<timeval>?,
  context: UnsafeMutableRawPointer?
) {
  guard let context else { return }
  Unmanaged<PulseTimer>.fromOpaque(context).takeUnretainedValue().fire()
}
