// The thread of the test creates and ends the server. One thread accepts connections, and each connection has a thread of its
// own. Shared state is constant or guarded by a lock.
internal import Glibc
internal import SegueSystem
internal import Synchronization

/// A web server on the loopback interface.
public final class WebServer: Sendable {
  public let port: UInt16
  private let connections: ConnectionTable

  /// Starts the server.
  /// - Parameter respond: The handler of requests, called on the thread of the connection. It returns false to disconnect.
  public init(_ respond: @escaping @Sendable (_ request: String, _ client: Connection) -> Bool) throws {
    let listener = try checked("socket") {
      socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    }
    let connections = ConnectionTable(Descriptor(owning: listener))
    self.connections = connections
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    port = try withUnsafeMutablePointer(to: &address) { pointer in
      try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
        try checked("bind") { bind(listener, raw, length) }
        try checked("listen") { listen(listener, 16) }
        try checked("getsockname") { getsockname(listener, raw, &length) }
      }
      return UInt16(bigEndian: pointer.pointee.sin_port)
    }
    TestThread {
      while case let client = accept(listener, nil, nil), client >= 0 {
        connections.add(client)
        TestThread {
          let connection = Connection(raw: client)
          while let request = connection.request() {
            connections.countRequest()
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

  public func url(_ name: String) -> String { "http://127.0.0.1:\(port)/\(name)" }

  /// The number of connections so far.
  public var connectionCount: Int { connections.total }

  /// The number of requests so far.
  public var requestCount: Int { connections.requests }

  /// The listener and its open connections, shared by all threads. Descriptors are closed while the lock is held, so that no
  /// descriptor with a reused number is shut down.
  private final class ConnectionTable: Sendable {
    private let listener: Descriptor
    private let connections = Mutex<(open: [Int32], total: Int, requests: Int)>(([], 0, 0))

    init(_ listener: consuming Descriptor) { self.listener = listener }

    var total: Int { connections.withLock { $0.total } }
    var requests: Int { connections.withLock { $0.requests } }

    func countRequest() { connections.withLock { $0.requests += 1 } }

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
