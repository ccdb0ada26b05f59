// Thread: the loop. libmicrohttpd does everything within `run`, and calls back there.

internal import CMicroHTTPD
internal import Glibc
public import SegueLoop
public import SegueSystem

/// A server for HTTP/1.1, over TLS if it has a certificate. It exists until the process ends: libmicrohttpd cannot stop
/// while connections are suspended.
///
/// It protects itself from clients that send little, much or nothing: the numbers of connections, of one address and in
/// all, are limited, and so are the header and the body of a request and the time until it is complete.
@MainActor
public final class HTTPServer {
  /// A certificate with its key, both in the format PEM.
  public struct Certificate: Sendable {
    public let certificate: [UInt8]
    public let key: [UInt8]

    public init(certificate: [UInt8], key: [UInt8]) {
      self.certificate = certificate
      self.key = key
    }
  }

  /// The maximum length of the body of a request in bytes.
  public static let maximumBody = 64 << 10
  /// The number of bytes of a body that are read and not kept, so that the client reads the response.
  static let maximumDiscarded = 1 << 20
  /// The number of connections. A page has one for its events, and a few for requests.
  static let maximumConnections: UInt32 = 512
  static let maximumConnectionsOfAddress: UInt32 = 64
  /// The time in seconds after which a connection without a request is closed.
  static let idleTime: UInt32 = 10
  /// The time from the first byte of a request, or from the start of a connection, until the request is complete.
  static let requestTime = MediaTime.seconds(15)

  let loop: EventLoop
  /// Programs that state the address of the client in X-Forwarded-For.
  let proxies: Set<ClientAddress>
  private let handler: @MainActor (HTTPExchange) -> Void
  private var server: OpaquePointer?
  private var source: IOSource?
  private var timer: Timer?
  private var deadlines = RequestDeadlines()
  private var state = RunState.idle
  /// The networks of IPv6 from which there are connections: libmicrohttpd counts addresses.
  private var networks: [OpaquePointer: [UInt8]] = [:]
  /// The number of open connections.
  public private(set) var connections = 0 {
    didSet { if (connections == 0) != (oldValue == 0) { onUse?() } }
  }
  /// Called when the first connection was opened, and when the last one was closed.
  public var onUse: (@MainActor () -> Void)?

  /// Serves the connections of a listening socket.
  ///
  /// - Parameters:
  ///   - proxies: Programs that pass the requests of others on. They may have all connections.
  ///   - handler: Called with each complete request, to which it responds at once or later.
  public init(
    on loop: EventLoop, listening socket: consuming Descriptor, certificate: Certificate?,
    proxies: Set<ClientAddress> = [], handler: @escaping @MainActor (HTTPExchange) -> Void
  ) throws(SystemError) {
    self.loop = loop
    self.proxies = proxies
    self.handler = handler
    // libmicrohttpd does not copy these texts, which are never released.
    let texts = [certificate?.certificate, certificate?.key].map { bytes in
      bytes.map { bytes in
        bytes.withUnsafeBytes { strndup($0.bindMemory(to: CChar.self).baseAddress!, $0.count) }
      }
    }
    // Proof: the server is never released.
    let callbacks = segue_http_callbacks(
      request: requestArrived, completed: requestCompleted, connection: connectionChanged,
      context: Unmanaged.passRetained(self).toOpaque())
    let limits = segue_http_limits(
      connections: Self.maximumConnections,
      connections_of_address: proxies.isEmpty ? Self.maximumConnectionsOfAddress : Self.maximumConnections,
      idle: Self.idleTime, memory: 32 << 10)
    let listening = socket.release()
    server = segue_http_start(listening, callbacks, limits, texts[0] ?? nil, texts[1] ?? nil)
    guard let server else {
      Glibc.close(listening)
      throw SystemError("MHD_start_daemon", code: EINVAL)
    }
    timer = try Timer(on: loop) { [unowned self] in run() }
    source = try IOSource(on: loop, descriptor: segue_http_descriptor(server), of: self, for: .readable) {
      [unowned self] _ in run()
    }
    run()
  }

  private enum RunState {
    case idle, running
    /// A connection was resumed while others were served.
    case resumed
  }

  /// Continues a connection that was suspended. The descriptor of libmicrohttpd does not report that there is something
  /// to do then.
  func resume(_ connection: OpaquePointer) {
    MHD_resume_connection(connection)
    if case .idle = state { run() } else { state = .resumed }
  }

  /// Serves what is there to do, and waits for more.
  private func run() {
    guard let server, case .idle = state else { return }
    repeat {
      state = .running
      for connection in deadlines.takeExpired(at: .now) { shutdown(segue_http_socket(connection), Int32(SHUT_RDWR)) }
      MHD_run(server)
    } while state == .resumed
    state = .idle
    var next = deadlines.first
    let timeout = segue_http_timeout(server)
    if timeout >= 0 {
      let idle = MonotonicTime.now + .milliseconds(Int(timeout))
      next = next.map { min($0, idle) } ?? idle
    }
    if let next { timer?.arm(at: next) } else { timer?.disarm() }
  }

  // MARK: Called by libmicrohttpd

  fileprivate func receive(
    _ connection: OpaquePointer, method: String, path: String, _ part: UnsafeRawBufferPointer,
    context: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  ) -> Bool {
    guard let known = context.pointee else {
      let request = HTTPExchange(connection, of: self, method: method, path: path)
      // Proof: released by `complete`, which libmicrohttpd calls for every request that has a context.
      context.pointee = Unmanaged.passRetained(request).toOpaque()
      guard request.isUnambiguous else { return request.send(HTTPResponse(400, headers: [("Connection", "close")])) }
      let length = request.header("content-length").map { Int($0) ?? .max } ?? 0
      return length <= Self.maximumBody || request.send(HTTPResponse(413))
    }
    let request = Unmanaged<HTTPExchange>.fromOpaque(known).takeUnretainedValue()
    if !part.isEmpty { return request.receive(part) }
    deadlines.remove(connection)
    return request.proceed(handler)
  }

  fileprivate func complete(_ connection: OpaquePointer, _ context: UnsafeMutablePointer<UnsafeMutableRawPointer?>) {
    guard let known = context.pointee else { return }
    context.pointee = nil
    Unmanaged<HTTPExchange>.fromOpaque(known).takeRetainedValue().close()
    deadlines.add(connection, at: .now + Self.requestTime)
  }

  fileprivate func begin(_ connection: OpaquePointer) {
    connections += 1
    // When most connections are in use, the one that has been without a request for the longest time is closed.
    if connections > Self.maximumConnections / 8 * 7, let oldest = deadlines.takeFirst() {
      shutdown(segue_http_socket(oldest), Int32(SHUT_RDWR))
    }
    deadlines.add(connection, at: .now + Self.requestTime)
    if let address = segue_http_address(connection).map({ ClientAddress($0) }), address.bytes.count == 16 {
      networks[connection] = address.network
      if networks.values.count(where: { $0 == address.network }) > Self.maximumConnectionsOfAddress {
        shutdown(segue_http_socket(connection), Int32(SHUT_RDWR))
      }
    }
    // The kernel finds out whether a client that sleeps is still there.
    let socket = segue_http_socket(connection)
    for (level, name, value) in [
      (SOL_SOCKET, SO_KEEPALIVE, 1), (Int32(IPPROTO_TCP), TCP_KEEPIDLE, 30), (Int32(IPPROTO_TCP), TCP_KEEPINTVL, 10),
      (Int32(IPPROTO_TCP), TCP_KEEPCNT, 3), (Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, 60_000),
    ] as [(Int32, Int32, Int32)] {
      var value = value
      setsockopt(socket, level, name, &value, 4)
    }
  }

  fileprivate func end(_ connection: OpaquePointer) {
    connections -= 1
    networks[connection] = nil
    deadlines.remove(connection)
  }
}

/// The times at which connections are closed whose requests are not complete by then.
struct RequestDeadlines {
  /// The connections, by deadline: every deadline is the same time after a start.
  private var queue: [(connection: OpaquePointer, deadline: MonotonicTime)] = []

  var first: MonotonicTime? { queue.first?.deadline }

  mutating func add(_ connection: OpaquePointer, at deadline: MonotonicTime) {
    remove(connection)
    queue.append((connection, deadline))
  }

  mutating func remove(_ connection: OpaquePointer) { queue.removeAll { $0.connection == connection } }

  mutating func takeFirst() -> OpaquePointer? { queue.isEmpty ? nil : queue.removeFirst().connection }

  mutating func takeExpired(at now: MonotonicTime) -> [OpaquePointer] {
    let expired = queue.prefix { $0.deadline <= now }.map(\.connection)
    queue.removeFirst(expired.count)
    return expired
  }
}

/// The pointers that libmicrohttpd passes to a function.
struct LoopPointers<Pointers>: @unchecked Sendable {
  // Proof: libmicrohttpd calls functions on the thread of the loop only, and the pointers are valid during a call.
  let pointers: Pointers

  init(_ pointers: Pointers) { self.pointers = pointers }
}

private nonisolated func requestArrived(
  _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ path: UnsafePointer<CChar>?,
  _ method: UnsafePointer<CChar>?, _: UnsafePointer<CChar>?, _ data: UnsafePointer<CChar>?,
  _ size: UnsafeMutablePointer<Int>?, _ request: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
  guard let context, let connection, let path, let method, let size, let request else {
    return segue_http_result(false)
  }
  let server = Unmanaged<HTTPServer>.fromOpaque(context).takeUnretainedValue()
  let part = UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : size.pointee)
  let given = LoopPointers((connection, part, request))
  let names = (method: String(cString: method), path: String(cString: path))
  let isOpen = MainActor.assumeIsolated {
    let (connection, part, place) = given.pointers
    return server.receive(connection, method: names.method, path: names.path, part, context: place)
  }
  size.pointee = 0
  return segue_http_result(isOpen)
}

private nonisolated func requestCompleted(
  _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
  _ request: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _: MHD_RequestTerminationCode
) {
  guard let context, let connection, let request else { return }
  let server = Unmanaged<HTTPServer>.fromOpaque(context).takeUnretainedValue()
  let given = LoopPointers((connection, request))
  MainActor.assumeIsolated { server.complete(given.pointers.0, given.pointers.1) }
}

private nonisolated func connectionChanged(
  _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
  _: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ change: MHD_ConnectionNotificationCode
) {
  guard let context, let connection else { return }
  let server = Unmanaged<HTTPServer>.fromOpaque(context).takeUnretainedValue()
  let (given, isOpened) = (LoopPointers(connection), segue_http_is_opened(change))
  MainActor.assumeIsolated { if isOpened { server.begin(given.pointers) } else { server.end(given.pointers) } }
}
