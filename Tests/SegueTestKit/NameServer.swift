internal import Glibc
internal import SegueSystem

/// A name server at 127.0.0.1, for tests in a network of their own.
public final class NameServer: Sendable {
  private let socket: Socket

  /// The descriptor, which the thread of the server shares.
  private final class Socket: Sendable {
    let descriptor: Descriptor

    init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }
  }

  /// Starts the server. `answer` returns the addresses of a name, of both families; it is called on the server's thread
  /// for every question of either family.
  public init(_ answer: @escaping @Sendable (_ name: String) -> [String]) throws {
    let raw = try checked("socket") {
      Glibc.socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    }
    let socket = Socket(Descriptor(owning: raw))
    self.socket = socket
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(53).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    _ = try withUnsafePointer(to: &address) { pointer in
      try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
        try checked("bind") { bind(socket.descriptor.raw, raw, socklen_t(MemoryLayout<sockaddr_in>.size)) }
      }
    }
    TestThread {
      while Self.answerOne(socket.descriptor.raw, answer) {}
      withExtendedLifetime(socket) {}
    }.detach()
  }

  deinit { shutdown(socket.descriptor.raw, Int32(SHUT_RDWR)) }

  /// Answers one question. Returns false when the server has been shut down.
  private static func answerOne(_ socket: Int32, _ answer: (String) -> [String]) -> Bool {
    var client = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    var bytes = [UInt8](repeating: 0, count: 1_024)
    let count = withUnsafeMutablePointer(to: &client) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        recvfrom(socket, &bytes, bytes.count, 0, $0, &length)
      }
    }
    guard count > 0 else { return false }
    guard let response = response(to: Array(bytes[..<count]), answer) else { return true }
    withUnsafePointer(to: &client) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = sendto(socket, response, response.count, 0, $0, length)
      }
    }
    return true
  }

  /// Returns the response to a message (RFC 1035) with one question.
  private static func response(to message: [UInt8], _ answer: (String) -> [String]) -> [UInt8]? {
    guard message.count > 16 else { return nil }
    var labels: [String] = []
    var index = 12
    while index < message.count, message[index] != 0 {
      let end = index + 1 + Int(message[index])
      guard end < message.count else { return nil }
      labels.append(String(decoding: message[index + 1..<end], as: UTF8.self))
      index = end
    }
    guard index + 5 <= message.count else { return nil }
    let type = message[index + 2]
    let question = message[12..<index + 5]
    let records = answer(labels.joined(separator: ".").lowercased()).compactMap { record($0, type) }
    // An authoritative response without an error.
    return joined(
      message[..<2], [0x84, 0x00, 0, 1, 0, UInt8(records.count), 0, 0, 0, 0], question, records.joined())
  }

  /// Returns the record with `address`, if it is of this type: A (1) or AAAA (28).
  private static func record(_ address: String, _ type: UInt8) -> [UInt8]? {
    let isIPv6 = address.contains(":")
    guard type == (isIPv6 ? 28 : 1) else { return nil }
    var data = [UInt8](repeating: 0, count: isIPv6 ? 16 : 4)
    guard inet_pton(isIPv6 ? AF_INET6 : AF_INET, address, &data) == 1 else { return nil }
    // The name of the question, the type, the class IN, no time to live, and the address.
    return [0xC0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, UInt8(data.count)] + data
  }
}
