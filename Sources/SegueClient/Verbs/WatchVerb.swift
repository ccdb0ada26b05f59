internal import SegueWire

/// `segue watch`: a line for the state and one for every event, until the daemon or the reader goes.
enum WatchVerb {
  @Sendable static func run(_ session: Session, _ arguments: [Argument]) throws(ClientError) {
    let topics = arguments.map(\.text)
    let request = topics.isEmpty ? Request("subscribe") : Request("subscribe") { $0.member("topics", topics) }
    let state = try session.call(request)
    let connection = try session.connection()
    var message = state
    while true {
      session.print(json: message)
      guard try session.flush(), waits(connection) else { return }
      message = try connection.event()
    }
  }

  /// Waits for the daemon's next line; false when the reader of standard output went away meanwhile.
  static func waits(_ connection: Connection) -> Bool {
    if connection.hasBufferedLine { return true }
    if case .readable = Wakening(waitingFor: connection.raw) { return true }
    return false
  }
}
