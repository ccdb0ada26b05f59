internal import SegueLoop

/// The lifecycle of a client's connection, as a pure value.
///
/// The two directions of a socket end independently of each other: a client may close its sending side and still read
/// responses, and a client that does not read any more may have sent requests that the daemon carries out.
struct ConnectionLifecycle {
  private enum Input {
    /// The client may send requests; all that has arrived was read.
    case idle
    /// The socket may hold input. The loop announces input once, when it arrives.
    case readable
    /// The client has closed its sending side. The socket may still hold input that the loop does not announce again.
    case ending
    /// All input was read.
    case ended
    /// The client sent a line that is too long. No further request is read or carried out.
    case rejected
  }

  private var input = Input.idle
  /// Whether the client has closed its receiving side. Its requests are still carried out, but responses are discarded.
  private(set) var isPeerClosed = false

  /// Whether a read may return input.
  var canRead: Bool {
    switch input {
    case .readable, .ending: true
    case .idle, .ended, .rejected: false
    }
  }

  /// Whether requests that were read are carried out.
  var acceptsRequests: Bool {
    switch input {
    case .idle, .readable, .ending, .ended: true
    case .rejected: false
    }
  }

  /// Whether no more input is read, so that the connection closes once all responses are sent.
  var isInputFinished: Bool {
    switch input {
    case .ended, .rejected: true
    case .idle, .readable, .ending: false
    }
  }

  mutating func becameReady(_ readiness: Readiness) {
    if !readiness.isDisjoint(with: [.hangUp, .error]) { isPeerClosed = true }
    switch input {
    case .idle, .readable:
      if !readiness.isDisjoint(with: [.endOfInput, .hangUp, .error]) {
        input = .ending
      } else if readiness.contains(.readable) {
        input = .readable
      }
    case .ending, .ended, .rejected: break
    }
  }

  /// Permits a read although the loop has not announced input.
  mutating func expectInput() {
    switch input {
    case .idle: input = .readable
    case .readable, .ending, .ended, .rejected: break
    }
  }

  mutating func didRead(_ result: SocketReader.Result) {
    switch (result, input) {
    case (.data, _): break
    // After the client has closed its sending side, the loop does not announce the rest of its input.
    case (.lastData, .ending): break
    case (.lastData, _), (.wouldBlock, _): input = .idle
    case (.endOfInput, _): input = .ended
    case (.failed, _):
      input = .ended
      isPeerClosed = true
    }
  }

  mutating func rejectInput() { input = .rejected }

  mutating func sendFailed() { isPeerClosed = true }
}
