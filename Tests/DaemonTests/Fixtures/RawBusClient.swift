import Glibc
import SegueSystem
import SegueTestKit

/// A client of a message bus that sends raw bytes, valid or not, and reads only on request.
final class RawBusClient {
  private let socket: Descriptor
  private var serial: UInt32 = 0

  init(at path: FilePath) throws {
    socket = try UnixSocket.connect(to: path)
    // Reads have a timeout.
    try setTimeout(of: socket.raw, seconds: 60)
    // D-Bus Specification, "Authentication Protocol": the decimal user id, hex-encoded.
    let user = String(getuid()).utf8.map { String($0, radix: 16) }.joined()
    try send([0] + Array("AUTH EXTERNAL \(user)\r\n".utf8))
    guard try read().starts(with: "OK ".utf8) else { throw Unexpected("the bus rejects the authentication") }
    try send(Array("BEGIN\r\n".utf8))
    let driver = "org.freedesktop.DBus"
    try call(driver, "/org/freedesktop/DBus", driver, "Hello")
  }

  /// Requests all properties of the player `count` times without reading the responses.
  func callAll(of name: String, times: Int) throws {
    var interface = Body("s")
    interface.add(DesktopSession.player)
    for _ in 0..<times { try call(name, DesktopSession.path, "org.freedesktop.DBus.Properties", "GetAll", interface) }
  }

  /// Calls a method (D-Bus Specification, "Message Format"; little-endian).
  func call(
    _ destination: String, _ path: String, _ interface: String, _ member: String, _ body: Body = Body("")
  ) throws {
    serial += 1
    var fields = Body("")
    for (code, type, value) in [(1, "o", path), (6, "s", destination), (2, "s", interface), (3, "s", member)] {
      fields.pad(to: 8)
      fields.bytes.append(UInt8(code))
      fields.add(type: type)
      fields.add(value)
    }
    fields.pad(to: 8)
    fields.bytes.append(8)
    fields.add(type: "g")
    fields.add(type: body.signature)
    var message = Body("")
    message.bytes = Array("l".utf8) + [1, 0, 1]
    message.add(UInt32(body.bytes.count))
    message.add(serial)
    message.add(UInt32(fields.bytes.count))
    message.bytes += fields.bytes
    message.pad(to: 8)
    try send(message.bytes + body.bytes)
  }

  /// Reads until `count` errors with this name have arrived. Throws after a timeout.
  func readErrors(_ name: String, count: Int) throws {
    let wanted = Array(name.utf8)
    var found = 0
    var rest: [UInt8] = []
    while found < count {
      rest += try read()
      var start = 0
      while start + wanted.count <= rest.count {
        guard rest[start...].starts(with: wanted) else {
          start += 1
          continue
        }
        found += 1
        start += wanted.count
      }
      rest.removeFirst(start)
    }
  }

  private func read() throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = try checked("read") { Glibc.read(socket.raw, &bytes, bytes.count) }
    guard count > 0 else { throw Unexpected("the bus has disconnected") }
    return Array(bytes[..<count])
  }

  private func send(_ bytes: [UInt8]) throws {
    var sent = 0
    while sent < bytes.count {
      sent += try checked("write") { bytes[sent...].withUnsafeBytes { write(socket.raw, $0.baseAddress, $0.count) } }
    }
  }

  /// The marshalled arguments of a message (D-Bus Specification, "Marshaling").
  struct Body {
    let signature: String
    var bytes: [UInt8] = []

    init(_ signature: String) { self.signature = signature }

    /// Appends a string or an object path.
    mutating func add(_ text: String) {
      add(UInt32(text.utf8.count))
      bytes += Array(text.utf8) + [0]
    }

    /// Appends a number, a boolean, or the length of an array in bytes.
    mutating func add(_ number: some FixedWidthInteger) {
      pad(to: number.bitWidth / 8)
      bytes += withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }

    /// Appends a signature, with which a variant begins as well.
    mutating func add(type: String) { bytes += [UInt8(type.utf8.count)] + Array(type.utf8) + [0] }

    mutating func pad(to size: Int) {
      bytes += [UInt8](repeating: 0, count: (size - bytes.count % size) % size)
    }
  }
}
