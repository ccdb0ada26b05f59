internal import Glibc
public import SegueRPC
internal import SegueSystem
public import SegueWire

/// An exit status of `segue`.
public enum ExitCode: Int32, Sendable {
  case done = 0
  /// The daemon returned an error or an invalid response, or the client itself found an error, such as a missing file.
  case failed = 1
  /// The command line is invalid.
  case usage = 2
  /// The daemon is not running, or closed the connection.
  case noDaemon = 3
}

/// An error that is reported to the user.
public struct ClientError: Error {
  public let exit: ExitCode
  public let message: String
  /// The stable name of the error in the protocol. It is nil for errors of the client.
  public let kind: String?
  /// Commands or facts that help to resolve the error, one per line.
  public let hints: [String]

  public init(_ exit: ExitCode, _ message: String, kind: String? = nil, hints: [String] = []) {
    self.exit = exit
    self.message = message
    self.kind = kind
    self.hints = hints
  }

  /// An error whose message is already printed. Only its exit status is used.
  public static let alreadyReported = ClientError(.failed, "")

  public static func usage(_ message: String, hints: [String] = []) -> ClientError {
    ClientError(.usage, message, hints: hints)
  }

  /// Returns the error with other hints.
  public func with(hints: [String]) -> ClientError { ClientError(exit, message, kind: kind, hints: hints) }
}

extension ClientError {
  /// Creates the error for a connection that failed, or for an error of the daemon, in the language of the user.
  public init(_ error: ConnectionError) {
    switch error {
    case .pathTooLong(let path):
      self = .usage(tr("the socket path is longer than %1$d bytes: %2$s", UnixSocket.maximumPathLength, path))
    case .unreachable(let path, let error): self = .unreachable(path, error)
    case .foreign(let path, let place):
      let reason =
        switch place {
        case .file(let file): tr("%1$s belongs to another user", file)
        case .listener: tr("the process that listens on it belongs to another user")
        }
      self.init(.noDaemon, tr("the socket %1$s is not used: %2$s", path, reason), hints: [Self.otherSocket])
    case .unresponsive(let path):
      self.init(
        .noDaemon, tr("the daemon at %1$s does not respond; the request may still be carried out when it does", path),
        hints: [
          "systemctl --user status segued", tr("kill -CONT PID   continues a daemon that was stopped by a signal"),
        ])
    case .unread: self.init(.failed, tr("the daemon does not read requests"))
    case .closed(let midway):
      self.init(
        .noDaemon,
        midway
          ? tr("the daemon closed the connection in the middle of a response")
          : tr("the daemon closed the connection without a response"),
        hints: ["systemctl --user status segued", tr("segue status   shows whether it is running again")])
    case .violation(let violation): self = .invalidResponse(violation.sentence)
    case .response(let response): self.init(response)
    }
  }

  private static func unreachable(_ path: FilePath, _ error: SystemError) -> ClientError {
    let start = ["systemctl --user start segued.socket", tr("segued &   (without systemd)")]
    switch error.code {
    case ENOENT, ECONNREFUSED:
      return ClientError(.noDaemon, tr("no daemon is running (nothing listens on %1$s)", path), hints: start)
    case EAGAIN:
      return ClientError(.failed, tr("the daemon does not accept connections"), hints: [tr("try again in a moment")])
    case EACCES, EPERM:
      return ClientError(
        .noDaemon, tr("the daemon at %1$s belongs to another user (%2$s)", path, error.translatedReason),
        hints: [otherSocket])
    default:
      return ClientError(
        .noDaemon, tr("cannot connect to the daemon at %1$s: %2$s", path, error.translatedReason), hints: start)
    }
  }

  private static var otherSocket: String { tr("segue --socket PATH   or   SEGUE_SOCKET=PATH   selects another daemon") }

  /// The notice that a change is in effect, but was not saved.
  public static var changeNotSaved: String { tr("the change is in effect, but the daemon could not save it") }

  /// Creates the error for a response that violates the protocol. The message is a sentence.
  public static func invalidResponse(_ message: String) -> ClientError {
    ClientError(
      .failed, message, hints: [tr("segue version   shows the versions of client and daemon")])
  }

  /// Creates the error for an error response of the daemon, with its message in the language of the user.
  private init(_ response: ErrorResponse) {
    let message = response.message?.translated ?? tr("the daemon returned an error without a message")
    if response.kind == Failure.Kind.rateLimited.rawValue, let wait = response.retryAfter {
      // The time is rounded up, so that an attempt after it succeeds.
      let seconds = max(1, Int((wait.nanoseconds + 999_999_999) / 1_000_000_000))
      let hint =
        seconds < 120
        ? trn("try again in %1$d second", "try again in %1$d seconds", seconds)
        : trn("try again in %1$d minute", "try again in %1$d minutes", (seconds + 59) / 60)
      self.init(.failed, message, kind: response.kind, hints: [hint])
      return
    }
    self.init(
      .failed, message, kind: response.kind,
      hints: response.kind.flatMap(Failure.Kind.init).map(Self.hints(for:)) ?? [])
  }

  /// The hints for an error of the sound server.
  public static var soundServerHints: [String] {
    [tr("pactl info   shows whether a sound server is running")] + hints(for: .unavailable)
  }

  /// Returns the hints that fit every error of this kind.
  public static func hints(for kind: Failure.Kind) -> [String] {
    switch kind {
    case .noSuchTrack: [tr("segue list   shows the numbers")]
    case .emptyQueue: [tr("segue add ~/Music   and then   segue play")]
    case .unavailable: [tr("journalctl --user -u segued   shows the log")]
    case .methodNotFound: [tr("segue version   shows the versions of client and daemon")]
    case .invalidParams: [tr("segue help VERB   shows the arguments")]
    case .tooManyClients, .busy, .rateLimited, .timeout: [tr("try again in a moment")]
    case .certificate: [tr("curl -I URL   shows the problem in detail")]
    case .notFound, .unplayable, .notSeekable, .outOfRange, .denied, .parseError, .invalidRequest, .internalError,
      .tooLarge, .queryTooShort, .offline, .badResponse, .exists,
      .cancelled, .damaged, .decodingStopped, .nothingToUndo, .nothingToRedo:
      []
    }
  }
}

extension ConnectionError.Violation {
  fileprivate var sentence: String {
    switch self {
    case .lineTooLong(let limit): tr("the daemon sent a line of more than %1$d MiB", limit >> 20)
    case .unreadable(let error): tr("the daemon sent a response that could not be read: %1$s", error.translated)
    case .notJSON(let error): tr("the daemon sent a line that is not JSON: %1$s", "\(error)")
    case .notAnObject: tr("the daemon sent a line that is not a JSON object")
    case .noResult: tr("the daemon sent a response with neither result nor error")
    }
  }
}
