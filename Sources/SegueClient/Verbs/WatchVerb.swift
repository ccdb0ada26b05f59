internal import Glibc
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
    while !connection.hasBufferedLine {
      var entries = [
        pollfd(fd: connection.raw, events: Int16(POLLIN), revents: 0), pollfd(fd: 1, events: 0, revents: 0),
      ]
      guard poll(&entries, 2, -1) > 0 else { continue }
      if entries[1].revents & Int16(POLLERR | POLLHUP) != 0 { return false }
      if entries[0].revents != 0 { return true }
    }
    return true
  }
}
