internal import CSegue
internal import Glibc
internal import SegueRPC
public import SegueSystem
public import SegueWire

/// A client of the daemon's socket: a connection of `SegueRPC` that checks the order of the responses, sends any bytes,
/// and reads lines of any length. Every call blocks for at most `timeoutSeconds` seconds and then throws. Only the
/// thread of the test uses it.
public final class SocketClient {
  /// An error response.
  public struct ErrorResponse: Error, Equatable {
    public let code: Int
    public let kind: String
    /// The message as it was sent.
    public let message: String
    /// The message with its template and arguments.
    public let localizableMessage: LocalizableMessage

    fileprivate init(_ error: JSON) {
      let response = SegueRPC.ErrorResponse(error)
      code = error["code"]?.int ?? 0
      kind = response.kind ?? ""
      message = error["message"]?.string ?? ""
      localizableMessage = response.message ?? .plain("")
    }
  }

  private let connection: Connection
  private var framer = LineFramer(limit: .max)
  /// The events that arrived while a response was waited for.
  private var events: [JSON] = []
  private var socket: Int32 { connection.interest.descriptor }

  /// The timeout of every call, in seconds.
  public static let timeoutSeconds = 30

  public init(to path: FilePath) throws(SystemError) {
    // Some tests run as root, and their daemon as another user.
    connection = Connection(try UnixSocket.connect(to: path), to: path)
    try setTimeout(of: socket, seconds: Self.timeoutSeconds)
  }

  // MARK: Bytes and lines

  public func send(_ bytes: [UInt8]) throws(SystemError) {
    var sent = 0
    while sent < bytes.count {
      sent += try checked("send") {
        bytes[sent...].withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      }
    }
  }

  /// Sends `line` and a line feed.
  public func send(_ line: String) throws(SystemError) { try send(Array((line + "\n").utf8)) }

  /// Shuts down the writing half of the connection.
  public func finish() { shutdown(socket, Int32(SHUT_WR)) }

  /// Whether there is data that was not read yet.
  public var hasMore: Bool {
    var wanted = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    return poll(&wanted, 1, 0) > 0
  }

  /// Returns the next line, of any length; nil if the daemon has closed the connection.
  public func line() throws -> String? {
    while true {
      if let line = framer.next({ String(decoding: $0, as: UTF8.self) }) { return line }
      do throws(SystemError) {
        guard try framer.read(from: socket) else { return nil }
      } catch {
        throw Unexpected("nothing arrived within \(Self.timeoutSeconds) s: \(error)")
      }
    }
  }

  /// Returns the next line as JSON.
  public func json() throws -> JSON {
    guard let line = try line() else { throw Unexpected("the daemon closed the connection") }
    return try JSON(parsing: line)
  }

  // MARK: Requests and events

  /// Calls `method` with `params` (JSON) and returns its result. Throws `ErrorResponse` if the response is an error.
  @discardableResult
  public func call(_ method: String, _ params: String? = nil) throws -> JSON {
    try response(to: try sendRequest(method, params))
  }

  /// Calls `method` and returns the error. Throws if the call succeeds.
  public func errorResponse(to method: String, _ params: String? = nil) throws -> ErrorResponse {
    do {
      let result = try call(method, params)
      throw Unexpected("\(method) returned \(result)")
    } catch let error as ErrorResponse {
      return error
    }
  }

  /// Sends a request without waiting and returns its id.
  public func sendRequest(_ method: String, _ params: String? = nil) throws -> Int {
    try connection.send(EncodedRequest(method, parameters: params.map { Array($0.utf8) }))
  }

  /// Returns the result of the request `id`, whose response must be the next one.
  public func response(to id: Int) throws -> JSON {
    while true {
      let json = try json()
      if json["method"]?.string == "event" {
        events.append(json)
        continue
      }
      guard json["id"]?.int == id else { throw Unexpected("the response is out of order or has no id: \(json)") }
      if let error = json["error"] {
        // The daemon reports a failure of a kind that the document does not name for the method as this kind.
        guard error["data"]?["kind"]?.string != "internal_error" else {
          throw Unexpected("the document does not name this kind of error: \(error["message"]?.string ?? "")")
        }
        throw ErrorResponse(error)
      }
      guard let result = json["result"] else { throw Unexpected("the response has neither a result nor an error") }
      return result
    }
  }

  /// Returns the `params` of the next event.
  public func event() throws -> JSON {
    let json = events.isEmpty ? try json() : events.removeFirst()
    guard json["method"]?.string == "event", let params = json["params"] else {
      throw Unexpected("a response arrived instead of an event")
    }
    return params
  }

  /// Waits for an event of `topic` whose `data` satisfies `condition`, and returns the data.
  public func event(of topic: String, where condition: (JSON) -> Bool = { _ in true }) throws -> JSON {
    while true {
      let event = try event()
      if event["topic"]?.string == topic, let data = event["data"], condition(data) { return data }
    }
  }
}

/// Limits every send and receive of a socket to `seconds`, so that no test hangs with its peer.
public func setTimeout(of socket: Int32, seconds: Int) throws(SystemError) {
  try checked("setsockopt") { segue_set_socket_timeout(socket, Int32(seconds)) }
}
