public import SegueSystem

/// The delays between attempts to connect to a daemon that has ended. A new socket may not accept connections yet, and a
/// daemon may reject clients, so attempts are repeated at growing intervals. If nothing listens for a few seconds, only a new
/// socket ends the wait.
public struct ReconnectionBackoff: Sendable {
  /// The number of failed attempts since the last successful one.
  private var failedAttempts = 0

  public init() {}

  /// Returns the time of the next attempt. Returns nil if only a new socket ends the wait, which is the case only if
  /// `canWatch` is true: the caller then watches the path of the socket.
  public mutating func nextAttempt(isDaemonAbsent: Bool, canWatch: Bool) -> MonotonicTime? {
    let milliseconds = min(5_000, 10 << min(failedAttempts, 9))
    let waitsForSocket = isDaemonAbsent && failedAttempts >= 8 && canWatch
    failedAttempts += 1
    return waitsForSocket ? nil : .now + .milliseconds(milliseconds)
  }

  /// Begins with short delays again, after a successful attempt or when a socket has appeared.
  public mutating func reset() { failedAttempts = 0 }
}
