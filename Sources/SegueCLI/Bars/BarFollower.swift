internal import Glibc
internal import SegueClientKit
internal import SegueRPC
internal import SegueSystem
internal import SegueWire

/// The form in which `status` prints the state for a status bar.
struct BarFormat {
  private(set) var output = BarOutput.plain
  private(set) var template = Template.standard

  /// Creates the format from the options of `status`. If an option is repeated, the last one applies.
  init(_ options: [VerbOption]) {
    for case .output(let given) in options { output = given }
    for case .format(let given) in options { template = given }
  }

  /// Returns the line for a state.
  func line(_ status: BarStatus, _ style: Style) -> [UInt8] {
    let context = TemplateContext(status: status, now: .now, style: style, isMarkup: output.isMarkup)
    return output.line(template.rendered(in: context, escape: output.escape), status)
  }
}

/// The loop of `segue status --follow`. It prints a line for the current state and another one whenever the line
/// changes, until the reader of standard output closes it. It reconnects when the daemon is restarted.
final class BarFollower {
  /// The end of the loop.
  private struct Termination: Error {
    /// The error to report. It is nil if standard output was closed.
    let cause: ClientError?
  }

  private let context: VerbContext
  private let format: BarFormat
  /// The line that was printed last.
  private var printed: [UInt8] = []
  /// The error message that was printed last.
  private var reportedError = ""
  private var backoff = ReconnectionBackoff()

  init(context: VerbContext, format: BarFormat) {
    self.context = context
    self.format = format
  }

  /// Runs until standard output is closed. Throws if the command line or the output is unusable.
  func run() throws(ClientError) {
    // The watcher is created before the first connection attempt, so that it reports every later change.
    let watcher = try? SocketWatcher(path: context.socket)
    do throws(Termination) {
      while true {
        let isDaemonAbsent = try followConnection()
        try show(BarStatus())
        try waitForDaemon(watcher, isDaemonAbsent: isDaemonAbsent)
      }
    } catch {
      if let cause = error.cause { throw cause }
    }
  }

  /// Prints the daemon's states until the connection ends. Returns whether the daemon is absent: true if no connection
  /// was made.
  private func followConnection() throws(Termination) -> Bool {
    let connection: Connection
    do throws(ConnectionError) {
      connection = try Connection(path: context.socket)
    } catch {
      if case .pathTooLong = error { throw Termination(cause: ClientError(error)) }
      return true
    }
    guard
      let subscription = connection.sendWithoutBlocking(
        EncodedRequest(SubscribeRequest(topics: [.player])))
    else { return false }
    try waitForLine(on: connection, until: nil)
    guard
      var status = try receive({ () throws(ConnectionError) in try connection.response(to: subscription)["status"] })
    else { return false }
    backoff.connectionIsAccepted()
    while true {
      try show(BarStatus(status))
      // The program runs for days and mostly waits. What the status before took is not needed meanwhile.
      CurrentProcess.trimHeap()
      guard try waitForLine(on: connection, until: nextTick(of: Status(status))) else { continue }
      // Only the newest of the buffered states is printed.
      repeat {
        guard let next = try receive({ () throws(ConnectionError) in try connection.nextEvent()["data"] }) else {
          return false
        }
        status = next
      } while connection.hasBufferedLine
    }
  }

  /// Returns the result of `read`. Returns nil if the connection ends or the daemon returns an error; the same error is
  /// printed only once.
  private func receive(_ read: () throws(ConnectionError) -> JSON?) throws(Termination) -> JSON? {
    do throws(ClientError) {
      return try context.reporting(read)
    } catch {
      if error.exit != .noDaemon, error.message != reportedError {
        reportedError = error.message
        context.console.printError(error.message, hints: error.hints)
      }
      return nil
    }
  }

  /// Prints the line for a state if it differs from the last one.
  private func show(_ status: BarStatus) throws(Termination) {
    let line = format.line(status, context.style)
    if line == printed { return }
    printed = line
    context.console.write(line)
    do throws(ClientError) {
      if try context.flush() { return }
    } catch {
      throw Termination(cause: error)
    }
    throw Termination(cause: nil)
  }

  /// Returns the time at which the position reaches the next second, or nil if the line does not change then.
  private func nextTick(of player: Status) -> MonotonicTime? {
    format.template.usesPosition ? player.nextSecond(after: .now) : nil
  }

  /// Waits for a message. Returns false if `deadline` passes first.
  @discardableResult
  private func waitForLine(on connection: Connection, until deadline: MonotonicTime?) throws(Termination) -> Bool {
    try isReadable(connection.wait(until: deadline))
  }

  /// Waits for the time of the next connection attempt, or for a new socket.
  private func waitForDaemon(_ watcher: SocketWatcher?, isDaemonAbsent: Bool) throws(Termination) {
    let deadline = backoff.nextAttempt(isDaemonAbsent: isDaemonAbsent, canWatch: watcher != nil)
    while true {
      guard try isReadable(WakeReason(waitingFor: watcher?.raw ?? -1, until: deadline)) else { return }
      if watcher?.processEvents() == true {
        if isDaemonAbsent { backoff.reset() }
        return
      }
    }
  }

  /// Returns whether data can be read, or false if the deadline passed. Throws if standard output was closed.
  private func isReadable(_ reason: WakeReason) throws(Termination) -> Bool {
    switch reason {
    case .readable: return true
    case .deadline: return false
    case .outputClosed: throw Termination(cause: nil)
    }
  }
}
