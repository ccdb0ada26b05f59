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
  private let context: VerbContext
  private let format: BarFormat
  /// The current state; nil until the daemon has answered or is known to be absent.
  private var status: BarStatus?
  /// The line that was printed last.
  private var printed: [UInt8] = []
  /// The error message that was printed last.
  private var reportedError = ""

  init(context: VerbContext, format: BarFormat) {
    self.context = context
    self.format = format
  }

  /// Runs until standard output is closed. Throws if the command line or the output is unusable.
  func run() throws(ClientError) {
    let connection = ReconnectingConnection<Void>(path: context.socket)
    repeat {
      guard try update(connection) else { return }
      // The program runs for days and mostly waits. What the events took is not needed meanwhile.
      CurrentProcess.trimHeap()
      // Only the newest of the states that arrived together is printed.
    } while try show()
  }

  /// Waits for a change of the state. Returns false if standard output is closed.
  private func update(_ connection: ReconnectingConnection<Void>) throws(ClientError) -> Bool {
    var events: [ReconnectingConnection<Void>.Event]
    switch WakeReason(waitingFor: connection.interest, until: nextTick) {
    case .outputClosed: return false
    case .readable: events = connection.handleDescriptor()
    case .deadline: events = connection.handleDeadline()
    }
    if case .connected? = events.last { events += connection.send(SubscribeRequest(topics: [.player]), for: ()) }
    for event in events { try handle(event) }
    return true
  }

  private func handle(_ event: ReconnectingConnection<Void>.Event) throws(ClientError) {
    switch event {
    case .response(_, .success(let result)): status = result["status"].map { BarStatus($0) }
    case .changed(let event): status = event["data"].map { BarStatus($0) } ?? status
    case .response(_, .failure(let failure)), .disconnected(let failure):
      status = BarStatus()
      try report(failure)
    case .connected, .changeNotSaved: break
    }
  }

  /// Prints an error once. The line itself shows that there is no daemon.
  private func report(_ failure: ConnectionError) throws(ClientError) {
    let error = ClientError(failure)
    if case .pathTooLong = failure { throw error }
    guard error.exit != .noDaemon, error.message != reportedError else { return }
    reportedError = error.message
    context.console.printError(error.message, hints: error.hints)
  }

  /// Prints the line for the state if it differs from the last one. Returns false if standard output is closed.
  private func show() throws(ClientError) -> Bool {
    guard let line = status.map({ format.line($0, context.style) }), line != printed else { return true }
    printed = line
    context.console.write(line)
    return try context.flush()
  }

  /// The time at which the position reaches the next second; nil if the line does not change then.
  private var nextTick: MonotonicTime? {
    format.template.usesPosition ? status?.player.nextSecond(after: .now) : nil
  }
}
