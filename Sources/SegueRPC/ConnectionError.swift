internal import Glibc
public import SegueSystem
public import SegueWire

/// The reason why there is no connection to the daemon, or why a request has no result.
public enum ConnectionError: Error {
  /// The path is longer than that of a socket may be.
  case pathTooLong(FilePath)
  /// The connection to the socket at this path failed. The code is ENOENT or ECONNREFUSED if no daemon runs.
  case unreachable(FilePath, SystemError)
  /// Another user placed the socket at this path, or listens on it. Requests may contain tokens and private paths.
  case foreign(FilePath, ForeignPlace)
  /// The daemon accepts connections, but answers nobody.
  case unresponsive(FilePath)
  /// The request was not sent, because the daemon has left too many requests of this client unread.
  case unread
  /// The daemon closed the connection. `midway` is true if this happened inside a response. As the result of a call:
  /// the connection was lost before the response, or there is none.
  case closed(midway: Bool)
  case violation(Violation)
  /// The daemon returned an error.
  case response(ErrorResponse)

  /// The place that belongs to another user.
  public enum ForeignPlace: Sendable {
    case file(FilePath)
    case listener
  }

  /// How a message violates the protocol.
  public enum Violation: Sendable {
    /// The line is longer than this many bytes.
    case lineTooLong(limit: Int)
    case unreadable(SystemError)
    case notJSON(JSONSyntaxError)
    case notAnObject
    /// The response has neither a result nor an error.
    case noResult
  }

  /// Whether there is no daemon that serves this user: none runs, it hangs or has ended, or it belongs to another user.
  public var isDaemonAbsent: Bool {
    switch self {
    case .unreachable(_, let error): error.code != EAGAIN
    case .foreign, .unresponsive, .closed: true
    case .pathTooLong, .unread, .violation, .response: false
    }
  }
}

/// An error that the daemon returned.
public struct ErrorResponse: Sendable {
  /// The stable name of the error; nil if the daemon does not state one.
  public let kind: String?
  /// The message; nil if there is none.
  public let message: LocalizableMessage?
  /// The time after which a server accepts requests again; nil if it is unknown.
  public let retryAfter: MediaTime?
  /// The error as the daemon has sent it.
  public let text: [UInt8]

  public init(_ error: JSON) {
    var json = JSONWriter()
    json.value(error)
    text = json.bytes
    let data = error["data"]
    kind = data?["kind"]?.string
    message = error["message"]?.string.map { text in data.map { LocalizableMessage($0, text: text) } ?? .plain(text) }
    retryAfter = data?["retryAfter"]?.time
  }
}
