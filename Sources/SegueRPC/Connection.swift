internal import Glibc
public import SegueSystem
public import SegueWire

/// A blocking connection to the daemon. Responses are matched to requests by their id. `response` skips notifications,
/// and `nextEvent` skips responses.
public final class Connection {
  private let path: FilePath
  private let socket: Descriptor
  /// The capacity that is kept is sufficient for an event.
  private var framer = LineFramer(limit: maximumLineLength, keptCapacity: 16 << 10)
  private var lastID = 0
  /// The bytes of requests that the socket has not taken yet.
  private var unsent: ArraySlice<UInt8> = []
  /// The responses that arrived while another one was awaited, by id.
  private var unclaimed: [Int: JSON] = [:]
  /// Whether the daemon could save the change that a response has confirmed since the last request, if it was one.
  public private(set) var isLastChangeSaved = true

  /// The maximum length of a line, in bytes. Every response of the daemon is shorter (`ResponseLimits`); a longer line
  /// comes from another program.
  private static let maximumLineLength = 4 << 20

  /// Connects to the daemon. Throws if nothing listens on `path`, or if another user placed the socket or listens on
  /// it. If the connection is not `blocking`, this call fails while the daemon does not accept connections, and only
  /// `receiveMessages` and `sendWithoutBlocking` may be used.
  public convenience init(path: FilePath, blocking: Bool = true) throws(ConnectionError) {
    self.init(try Self.connectedSocket(to: path, blocking: blocking), to: path)
  }

  /// Creates a connection from a socket that is connected to the daemon at `path`, which the caller trusts.
  public init(_ socket: consuming Descriptor, to path: FilePath) {
    self.socket = socket
    self.path = path
  }

  /// Returns a socket that is connected to the daemon. Throws like `init(path:blocking:)`.
  public static func connectedSocket(to path: FilePath, blocking: Bool) throws(ConnectionError) -> Descriptor {
    guard path.bytes.count <= UnixSocket.maximumPathLength else {
      throw .pathTooLong(path)
    }
    // A folder or link of another user could lead to any socket of this user. In a folder to which others may write,
    // only the process that listens counts.
    for case .foreign(let place)? in [FileDistrust(folder: path.parent), FileDistrust(file: path)] {
      throw .foreign(path, .file(place))
    }
    do throws(SystemError) {
      let socket = try UnixSocket.connect(to: path, blocking: blocking)
      if FileDistrust.isTrusted(owner: try UnixSocket.peerUser(of: socket.raw)) { return socket }
    } catch {
      throw .unreachable(path, error)
    }
    throw .foreign(path, .listener)
  }

  /// The event that a program waits for before it calls `receiveMessages`, or a function that blocks.
  public var interest: ConnectionInterest {
    let events = unsent.isEmpty ? POLLIN : POLLIN | POLLOUT
    return ConnectionInterest(owner: self, descriptor: socket.raw, events: Int16(events), deadline: nil)
  }

  /// Whether a complete line is buffered, which `poll` does not report.
  public var hasBufferedLine: Bool { framer.hasLine }

  // MARK: Blocking

  /// Sends a request and returns its result. Throws the error if the daemon returned one. `whenLate` is called, once or
  /// more, if the daemon has not received the request within half a second, or has not answered half a second later.
  public func call<Value>(
    _ request: some ProtocolRequest<Value>, whenLate: () -> Void = {}
  ) throws(ConnectionError) -> Response<Value> {
    Response(try response(to: try send(EncodedRequest(request), whenLate: whenLate), whenLate: whenLate))
  }

  /// Sends a request and returns its id. Throws if the daemon neither receives the request nor answers another client.
  /// `whenLate` is called if the daemon has not received the request within half a second.
  public func send(_ request: EncodedRequest, whenLate: () -> Void = {}) throws(ConnectionError) -> Int {
    isLastChangeSaved = true
    let id = append(request)
    while !transmit() { try wait(for: POLLOUT, whenLate) }
    return id
  }

  /// Waits until data arrives or can be sent. Some requests take minutes. The daemon answers other clients meanwhile,
  /// unless it is stopped.
  private func wait(for event: Int32, _ whenLate: () -> Void) throws(ConnectionError) {
    if isReady(for: event, within: .milliseconds(500)) { return }
    whenLate()
    while !isReady(for: event, within: .seconds(2)) {
      guard Self.answers(at: path, within: .seconds(3)) else { throw .unresponsive(path) }
    }
  }

  private func isReady(for event: Int32, within time: MediaTime) -> Bool {
    if event == POLLIN, framer.hasLine { return true }
    var entries = [pollfd(fd: socket.raw, events: Int16(event), revents: 0)]
    return poll(&entries, until: .now + time) != 0
  }

  /// Returns whether the daemon answers another client, a request that takes no time, within `time`.
  private static func answers(at path: FilePath, within time: MediaTime) -> Bool {
    guard let connection = try? Connection(path: path, blocking: false),
      connection.sendWithoutBlocking(EncodedRequest(RPCVersionRequest())) != nil
    else { return false }
    return connection.isReady(for: POLLIN, within: time)
  }

  /// Returns the result of request `id`. Throws the error if the daemon returned one, and if the daemon sends nothing
  /// and answers no other client. `whenLate` is called if nothing arrives within half a second.
  public func response(to id: Int, whenLate: () -> Void = {}) throws(ConnectionError) -> JSON {
    if unclaimed[id] == nil { try wait(for: POLLIN, whenLate) }
    while true {
      let message: JSON
      if !unclaimed.isEmpty, let kept = unclaimed.removeValue(forKey: id) {
        message = kept
      } else {
        message = try nextMessage()
      }
      guard let responseID = message["id"] else { continue }
      if let other = responseID.int, other != id {
        unclaimed[other] = message
        continue
      }
      // An error without an id concerns the whole connection and therefore also this request.
      if let error = message["error"], !error.isNull { throw .response(ErrorResponse(error)) }
      guard responseID.int == id else { continue }
      isLastChangeSaved = message.reportsSavedChange
      guard let result = message["result"] else {
        throw .violation(.noResult)
      }
      return result
    }
  }

  /// Returns the next response to one of the requests `ids`, in the order of arrival. Its result is nil if the daemon
  /// returned an error. Waits for further messages while `wait` returns true; returns nil when it returns false.
  public func nextResponse(
    toOneOf ids: Set<Int>, while wait: () -> Bool
  ) throws(ConnectionError) -> (id: Int, result: JSON?)? {
    if let id = unclaimed.keys.first(where: ids.contains), let kept = unclaimed.removeValue(forKey: id) {
      return (id, kept["result"])
    }
    while wait() {
      let message = try nextMessage()
      guard let id = message["id"]?.int else { continue }
      if ids.contains(id) { return (id, message["result"]) }
      unclaimed[id] = message
    }
    return nil
  }

  /// Returns the parameters of the next event. Responses are skipped.
  public func nextEvent() throws(ConnectionError) -> JSON {
    while true {
      let message = try nextMessage()
      if message["method"]?.string == "event", let parameters = message["params"] { return parameters }
    }
  }

  private func nextMessage() throws(ConnectionError) -> JSON {
    while true {
      if let message = try bufferedMessage() { return message }
      try read()
    }
  }

  /// Returns the next message if it is complete.
  private func bufferedMessage() throws(ConnectionError) -> JSON? {
    let line = framer.next { line in Result { () throws(JSONSyntaxError) in try JSON(parsing: line) } }
    switch line {
    case .success(let message) where message.kind == .object: return message
    case .success: throw .violation(.notAnObject)
    case .failure(let error): throw .violation(.notJSON(error))
    case nil where framer.isOverrun: throw .violation(.lineTooLong(limit: Self.maximumLineLength))
    case nil: return nil
    }
  }

  /// Reads once. Waits for something to read, unless the socket does not block.
  private func read() throws(ConnectionError) {
    let isOpen: Bool
    do throws(SystemError) {
      isOpen = try framer.read(from: socket.raw)
    } catch {
      throw .violation(.unreadable(error))
    }
    guard isOpen else { throw .closed(midway: framer.pending > 0) }
  }

  // MARK: Without blocking

  /// Sends what did not fit before, reads once, and returns the messages that are complete then. If the socket is
  /// readable, the call does not block.
  public func receiveMessages() throws(ConnectionError) -> [JSON] {
    _ = transmit()
    do throws(ConnectionError) {
      try read()
    } catch {
      // A socket that does not block may have nothing to read.
      guard case .violation(.unreadable(let system)) = error, system.code == EAGAIN else { throw error }
      return []
    }
    var messages: [JSON] = []
    while let message = try bufferedMessage() { messages.append(message) }
    return messages
  }

  /// Sends a request without blocking and returns its id. `receiveMessages` sends what does not fit the buffer of
  /// the socket. Returns nil, and sends nothing, if the daemon has left too many requests unread.
  public func sendWithoutBlocking(_ request: EncodedRequest) -> Int? {
    guard unsent.count < Self.maximumUnsent else { return nil }
    defer { _ = transmit() }
    return append(request)
  }

  /// The number of bytes that may wait for the daemon to read: a program may send many requests of the maximum size at
  /// once.
  private static let maximumUnsent = 16 * LineFramer.maximumLineLength

  /// Sends what fits the buffer of the socket. Returns false if something is left. Errors are ignored: the daemon may
  /// have sent a reason before it closed the connection. What has arrived can still be read, and then the end.
  private func transmit() -> Bool {
    while !unsent.isEmpty {
      let count = unsent.withUnsafeBytes { bytes in
        Glibc.send(socket.raw, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
      }
      if count > 0 {
        unsent.removeFirst(count)
      } else if errno == EAGAIN {
        return false
      } else if errno != EINTR {
        shutdown(socket.raw, Int32(SHUT_RDWR))
        unsent = []
      }
    }
    // The memory of a large request is not kept.
    unsent = []
    return true
  }

  private func append(_ request: EncodedRequest) -> Int {
    lastID += 1
    unsent += request.line(id: lastID)
    return lastID
  }
}

extension LineFramer {
  /// Appends what one read(2) of a socket returns. Returns false if the peer has closed the connection.
  public mutating func read(from socket: Int32) throws(SystemError) -> Bool {
    let received = withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 1) { buffer in
      Result { () throws(SystemError) in
        let count = try checked("read") { Glibc.read(socket, buffer.baseAddress, buffer.count) }
        append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        return count > 0
      }
    }
    if case .failure(let error) = received, error.code == ECONNRESET { return false }
    return try received.get()
  }
}

/// The events that a program waits for on behalf of a connection.
public struct ConnectionInterest {
  /// The object that closes the descriptor. A program that registers descriptors keeps it until the descriptor is no
  /// longer registered, and registers the descriptor of another object again, even if it has the same number.
  public let owner: AnyObject?
  /// The descriptor after whose `events` `handleDescriptor` is called; -1 if there is none.
  public let descriptor: Int32
  /// The events, which are the same for poll(2) and epoll(7).
  public let events: Int16
  /// The time at which `handleDeadline` is called; nil if there is none.
  public let deadline: MonotonicTime?
}

extension JSON {
  /// False for the response to a change that is in effect, but that the daemon could not save.
  public var reportsSavedChange: Bool { self["durable"]?.bool ?? true }
}

/// A JSON-RPC request without its id.
public struct EncodedRequest: Equatable {
  private let method: String
  /// The encoded parameters. They are nil if the method is called without parameters.
  private let parameters: [UInt8]?

  /// Creates a request for a method whose name is known only at run time.
  public init(_ method: String, parameters: [UInt8]?) {
    self.method = method
    self.parameters = parameters
  }

  public init<Request: ProtocolRequest>(_ request: Request) {
    method = Request.method.oldestName
    var json = JSONWriter()
    request.encode(into: &json)
    // The daemon reads a request without parameters faster.
    parameters = json.count > "{}".utf8.count ? json.bytes : nil
  }

  /// Returns the encoded request, including the line feed.
  func line(id: Int) -> [UInt8] {
    var json = JSONWriter()
    json.beginObject()
    json.member("jsonrpc", "2.0")
    json.member("id", id)
    json.member("method", method)
    if let parameters {
      json.key("params")
      json.raw(parameters)
    }
    json.endObject()
    json.endLine()
    return json.bytes
  }
}

/// The result of a request: as the daemon has sent it, and decoded.
public struct Response<Value: JSONDecodable> {
  public let json: JSON

  public init(_ json: JSON) { self.json = json }

  /// The decoded result. Each access decodes it again.
  public var value: Value { Value(json) }
}
