// The test's thread makes it and ends it; one thread takes the connections, and one a connection answers. What they share is
// constant or under the lock.
internal import Glibc
internal import SegueSystem
internal import Synchronization

/// A web server of a test's own, on the loopback.
public final class WebServer: Sendable {
  public let port: UInt16
  private let door: Door

  /// `answer` is called for every request, on the connection's thread; it hangs up with false.
  public init(_ answer: @escaping @Sendable (_ request: String, _ client: Connection) -> Bool) throws {
    let listener = try checked("socket") {
      socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    }
    let door = Door(Descriptor(owning: listener))
    self.door = door
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
        door.enter(client)
        TestThread {
          let connection = Connection(raw: client)
          while let request = connection.request(), answer(request, connection) {}
          door.leave(client)
        }.detach()
      }
      // Held to here: its number is nobody else's before.
      withExtendedLifetime(door) {}
    }.detach()
  }

  deinit { door.shut() }

  public func url(_ name: String) -> String { "http://127.0.0.1:\(port)/\(name)" }

  /// How often somebody came.
  public var visits: Int { door.visits }

  /// The listener and the connections that came through it, shared with the threads that serve them: a number is closed
  /// under the lock, so that none is shut down that has become somebody else's.
  private final class Door: Sendable {
    private let listener: Descriptor
    private let connections = Mutex<(open: [Int32], visits: Int)>(([], 0))

    init(_ listener: consuming Descriptor) { self.listener = listener }

    var visits: Int { connections.withLock { $0.visits } }

    func enter(_ connection: Int32) {
      connections.withLock { connections in
        connections.open.append(connection)
        connections.visits += 1
      }
    }

    func leave(_ connection: Int32) {
      connections.withLock { connections in
        connections.open.removeAll { $0 == connection }
        close(connection)
      }
    }

    func shut() {
      shutdown(listener.raw, Int32(SHUT_RDWR))
      connections.withLock { for connection in $0.open { shutdown(connection, Int32(SHUT_RDWR)) } }
    }
  }
}

extension WebServer {
  /// Somebody who asks. The connection's thread has it.
  public struct Connection {
    fileprivate let raw: Int32

    /// The next request's head; nil once the other side is gone.
    fileprivate func request() -> String? {
      var text: [UInt8] = []
      var byte: UInt8 = 0
      while !text.suffix(4).elementsEqual("\r\n\r\n".utf8) {
        guard recv(raw, &byte, 1, 0) == 1 else { return nil }
        text.append(byte)
      }
      return String(decoding: text, as: UTF8.self)
    }

    /// False once the other side is gone.
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
