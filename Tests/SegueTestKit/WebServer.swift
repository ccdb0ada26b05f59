// Thread: the test's, which creates and ends the server. One thread accepts connections, and each connection has a
// thread of its own. Shared state is constant or guarded by a lock.
internal import Glibc
public import SegueSystem
internal import Synchronization

/// A web server, by default on the loopback interface.
public final class WebServer: Sendable {
  public let port: UInt16
  private let address: String
  private let connections: ConnectionTable

  /// Starts the server.
  /// - Parameters:
  ///   - address: The address of the server. With "::", it has all addresses of IPv4 and IPv6.
  ///   - port: The port; 0 for a free one.
  ///   - respond: The handler of requests, called on the thread of the connection. It returns false to disconnect.
  public init(
    at address: String = "127.0.0.1", port: UInt16 = 0,
    _ respond: @escaping @Sendable (_ request: String, _ client: Connection) -> Bool
  ) throws {
    let family = address.contains(":") ? AF_INET6 : AF_INET
    let listener = try checked("socket") {
      socket(family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    }
    let connections = ConnectionTable(Descriptor(owning: listener))
    self.connections = connections
    self.address = address
    var isOn: Int32 = 1
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &isOn, socklen_t(MemoryLayout<Int32>.size))
    self.port = try Self.listen(listener, address, port)
    TestThread {
      while case let client = accept(listener, nil, nil), client >= 0 {
        connections.add(client)
        TestThread {
          let connection = Connection(raw: client)
          while let request = connection.request() {
            connections.add(request)
            guard respond(request, connection) else { break }
          }
          connections.close(client)
        }.detach()
      }
      // The table closes the listener, whose number must not be reused before.
      withExtendedLifetime(connections) {}
    }.detach()
  }

  deinit { connections.shutDown() }

  public func url(_ name: String) -> String { "http://\(address):\(port)/\(name)" }

  /// The number of connections so far.
  public var connectionCount: Int { connections.total }

  /// The number of requests so far.
  public var requestCount: Int { connections.requests.count }

  /// The heads of the requests so far.
  public var requests: [String] { connections.requests }

  /// The paths of the requests so far.
  public var paths: [String] {
    requests.map { $0.split(separator: " ").dropFirst().first.map(String.init) ?? "" }
  }

  private static func listen(_ listener: Int32, _ address: String, _ port: UInt16) throws -> UInt16 {
    var storage = sockaddr_storage()
    var length: socklen_t
    if address.contains(":") {
      var socket = sockaddr_in6()
      socket.sin6_family = sa_family_t(AF_INET6)
      socket.sin6_port = port.bigEndian
      guard inet_pton(AF_INET6, address, &socket.sin6_addr) == 1 else { throw Unexpected("no address: \(address)") }
      length = socklen_t(MemoryLayout<sockaddr_in6>.size)
      withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: socket, as: sockaddr_in6.self) }
    } else {
      var socket = sockaddr_in()
      socket.sin_family = sa_family_t(AF_INET)
      socket.sin_port = port.bigEndian
      guard inet_pton(AF_INET, address, &socket.sin_addr) == 1 else { throw Unexpected("no address: \(address)") }
      length = socklen_t(MemoryLayout<sockaddr_in>.size)
      withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: socket, as: sockaddr_in.self) }
    }
    return try withUnsafeMutablePointer(to: &storage) { pointer in
      try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
        try checked("bind", address) { bind(listener, raw, length) }
        try checked("listen") { Glibc.listen(listener, 128) }
        try checked("getsockname") { getsockname(listener, raw, &length) }
      }
      // The port has the same place in both families.
      return pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { UInt16(bigEndian: $0.pointee.sin_port) }
    }
  }

  /// The listener and its open connections, shared by all threads. Descriptors are closed while the lock is held, so
  /// that no descriptor with a reused number is shut down.
  private final class ConnectionTable: Sendable {
    private let listener: Descriptor
    private let connections = Mutex(State())

    private struct State {
      var open: [Int32] = []
      var total = 0
      var requests: [String] = []
    }

    init(_ listener: consuming Descriptor) { self.listener = listener }

    var total: Int { connections.withLock { $0.total } }
    var requests: [String] { connections.withLock { $0.requests } }

    func add(_ request: String) { connections.withLock { $0.requests.append(request) } }

    func add(_ connection: Int32) {
      connections.withLock { connections in
        connections.open.append(connection)
        connections.total += 1
      }
    }

    func close(_ connection: Int32) {
      connections.withLock { connections in
        connections.open.removeAll { $0 == connection }
        Glibc.close(connection)
      }
    }

    func shutDown() {
      shutdown(listener.raw, Int32(SHUT_RDWR))
      connections.withLock { for connection in $0.open { shutdown(connection, Int32(SHUT_RDWR)) } }
    }
  }
}

extension WebServer {
  /// A connection of a client. Only its thread uses it.
  public struct Connection {
    fileprivate let raw: Int32

    /// Returns the head of the next request; nil if the client has disconnected.
    fileprivate func request() -> String? {
      var text: [UInt8] = []
      var byte: UInt8 = 0
      while !text.suffix(4).elementsEqual("\r\n\r\n".utf8) {
        guard recv(raw, &byte, 1, 0) == 1 else { return nil }
        text.append(byte)
      }
      return String(decoding: text, as: UTF8.self)
    }

    /// Returns false if the client has disconnected.
    public func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    /// Makes the end of the connection a reset, which discards what the client has not received.
    public func resetAtEnd() {
      var option = linger(l_onoff: 1, l_linger: 0)
      setsockopt(raw, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    /// Waits until the client has disconnected.
    public func waitForEnd() {
      var bytes = [UInt8](repeating: 0, count: 1_024)
      while recv(raw, &bytes, bytes.count, 0) > 0 {}
    }

    /// Waits like `waitForEnd()`, but for at most `timeout`. Returns whether the client has disconnected.
    public func waitForEnd(within timeout: MediaTime) -> Bool {
      let end = MonotonicTime.now + timeout
      var bytes = [UInt8](repeating: 0, count: 1_024)
      while true {
        var entries = [pollfd(fd: raw, events: Int16(POLLIN), revents: 0)]
        guard poll(&entries, until: end) > 0 else { return false }
        if recv(raw, &bytes, bytes.count, 0) <= 0 { return true }
      }
    }

    public func send(_ bytes: [UInt8]) -> Bool {
      var sent = 0
      while sent < bytes.count {
        let count = bytes[sent...].withUnsafeBytes { Glibc.send(raw, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        guard count > 0 else { return false }
        sent += count
      }
      return true
    }
  }
}
