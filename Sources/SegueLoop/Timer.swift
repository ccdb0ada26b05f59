internal import CSystemd
public import SegueSystem

/// A one-shot timer that can be armed again. A disarmed timer causes no wakeups.
@MainActor
public final class Timer {
  // Proof: set once in init, used on the loop thread only; deinit runs where the last @MainActor owner releases it.
  private nonisolated(unsafe) var source: OpaquePointer?
  private let handler: @MainActor () -> Void
  public private(set) var isArmed = false

  private let clock: Clock

  /// The clock of a timer.
  public enum Clock: Sendable {
    /// CLOCK_MONOTONIC, which stops while the machine is suspended, as playback does.
    case monotonic
    /// CLOCK_BOOTTIME, which continues while the machine is suspended. A timer that expires meanwhile fires after the
    /// machine has woken up, and does not wake it.
    case boot
  }

  /// - Parameter slack: The maximum delay with which the timer may fire, so that the kernel can combine wakeups; at
  ///   least 1 µs.
  public init(
    on loop: EventLoop, clock: Clock = .monotonic, slack: MediaTime = .milliseconds(1),
    handler: @escaping @MainActor () -> Void
  ) throws(SystemError) {
    self.clock = clock
    self.handler = handler
    // Proof: `deinit` removes the source, which calls on the loop thread only.
    let context = Unmanaged.passUnretained(self).toOpaque()
    try sdChecked("sd_event_add_time") {
      sd_event_add_time(
        loop.event, &source, clock == .boot ? CLOCK_BOOTTIME : CLOCK_MONOTONIC, UInt64.max,
        UInt64(max(1, slack.nanoseconds / 1_000)), timerFired, context)
    }
    sd_event_source_set_enabled(source, Int32(SD_EVENT_OFF))
  }

  deinit { sd_event_source_disable_unref(source) }

  /// Arms the timer, which must use the monotonic clock.
  public func arm(at time: MonotonicTime) {
    precondition(clock == .monotonic, "the time is of another clock")
    arm(nanoseconds: time.nanoseconds)
  }

  /// Arms the timer, which must use the boot clock.
  public func arm(at time: BootTime) {
    precondition(clock == .boot, "the time is of another clock")
    arm(nanoseconds: time.nanoseconds)
  }

  public func arm(after delay: MediaTime) {
    switch clock {
    case .monotonic: arm(at: MonotonicTime.now + delay)
    case .boot: arm(at: BootTime.now + delay)
    }
  }

  private func arm(nanoseconds: Int64) {
    // The time is rounded up, so that the timer never fires early.
    sd_event_source_set_time(source, UInt64(max(0, nanoseconds.addingSaturated(999)) / 1_000))
    sd_event_source_set_enabled(source, Int32(SD_EVENT_ONESHOT))
    isArmed = true
  }

  public func disarm() {
    guard isArmed else { return }
    sd_event_source_set_enabled(source, Int32(SD_EVENT_OFF))
    isArmed = false
  }

  fileprivate func dispatch() {
    isArmed = false
    handler()
  }
}

private nonisolated func timerFired(_: OpaquePointer?, _: UInt64, context: UnsafeMutableRawPointer?) -> Int32 {
  guard let context else { return 0 }
  // The reference is strong during the call, because the handler may release its timer.
  let source = Unmanaged<Timer>.fromOpaque(context).takeUnretainedValue()
  MainActor.assumeIsolated { source.dispatch() }
  return 0
}
