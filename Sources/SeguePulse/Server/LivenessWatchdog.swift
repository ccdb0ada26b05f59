// Thread: the pulse thread.
internal import SegueOutput
internal import SegueSystem

/// A delegate that says whether the server is expected to act, and is notified if it does not.
protocol LivenessWatchdogDelegate: AnyObject {
  /// Whether the server owes a response, or a request for more sound.
  var isServerActivityExpected: Bool { get }
  /// Returns a timer; nil if there is no connection.
  func timer(after delay: MediaTime, _ fired: @escaping () -> Void) -> PulseTimer?
  /// The server was inactive for one period.
  func serverIsOverdue()
  /// The server or its sink hangs. Returns false if that does not count yet.
  /// - Parameter lastSign: The time of the last activity of what hangs or, if that is the sink, of the server's
  ///   response.
  func outputHangs(_ hang: OutputHang, since lastSign: MonotonicTime) -> Bool
  /// An unresponsive server acted, or no activity is expected of the server any more. `hasActed` tells which.
  func serverIsResponsive(hasActed: Bool)
}

/// A watchdog for a server that hangs without closing its socket, and for a sink that reads nothing although the server
/// responds. While activity is expected, the server has two periods: after the first one a playing server is asked for
/// its timing, and after the second one it counts as unresponsive. If it responds, but its sink has read nothing, the
/// sink hangs. The stream stays as it is, and continues as soon as the server or the sink does.
final class LivenessWatchdog {
  private enum State {
    case disarmed
    case armed(PulseTimer)
    /// The server was inactive for one period and was asked to respond.
    case overdue(PulseTimer)
    /// The server has responded at that time, but its sink has read nothing.
    case answered(PulseTimer, at: MonotonicTime)
    case unresponsive(PulseTimer, OutputHang)
  }

  /// The time after which an inactive server is overdue. A server requests more sound of a playing stream twice a
  /// second.
  private static let period = MediaTime.milliseconds(1_250)
  /// The time that a sink has after the response of its server. PulseAudio's null sink reads two seconds ahead, and may
  /// read nothing for so long when a stream starts.
  private static let sinkPeriod = MediaTime.milliseconds(2_500)

  private unowned let delegate: any LivenessWatchdogDelegate
  private var state = State.disarmed
  private var lastActivity = MonotonicTime(nanoseconds: 0)

  init(_ delegate: any LivenessWatchdogDelegate) { self.delegate = delegate }

  var isUnresponsive: Bool { if case .unresponsive = state { true } else { false } }

  /// Records that the server acted, and restarts the period.
  func recordActivity() {
    lastActivity = .now
    switch state {
    case .disarmed, .armed: break
    case .overdue(let timer), .answered(let timer, _): state = .armed(timer)
    case .unresponsive(let timer, _):
      state = .armed(timer)
      delegate.serverIsResponsive(hasActed: true)
    }
    update()
  }

  /// Records that the server responded, and that its sink has read nothing since the previous response.
  func recordAnswer() {
    switch state {
    case .overdue(let timer):
      state = .answered(timer, at: .now)
      timer.restart(after: Self.sinkPeriod)
    case .unresponsive(_, .server): recordActivity()
    case .disarmed, .armed, .answered, .unresponsive(_, .sink): break
    }
  }

  /// Restarts the period if the server is expected to act, and disarms the watchdog otherwise. Must be called whenever
  /// that changes.
  func update() {
    guard delegate.isServerActivityExpected else { return disarm() }
    switch state {
    case .armed(let timer), .overdue(let timer), .answered(let timer, _), .unresponsive(let timer, _):
      timer.restart(after: Self.period)
    case .disarmed:
      lastActivity = .now
      let timer = delegate.timer(after: Self.period) { [unowned self] in periodElapsed() }
      if let timer { state = .armed(timer) }
    }
  }

  func disarm() {
    let wasUnresponsive = isUnresponsive
    state = .disarmed
    if wasUnresponsive { delegate.serverIsResponsive(hasActed: false) }
  }

  private func periodElapsed() {
    guard delegate.isServerActivityExpected else { return disarm() }
    switch state {
    case .disarmed, .unresponsive: break
    case .armed(let timer):
      state = .overdue(timer)
      delegate.serverIsOverdue()
      timer.restart(after: Self.period)
    case .overdue(let timer):
      if delegate.outputHangs(.server, since: lastActivity) { state = .unresponsive(timer, .server) }
    case .answered(let timer, let time):
      if delegate.outputHangs(.sink, since: time) { state = .unresponsive(timer, .sink) }
    }
  }
}
