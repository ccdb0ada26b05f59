import Glibc
import SegueSystem
import SegueTestKit

/// A client of a message bus that asks and asks, and never reads an answer.
final class BusFlood {
  private let socket: Descriptor
  private var serial: UInt32 = 0

  init(at path: FilePath) throws {
    socket = try UnixSocket.connect(to: path)
    // D-Bus Specification, "Authentication Protocol": who we are, in hexadecimal digits of decimal ones.
    let user = String(getuid()).utf8.map { String($0, radix: 16) }.joined()
    try send([0] + Array("AUTH EXTERNAL \(user)\r\n".utf8))
    var answer = [UInt8](repeating: 0, count: 256)
    let count = try checked("read") { read(socket.raw, &answer, answer.count) }
    guard answer[..<count].starts(with: "OK ".utf8) else { throw Unexpected("the bus does not take us") }
    try send(Array("BEGIN\r\n".utf8))
    let driver = "org.freedesktop.DBus"
    try send(call(driver, "/org/freedesktop/DBus", driver, "Hello"))
  }

  /// Asks so often for all of the player's properties.
  func callAll(of name: String, times: Int) throws {
    for _ in 0..<times {
      try send(call(name, Desktop.path, "org.freedesktop.DBus.Properties", "GetAll", argument: Desktop.player))
    }
  }

  private func send(_ bytes: [UInt8]) throws {
    var sent = 0
    while sent < bytes.count {
      sent += try checked("write") { bytes[sent...].withUnsafeBytes { write(socket.raw, $0.baseAddress, $0.count) } }
    }
  }

  /// A method call as bytes (D-Bus Specification, "Message Format"), little-endian.
  private func call(
    _ destination: String, _ path: String, _ interface: String, _ member: String, argument: String? = nil
  ) -> [UInt8] {
    serial += 1
    let body = argument.map(string) ?? []
    var fields: [UInt8] = []
    for (code, type, value) in [(1, "o", path), (6, "s", destination), (2, "s", interface), (3, "s", member)] {
      pad(&fields, to: 8)
      fields += [UInt8(code), 1] + Array(type.utf8) + [0] + string(value)
    }
    if argument != nil {
      pad(&fields, to: 8)
      // A signature's length is a byte.
      fields += [8, 1] + Array("g".utf8) + [0, 1] + Array("s".utf8) + [0]
    }
    var message =
      Array("l".utf8) + [1, 0, 1] + number(body.count) + number(Int(serial)) + number(fields.count) + fields
    pad(&message, to: 8)
    return message + body
  }

  private func string(_ text: String) -> [UInt8] { number(text.utf8.count) + Array(text.utf8) + [0] }

  private func number(_ value: Int) -> [UInt8] { withUnsafeBytes(of: UInt32(value).littleEndian) { Array($0) } }

  private func pad(_ bytes: inout [UInt8], to size: Int) {
    while bytes.count % size != 0 { bytes.append(0) }
  }
}
