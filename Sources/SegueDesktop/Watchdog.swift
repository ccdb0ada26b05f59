// Thread: the loop, whose turning is what the service manager is told of.

internal import CSystemd
public import SegueLoop
public import SegueSystem

/// Tells the service manager now and then that the loop turns, while music plays; whoever hangs then is ended and started
/// again. At rest nobody is waiting for sound, and the machine is not to be woken (sd_watchdog_enabled(3)).
@MainActor
public final class Watchdog {
  /// The longest the manager waits, as the unit says; nil where it does not watch.
  private let patience: MediaTime?
  private var timer: Timer?
  private var isOn = false

  /// Nothing is watched until `watch` says so.
  public init(on loop: EventLoop) throws(SystemError) {
    var microseconds: UInt64 = 0
    patience =
      sd_watchdog_enabled(0, &microseconds) > 0 ? MediaTime(nanoseconds: Int64(clamping: microseconds) * 1_000) : nil
    guard let patience else { return }
    // Late by a quarter it is still in time.
    timer = try Timer(on: loop, slack: patience / 4) { [unowned self] in tell() }
    ServiceManager.tell(.watched(within: nil))
  }

  /// Whether there is something to watch over.
  public func watch(_ on: Bool) {
    guard let patience, on != isOn else { return }
    isOn = on
    ServiceManager.tell(.watched(within: on ? patience : nil))
    if on { tell() } else { timer?.disarm() }
  }

  private func tell() {
    guard let patience else { return }
    ServiceManager.tell(.alive)
    timer?.arm(after: patience / 2)
  }
}
