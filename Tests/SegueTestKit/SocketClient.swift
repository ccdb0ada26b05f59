internal import Glibc
public import SegueSystem
public import SegueWire

/// A client of the daemon's socket, as plain as one can be: bytes out, lines in, and nothing of `SegueClient`.
/// Everything waits, for at most `patience`, and then throws. One thread, the test's, has it.
public final class SocketClient {
  /// An error that was answered.
  public struct ErrorResponse: Error, Equatable {
    public let code: Int
    public let kind: String
    public let message: String
  }

  private let descriptor: Descriptor
  private var received: [UInt8] = []
  /// Up to where no LF has been found.
  private var searched = 0
  private var isAtEnd = false
  private var lastID = 0
  /// Events that came while an answer was waited for.
  private var events: [JSON] = []

  /// How long anything may take before the test fails.
  public static let patience = 30

  public init(to path: FilePath) throws(SystemError) {
    descriptor = try UnixSocket.connect(to: path)
    try descriptor.setTimeout(seconds: Self.patience)
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

  /// Sends `line` and an LF.
  public func send(_ line: String) throws(SystemError) { try send(Array((line + "\n").utf8)) }

  /// Says that nothing more will be sent.
  public func finish() { shutdown(descriptor.raw, Int32(SHUT_WR)) }

  /// Whether something has come that was not read yet.
  public var hasMore: Bool {
    var wanted = pollfd(fd: descriptor.raw, events: Int16(POLLIN), revents: 0)
    return poll(&wanted, 1, 0) > 0
  }

  /// The next line, however long; nil once the daemon has closed the connection.
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
      // A daemon that closes with something of ours unread resets the connection, after its last words.
      case 0: isAtEnd = true
      case _ where errno == ECONNRESET: isAtEnd = true
      case _ where errno == EINTR: continue
      default: throw SystemError("recv", "nothing came in \(Self.patience) s")
      }
    }
  }

  /// The first LF that was not looked for yet. Tests are not optimized: nothing generic for every byte of megabytes.
  private func firstLF() -> Int? {
    received.withUnsafeBytes { bytes in
      bytes.baseAddress.flatMap { base in
        memchr(base + searched, 0x0A, bytes.count - searched).map { UnsafeRawPointer($0) - base }
      }
    }
  }

  /// The next line, read.
  public func json() throws -> JSON {
    guard let line = try line() else { throw Unexpected("the daemon closed the connection") }
    return try JSON(parsing: line)
  }

  // MARK: Requests and events

  /// Calls `method` with `params` (JSON) and returns its result; throws `ErrorResponse` for an error.
  @discardableResult
  public func call(_ method: String, _ params: String? = nil) throws -> JSON {
    try answer(to: try begin(method, params))
  }

  /// The error that `method` answers; throws if it answers a result.
  public func refusal(of method: String, _ params: String? = nil) throws -> ErrorResponse {
    do {
      let result = try call(method, params)
      throw Unexpected("\(method) answered \(result)")
    } catch let refusal as ErrorResponse {
      return refusal
    }
  }

  /// Sends a request without waiting; its id.
  public func begin(_ method: String, _ params: String? = nil) throws -> Int {
    lastID += 1
    let params = params.map { ",\"params\":\($0)" } ?? ""
    try send("{\"jsonrpc\":\"2.0\",\"id\":\(lastID),\"method\":\"\(method)\"\(params)}")
    return lastID
  }

  /// The answer to the request `id`, which must be the next answer that comes.
  public func answer(to id: Int) throws -> JSON {
    while true {
      let json = try json()
      if json["method"]?.string == "event" {
        events.append(json)
        continue
      }
      guard json["id"]?.int == id else { throw Unexpected("answered out of order, or to nobody: \(json)") }
      if let error = json["error"] {
        // A failure of a kind that the document does not name for the method is answered as this one.
        guard error["data"]?["kind"]?.string != "internal_error" else {
          throw Unexpected("a kind of error that the document does not name: \(error["message"]?.string ?? "")")
        }
        throw ErrorResponse(
          code: error["code"]?.int ?? 0, kind: error["data"]?["kind"]?.string ?? "",
          message: error["message"]?.string ?? "")
      }
      guard let result = json["result"] else { throw Unexpected("neither result nor error") }
      return result
    }
  }

  /// The next event: its `params`.
  public func event() throws -> JSON {
    let json = events.isEmpty ? try json() : events.removeFirst()
    guard json["method"]?.string == "event", let params = json["params"] else {
      throw Unexpected("an answer came where an event was waited for")
    }
    return params
  }

  /// Passes events over until one of `topic` satisfies `condition`; its `data`.
  public func event(of topic: String, where condition: (JSON) -> Bool = { _ in true }) throws -> JSON {
    while true {
      let event = try event()
      if event["topic"]?.string == topic, let data = event["data"], condition(data) { return data }
    }
  }
}
