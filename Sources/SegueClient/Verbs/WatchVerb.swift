internal import SegueSystem
internal import SegueWire

/// `segue watch`: a line for the state and one for every event, or one for every track, until the daemon or the reader
/// goes.
enum WatchVerb {
  private enum Topic: String, CaseIterable {
    case player, queue, library, output, settings
  }

  @Sendable static func run(_ session: Session, _ arguments: [Argument]) throws(ClientError) {
    let topics = try topics(arguments)
    guard session.options.flags.isEmpty else {
      guard topics.isEmpty else { throw .usage("--track watches the player: it takes no TOPIC") }
      return try watchTracks(session)
    }
    let request =
      topics.isEmpty ? Request("subscribe") : Request("subscribe") { $0.member("topics", topics.map(\.rawValue)) }
    let state = try session.call(request)
    let connection = try session.connection()
    var message = state
    while true {
      session.print(json: message)
      guard try session.flush(), waits(connection) else { return }
      message = try connection.event()
    }
  }

  private static func topics(_ arguments: [Argument]) throws(ClientError) -> [Topic] {
    var topics: [Topic] = []
    for word in arguments.map(\.text) {
      guard let topic = Topic(rawValue: word) else {
        let known = Topic.allCases.map(\.rawValue)
        throw .usage(
          "there is no topic “\(word)”: topics are \(known.joined(separator: ", "))",
          hints: Suggestion.nearest(to: word, among: known).map { ["did you mean   segue watch \($0)   ?"] } ?? [])
      }
      topics.append(topic)
    }
    return topics
  }

  /// Prints each track once, when its first sound is heard; again if it was stopped in between.
  private static func watchTracks(_ session: Session) throws(ClientError) {
    var state = try session.call(Request("subscribe") { $0.member("topics", [Topic.player.rawValue]) })["status"]
    let connection = try session.connection()
    var printed: UInt64?
    while true {
      let status = state.map { Status($0) }
      if status?.state == .stopped { printed = nil }
      if let status, status.rate > 0, let track = status.track, track.id != printed {
        state?["track"].map(session.print(json:))
        printed = track.id
      }
      guard try session.flush(), waits(connection) else { return }
      let event = try connection.event()
      if event["topic"]?.string == Topic.player.rawValue { state = event["data"] }
    }
  }

  /// Waits for the daemon's next line; false when the reader of standard output went away meanwhile.
  static func waits(_ connection: Connection) -> Bool {
    if connection.hasBufferedLine { return true }
    if case .readable = WakeReason(waitingFor: connection.raw) { return true }
    return false
  }
}
