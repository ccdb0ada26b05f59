public import SegueSystem

/// The delays between attempts to connect to a daemon that has ended. A new socket may not accept connections yet, and
/// a daemon may reject clients or end every connection soon, so attempts are repeated at growing intervals. If nothing
/// listens for a few seconds, only a new socket ends the wait.
public struct ReconnectionBackoff: Sendable {
  /// The time after which a connection counts as successful.
  private static let stableDuration = MediaTime.seconds(5)

  private var backoff = Backoff(.milliseconds(10)...(.seconds(5)))
  /// The time at which the daemon accepted the current or the last connection; nil if it did not.
  private var acceptance: MonotonicTime?

  public init() {}

  /// Returns the time of the next attempt. Returns nil if only a new socket ends the wait, which is the case only if
  /// `canWatch` is true: the caller then watches the path of the socket.
  public mutating func nextAttempt(
    isDaemonAbsent: Bool, canWatch: Bool, at now: MonotonicTime = .now
  ) -> MonotonicTime? {
    if let acceptance, now - acceptance >= Self.stableDuration { backoff.reset() }
    acceptance = nil
    let waitsForSocket = isDaemonAbsent && backoff.count >= 8 && canWatch
    let time = now + backoff.next()
    return waitsForSocket ? nil : time
  }

  /// Notes that the daemon has accepted a connection. If it lasts for some seconds, the delays are short again.
  public mutating func connectionIsAccepted(at now: MonotonicTime = .now) { acceptance = now }

  /// Forgets the failed attempts, so that the delays are short again. Called when a socket has appeared.
  public mutating func reset() { backoff.reset() }
}
