// Thread: the loop, whose liveness the service manager watches.

public import SegueLoop
public import SegueSystem

/// A watchdog that tells the service manager at intervals, while music plays, that the loop runs.
///
/// The service manager ends and restarts a daemon that hangs meanwhile. While nothing plays, the watchdog is off, so
/// that it does not wake the machine (sd_watchdog_enabled(3)).
@MainActor
public final class Watchdog {
  /// The timeout of the service manager, as the unit sets it; nil if the unit sets none.
  private let timeout: MediaTime?
  private var timer: Timer?

  /// Creates a watchdog that is off until `isOn` is set.
  public init(on loop: EventLoop) throws(SystemError) {
    timeout = ServiceManager.watchdogTimeout
    guard let timeout else { return }
    // A ping is due after half of the timeout, so it may be late by a quarter of the timeout.
    timer = try Timer(on: loop, slack: timeout / 4) { [unowned self] in ping() }
    ServiceManager.notify(.watchdogTimeout(nil))
  }

  /// Whether the service manager expects pings.
  public var isOn = false {
    didSet {
      guard let timeout, isOn != oldValue else { return }
      ServiceManager.notify(.watchdogTimeout(isOn ? timeout : nil))
      if isOn { ping() } else { timer?.disarm() }
    }
  }

  private func ping() {
    guard let timeout else { return }
    ServiceManager.notify(.watchdogPing)
    timer?.arm(after: timeout / 2)
  }
}
