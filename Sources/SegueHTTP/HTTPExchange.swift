// Thread: the loop.

internal import CMicroHTTPD
internal import Glibc
internal import SegueLoop
public import SegueSystem

/// A request that a server has received completely, and the response to it. It is answered once, at once or later.
@MainActor
public final class HTTPExchange {
  /// The method in capital letters.
  public let method: String
  /// The path as it was sent, with percent escapes and without the query.
  public let path: String
  /// The names in lower case, with their values, as they were sent.
  public let headers: [(name: String, value: String)]
  public private(set) var body: [UInt8] = []
  /// The address of the client, which a proxy states if the server trusts it.
  public let client: ClientAddress

  private let connection: OpaquePointer
  private var state = State.receiving
  /// Watches the socket while the connection is suspended: libmicrohttpd does not notice then that the client is gone.
  private var hangUp: IOSource?
  private unowned let server: HTTPServer

  private enum State {
    case receiving
    /// The body was longer than permitted, and is not kept.
    case tooLong(Int)
    case handling
    /// The handler has returned without a response.
    case suspended
    case responded(HTTPResponse)
    case sending
    case streaming(EventStream)
    case closed
  }

  init(_ connection: OpaquePointer, of server: HTTPServer, method: String, path: String) {
    self.connection = connection
    self.server = server
    self.method = method
    self.path = path
    headers = Self.headers(of: connection)
    let peer = segue_http_address(connection).map { ClientAddress($0) } ?? .unknown
    // Each proxy appends the address that it knows. Those before the last one could be made up by the client.
    let stated = headers.last { $0.name == "x-forwarded-for" }?.value.split(separator: ",").last
    client = server.proxies.contains(peer) ? stated.flatMap { ClientAddress($0.filter { $0 != " " }) } ?? peer : peer
  }

  /// Whether the head of the request has one meaning only. Programs between the client and this server could see
  /// several requests in another one.
  var isUnambiguous: Bool {
    let lengths = headers.filter { $0.name == "content-length" }.map(\.value)
    return lengths.count <= 1 && lengths.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(Self.isDigit) }
      && headers.allSatisfy { $0.name != "transfer-encoding" && $0.name.utf8.allSatisfy(Self.isPartOfName) }
  }

  private nonisolated static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// Whether a byte may be part of the name of a header (a token of RFC 9110), in lower case.
  private nonisolated static func isPartOfName(_ byte: UInt8) -> Bool {
    isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || "!#$%&'*+-.^_`|~".utf8.contains(byte)
  }

  /// Returns the value of a header; nil if it is missing or was sent more than once.
  public func header(_ name: String) -> String? {
    let values = headers.filter { $0.name == name }
    return values.count == 1 ? values[0].value : nil
  }

  /// Whether a header was sent.
  public func hasHeader(_ name: String) -> Bool { headers.contains { $0.name == name } }

  /// Responds. Does nothing if the connection was closed meanwhile.
  public func respond(_ response: HTTPResponse) {
    switch state {
    case .handling: state = .responded(response)
    case .suspended:
      state = .responded(response)
      hangUp = nil
      server.resume(connection)
    case .closed: if case .events(let stream) = response.body { stream.close() }
    case .receiving, .tooLong, .responded, .sending, .streaming: preconditionFailure("a request has one response")
    }
  }

  // MARK: Called by the server

  /// Keeps a part of the body. Returns false if the client sends so much that the connection has to be closed.
  func receive(_ part: UnsafeRawBufferPointer) -> Bool {
    switch state {
    case .receiving where body.count + part.count <= HTTPServer.maximumBody:
      body.append(contentsOf: part)
      return true
    case .receiving: state = .tooLong(body.count + part.count)
    case .tooLong(let length): state = .tooLong(length + part.count)
    case .handling, .suspended, .responded, .sending, .streaming, .closed: return false
    }
    guard case .tooLong(let length) = state else { return false }
    body = []
    return length < HTTPServer.maximumDiscarded
  }

  /// Handles the request that is complete, or sends its response. Returns false if the connection has to be closed.
  func proceed(_ handler: (HTTPExchange) -> Void) -> Bool {
    switch state {
    case .receiving:
      state = .handling
      handler(self)
      guard case .handling = state else { return proceed(handler) }
      state = .suspended
      MHD_suspend_connection(connection)
      watchHangUp { [unowned self] in
        state = .closed
        server.resume(connection)
      }
      return true
    case .tooLong: return send(HTTPResponse(413))
    case .responded(let response): return send(response)
    // libmicrohttpd asks again for a connection that was suspended only after it was resumed.
    case .suspended, .handling, .sending, .streaming: return true
    case .closed: return false
    }
  }

  /// Queues a response. Returns false if there is no memory for it.
  func send(_ response: HTTPResponse) -> Bool {
    state = .sending
    guard let raw = raw(response.body) else { return false }
    defer { MHD_destroy_response(raw) }
    for (name, value) in Self.security + response.headers { MHD_add_response_header(raw, name, value) }
    return MHD_queue_response(connection, UInt32(response.status), raw) == segue_http_result(true)
  }

  /// The headers of all responses: no other page may show them, and browsers do not guess their types.
  private static let security = [
    ("X-Content-Type-Options", "nosniff"), ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Referrer-Policy", "no-referrer"),
  ]

  func close() {
    hangUp = nil
    if case .streaming(let stream) = state { stream.close() }
    state = .closed
  }

  private func raw(_ body: HTTPResponse.Body) -> OpaquePointer? {
    switch body {
    case .bytes(let bytes):
      return bytes.withUnsafeBytes { segue_http_bytes($0.baseAddress, $0.count, true) }
    case .constant(let text):
      return segue_http_bytes(text.utf8Start, text.utf8CodeUnitCount, false)
    case .file(let file, let size):
      // The response closes its descriptor.
      let copy = fcntl(file.raw, F_DUPFD_CLOEXEC, 0)
      return copy < 0 ? nil : MHD_create_response_from_fd64(size, copy)
    case .events(let stream):
      state = .streaming(stream)
      // Proof: released by the last argument, when the response is destroyed.
      let context = Unmanaged.passRetained(self).toOpaque()
      return MHD_create_response_from_callback(UInt64.max, 4_096, supplyEvents, context, releaseRequest)
    }
  }

  /// Supplies the next bytes of a stream, and suspends the connection if there are none.
  fileprivate func readEvents(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    guard case .streaming(let stream) = state else { return segue_http_end_of_stream() }
    let count = stream.take(into: buffer)
    if count > 0 { return count }
    if stream.isFinished { return segue_http_end_of_stream() }
    MHD_suspend_connection(connection)
    stream.wake = { [unowned self] in
      stream.wake = nil
      hangUp = nil
      server.resume(connection)
    }
    watchHangUp { stream.finish() }
    return 0
  }

  /// Calls `then` once if the client closes a connection that is suspended.
  private func watchHangUp(_ then: @escaping @MainActor () -> Void) {
    hangUp = try? IOSource(on: server.loop, descriptor: segue_http_socket(connection), for: .endOfInput) {
      [unowned self] _ in
      hangUp = nil
      then()
    }
  }

  // MARK: Facts of the connection

  private static func headers(of connection: OpaquePointer) -> [(name: String, value: String)] {
    final class Collection { var headers: [(name: String, value: String)] = [] }
    let collection = Collection()
    // Proof: the call below ends before `collection` does.
    let context = Unmanaged.passUnretained(collection).toOpaque()
    segue_http_each_header(
      connection,
      { context, _, name, value in
        guard let context, let name else { return segue_http_result(false) }
        let collection = Unmanaged<Collection>.fromOpaque(context).takeUnretainedValue()
        let value = value.map { String(decoding: UnsafeRawBufferPointer(start: $0, count: strlen($0)), as: UTF8.self) }
        collection.headers.append((String(cString: name).lowercased(), value ?? ""))
        return segue_http_result(true)
      }, context)
    return collection.headers
  }
}

private nonisolated func supplyEvents(
  _ context: UnsafeMutableRawPointer?, _: UInt64, _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int
) -> Int {
  guard let context, let buffer else { return segue_http_end_of_stream() }
  let given = LoopPointers(UnsafeMutableRawBufferPointer(start: buffer, count: size))
  let request = Unmanaged<HTTPExchange>.fromOpaque(context).takeUnretainedValue()
  return MainActor.assumeIsolated { request.readEvents(into: given.pointers) }
}

private nonisolated func releaseRequest(_ context: UnsafeMutableRawPointer?) {
  guard let context else { return }
  Unmanaged<HTTPExchange>.fromOpaque(context).release()
}
