internal import SeguePlayer
internal import SegueSystem
internal import SegueWire

extension Session {
  /// Sends the events the client is owed, unless it is behind: then the newest of each topic waits until it caught up.
  func sendOwedEvents() {
    guard !subscription.owesNothing, !isClosed else { return }
    guard backlog.isEmpty, !isInAnswer else { return }
    for (topic, sequence) in subscription.settle() {
      server.output.event(topic: topic.rawValue, sequence: sequence, data: server.state(of: topic))
    }
    flush()
  }

  /// Sends them outside of a turn.
  func tellEvents() {
    sendOwedEvents()
    settle()
  }
}
