internal import SegueClientKit
internal import SegueSystem
internal import SegueWire

/// The lasting problems, about which the status line says something until they are over.
extension SharedState {
  /// The time without an answer after which the status line says so.
  private static let answerTime = MediaTime.seconds(3)

  /// The time at which the status line says that the daemon does not answer; nil if no answer is awaited.
  var answerDeadline: MonotonicTime? { unanswered.oldest.map { $0 + Self.answerTime } }

  /// The message about the connection to the daemon; nil if the daemon answers.
  var connectionProblem: Message? {
    switch connection {
    case .connecting: return .information(tr("Connecting to the daemon…"))
    case .lost(let error): return .failure(PlaybackMessages.lost(error))
    case .connected: break
    }
    guard let oldest = unanswered.oldest, now - oldest >= Self.answerTime else { return nil }
    return .failure(PlaybackMessages.noAnswer)
  }

  /// The message about an output that is lost; nil if sound can be played.
  var outputProblem: Message? {
    guard let output = status?.output, output.state == .lost else { return nil }
    return .failure(PlaybackMessages.lost(output))
  }
}
