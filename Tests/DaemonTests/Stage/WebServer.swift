// The test's thread makes it and ends it; a thread a connection answers. What they share is constant or under the lock.
import Glibc
import SegueSystem
import Synchronization

/// A web server of a test's own, on the loopback, of one page.
final class WebServer: Sendable {
  enum Page: Sendable {
    /// A file that can be asked for in parts.
    case file([UInt8])
    /// A radio: a wave header and numbered frames without end, in real time after so many at once.
    case radio(burst: Int)
    /// A file of which so many bytes come, and the rest nearly a second later.
    case hesitant([UInt8], after: Int)
    /// Nothing but a status line with this code.
    case refusal(Int)
  }

  let port: UInt16
  private let door: Door

  init(_ page: Page) throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
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
    start {
      while case let client = accept(listener, nil, nil), client >= 0 {
        door.enter(client)
        start {
          Self.answer(client, page)
          door.leave(client)
        }
      }
      // Held to here: its number is nobody else's before.
      withExtendedLifetime(door) {}
    }
  }

  deinit { door.shut() }

  func url(_ name: String) -> String { "http://127.0.0.1:\(port)/\(name)" }

  /// The listener and the connections that came through it, shared with the threads that serve them: a number is closed
  /// under the lock, so that none is shut down that has become somebody else's.
  private final class Door: Sendable {
    private let listener: Descriptor
    private let connections = Mutex<[Int32]>([])

    init(_ listener: consuming Descriptor) { self.listener = listener }

    func enter(_ connection: Int32) { connections.withLock { $0.append(connection) } }

    func leave(_ connection: Int32) {
      connections.withLock { connections in
        connections.removeAll { $0 == connection }
        close(connection)
      }
    }

    func shut() {
      shutdown(listener.raw, Int32(SHUT_RDWR))
      connections.withLock { for connection in $0 { shutdown(connection, Int32(SHUT_RDWR)) } }
    }
  }

  private static func answer(_ client: Int32, _ page: Page) {
    while let request = request(from: client) {
      switch page {
      case .refusal(let code):
        send("HTTP/1.1 \(code) No\r\nContent-Length: 0\r\n\r\n", to: client)
      case .hesitant(let bytes, let first):
        send("HTTP/1.1 200 OK\r\nContent-Type: audio/wav\r\nContent-Length: \(bytes.count)\r\n\r\n", to: client)
        guard send(Array(bytes[..<first]), to: client) else { return }
        usleep(900_000)
        guard send(Array(bytes[first...]), to: client) else { return }
      case .radio(let burst):
        send("HTTP/1.1 200 OK\r\nContent-Type: audio/wav\r\nicy-name: Test\r\nConnection: close\r\n\r\n", to: client)
        // A length that says: not known.
        var header = AudioFile.wave([])
        for index in [4, 5, 6, 7, 40, 41, 42, 43] { header[index] = 0xFF }
        guard send(header, to: client) else { return }
        var frame = burst
        guard send(Signal.pcm(0..<burst), to: client) else { return }
        let start = MonotonicTime.now
        while send(Signal.pcm(frame..<(frame + 4_410)), to: client) {
          frame += 4_410
          let ahead = start + SampleRate.cd.time(of: Frames(frame - burst)) - MonotonicTime.now
          usleep(UInt32(max(0, ahead.nanoseconds / 1_000)))
        }
        return
      case .file(let bytes):
        var range = 0..<bytes.count
        var status = "200 OK"
        if let start = request.firstRange(of: "bytes=")?.upperBound {
          let from = min(Int(request[start...].prefix { $0.isNumber }) ?? 0, bytes.count)
          range = from..<bytes.count
          status = "206 Partial Content\r\nContent-Range: bytes \(from)-\(bytes.count - 1)/\(bytes.count)"
        }
        let head = "HTTP/1.1 \(status)\r\nContent-Type: audio/wav\r\nAccept-Ranges: bytes\r\n"
        guard send("\(head)Content-Length: \(range.count)\r\n\r\n", to: client), send(Array(bytes[range]), to: client)
        else { return }
      }
    }
  }

  private static func request(from client: Int32) -> String? {
    var text: [UInt8] = []
    var byte: UInt8 = 0
    while !text.suffix(4).elementsEqual("\r\n\r\n".utf8) {
      guard recv(client, &byte, 1, 0) == 1 else { return nil }
      text.append(byte)
    }
    return String(decoding: text, as: UTF8.self)
  }

  @discardableResult
  private static func send(_ text: String, to client: Int32) -> Bool { send(Array(text.utf8), to: client) }

  private static func send(_ bytes: [UInt8], to client: Int32) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }
}

/// Runs `body` on a thread of its own, which nobody waits for.
private func start(_ body: @escaping @Sendable () -> Void) {
  var id = pthread_t()
  // Retained here, released by the thread's function.
  pthread_create(&id, nil, runBody, Unmanaged.passRetained(Body(body)).toOpaque())
  pthread_detach(id)
}

private final class Body: Sendable {
  let run: @Sendable () -> Void

  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

private func runBody(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let context { Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run() }
  return nil
}

extension String {
  fileprivate func firstRange(of text: String) -> Range<String.Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
      start = index(after: start)
    }
    return nil
  }
}
