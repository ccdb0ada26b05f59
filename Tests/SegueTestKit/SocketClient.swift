internal import CSegue
internal import Glibc
public import SegueSystem
public import SegueWire

/// A minimal client of the daemon's socket, independent of `SegueCLI`. Every call blocks for at most `timeoutSeconds`
/// seconds and then throws. Only the thread of the test uses it.
public final class SocketClient {
  /// An error response.
  public struct ErrorResponse: Error, Equatable {
    public let code: Int
    public let kind: String
    public let message: String
    /// The message with its template and arguments.
    public let localizableMessage: LocalizableMessage
  }

  private let descriptor: Descriptor
  private var received: [UInt8] = []
  /// The number of received bytes without a line feed.
  private var searched = 0
  private var isAtEnd = false
  private var lastID = 0
  /// The events that arrived while a response was waited for.
  private var events: [JSON] = []

  /// The timeout of every call, in seconds.
  public static let timeoutSeconds = 30

  public init(to path: FilePath) throws(SystemError) {
    descriptor = try UnixSocket.connect(to: path)
    try descriptor.setTimeout(seconds: Self.timeoutSeconds)
  }

  // MARK: Bytes and lines

  public func send(_ bytes: [UInt8]) throws(SystemError) {
    var sent = 0
    while sent < bytes.count {
      sent += try checked("send") {
        bytes[sent...].withUnsafeBytes { Glibc.send(descriptor.raw, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      }
    }
  }

  /// Sends `line` and a line feed.
  public func send(_ line: String) throws(SystemError) { try send(Array((line + "\n").utf8)) }

  /// Shuts down the writing half of the connection.
  public func finish() { shutdown(descriptor.raw, Int32(SHUT_WR)) }

  /// Whether there is data that was not read yet.
  public var hasMore: Bool {
    var wanted = pollfd(fd: descriptor.raw, events: Int16(POLLIN), revents: 0)
    return poll(&wanted, 1, 0) > 0
  }

  /// Returns the next line, of any length; nil if the daemon has closed the connection.
  public func line() throws -> String? {
    var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
      if let end = firstLF() {
        defer {
          received.removeSubrange(...end)
          searched = 0
        }
        return String(decoding: received[..<end], as: UTF8.self)
      }
      searched = received.count
      if isAtEnd { return nil }
      let count = recv(descriptor.raw, &buffer, buffer.count, 0)
      switch count {
      case 1...: received += buffer[..<count]
      // If the daemon closes the connection with data unread, it resets it after its last response.
      case 0: isAtEnd = true
      case _ where errno == ECONNRESET: isAtEnd = true
      case _ where errno == EINTR: continue
      default: throw SystemError("recv", "nothing arrived within \(Self.timeoutSeconds) s")
      }
    }
  }

  /// Returns the position of the first line feed in the data that was not searched yet. It uses memchr(3), because
  /// tests are not optimized and search megabytes.
  private func firstLF() -> Int? {
    received.withUnsafeBytes { bytes in
      bytes.baseAddress.flatMap { base in
        memchr(base + searched, 0x0A, bytes.count - searched).map { UnsafeRawPointer($0) - base }
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
    lastID += 1
    let params = params.map { ",\"params\":\($0)" } ?? ""
    try send("{\"jsonrpc\":\"2.0\",\"id\":\(lastID),\"method\":\"\(method)\"\(params)}")
    return lastID
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
        let message = error["message"]?.string ?? ""
        throw ErrorResponse(
          code: error["code"]?.int ?? 0, kind: error["data"]?["kind"]?.string ?? "", message: message,
          localizableMessage: error["data"].map { LocalizableMessage($0, text: message) } ?? .plain(message))
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

extension Descriptor {
  /// Limits every send and receive of this socket to `seconds`, so that no test hangs with its peer.
  public borrowing func setTimeout(seconds: Int) throws(SystemError) {
    let socket = raw
    try checked("setsockopt") { segue_set_socket_timeout(socket, Int32(seconds)) }
  }
}
