import Glibc
import SegueSystem
import SegueTestKit
import Synchronization

/// Answers every request on a loopback port with the same bytes, and hangs up.
final class WebServer: Sendable {
  let url: String
  private let door: Door

  /// How often somebody came.
  var connections: Int { door.count.load(ordering: .relaxed) }

  /// Shared with the thread that answers, so that the listener's number is not another's before that ends.
  private final class Door: Sendable {
    let listener: Descriptor
    let count = Atomic<Int>(0)

    init(_ listener: consuming Descriptor) { self.listener = listener }
  }

  init(_ headers: [String], _ body: [UInt8]) throws {
    let descriptor = Descriptor(
      owning: try checked("socket") { socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0) })
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let raw = descriptor.raw
    try withUnsafeMutablePointer(to: &address) { address in
      try address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        try checked("bind") { bind(raw, address, size) }
        try checked("getsockname") { getsockname(raw, address, &size) }
      }
    }
    try checked("listen") { listen(raw, 8) }
    url = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/stream"
    let door = Door(descriptor)
    self.door = door
    let head = (["HTTP/1.0 200 OK", "Content-Type: application/octet-stream"] + headers + ["", ""])
      .joined(separator: "\r\n")
    _ = TestThread {
      while true {
        let client = accept(door.listener.raw, nil, nil)
        guard client >= 0 else { return }
        door.count.add(1, ordering: .relaxed)
        Self.answer(Descriptor(owning: client), Array(head.utf8) + body)
      }
    }
  }

  deinit { shutdown(door.listener.raw, Int32(SHUT_RDWR)) }

  private static func answer(_ client: borrowing Descriptor, _ bytes: [UInt8]) {
    var request: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while !request.suffix(4).elementsEqual("\r\n\r\n".utf8) {
      let received = recv(client.raw, &buffer, buffer.count, 0)
      guard received > 0 else { return }
      request += buffer[..<received]
    }
    var sent = 0
    while sent < bytes.count {
      let rest = bytes[sent...]
      let count = rest.withUnsafeBytes { send(client.raw, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { return }
      sent += count
    }
  }
}
