public import Glibc
internal import SegueSystem
public import SegueWire

/// A client that sends exactly the bytes of a test to a server on this machine, and reads responses of HTTP/1.1.
public final class HTTPClient {
  public struct Response {
    public var status: Int
    public var headers: [(name: String, value: String)]
    public var body: [UInt8]

    public var text: String { String(decoding: body, as: UTF8.self) }
    public var json: JSON? { try? JSON(parsing: body) }
    /// The stable name of the error; nil if there is none.
    public var kind: String? { json?["error"]?["data"]?["kind"]?.string }

    public func header(_ name: String) -> String? { headers.first { $0.name == name.lowercased() }?.value }
  }

  public struct Closed: Error {}

  private let socket: Descriptor
  private var buffer: [UInt8] = []

  /// - Parameter address: The number of the address 127.0.0.N from which the client connects.
  public init(port: UInt16, from address: UInt8 = 1) throws {
    let raw = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    socket = Descriptor(owning: raw)
    var limit = timeval(tv_sec: 30, tv_usec: 0)
    setsockopt(raw, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var (source, target) = (loopback(0), loopback(port))
    source.sin_addr.s_addr = (UInt32(0x7F00_0000) + UInt32(address)).bigEndian
    let length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafePointer(to: &source) { source in
      withUnsafePointer(to: &target) { target in
        source.withMemoryRebound(to: sockaddr.self, capacity: 1) { source in
          target.withMemoryRebound(to: sockaddr.self, capacity: 1) { target in
            bind(raw, source, length) == 0 ? connect(raw, target, length) : -1
          }
        }
      }
    }
    if result != 0 { throw SystemError("connect") }
  }

  public func send(_ text: String) throws { try send(Array(text.utf8)) }

  public func send(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.send(socket.raw, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      if count <= 0 { throw Closed() }
      rest = rest.dropFirst(count)
    }
  }

  /// Whether the server closes the connection without sending anything more.
  public func isClosedByServer() -> Bool {
    guard buffer.isEmpty else { return false }
    var byte: UInt8 = 0
    let count = recv(socket.raw, &byte, 1, 0)
    if count > 0 { buffer.append(byte) }
    return count == 0 || (count < 0 && errno == ECONNRESET)
  }

  /// Reads the head of a response, and its body if it has a length.
  public func response() throws -> Response {
    let lines = try head()
    let words = lines[0].split(separator: " ")
    let headers = lines.dropFirst().map { line in
      let colon = line.firstIndex(of: ":") ?? line.endIndex
      return (
        name: line[..<colon].lowercased(), value: String(line[colon...].dropFirst().drop { $0 == " " })
      )
    }
    var response = Response(status: Int(words[1]) ?? 0, headers: Array(headers), body: [])
    if let length = response.header("content-length").flatMap({ Int($0) }) { response.body = try take(length) }
    return response
  }

  /// Reads the next event of a stream: its name and its data.
  public func event() throws -> (name: String, data: JSON) {
    while true {
      if let end = chunks.firstRange(of: [0x0A, 0x0A]) {
        let lines = String(decoding: chunks[..<end.lowerBound], as: UTF8.self).split(separator: "\n")
        chunks.removeSubrange(..<end.upperBound)
        let values = lines.map { $0.split(separator: " ", maxSplits: 1).last ?? "" }
        return (String(values[0]), try JSON(parsing: Array(values[1].utf8)))
      }
      let size = try Int(line(), radix: 16) ?? 0
      if size == 0 { throw Closed() }
      chunks += try take(size)
      _ = try line()
    }
  }

  /// The content of a stream that was not returned yet.
  private var chunks: [UInt8] = []

  private func head() throws -> [String] {
    var lines: [String] = []
    while true {
      let line = try line()
      if line.isEmpty { return lines }
      lines.append(line)
    }
  }

  private func line() throws -> String {
    while true {
      if let end = buffer.firstRange(of: [0x0D, 0x0A]) {
        defer { buffer.removeSubrange(..<end.upperBound) }
        return String(decoding: buffer[..<end.lowerBound], as: UTF8.self)
      }
      try receive()
    }
  }

  private func take(_ count: Int) throws -> [UInt8] {
    while buffer.count < count { try receive() }
    defer { buffer.removeFirst(count) }
    return Array(buffer[..<count])
  }

  private func receive() throws {
    var part = [UInt8](repeating: 0, count: 16 << 10)
    let count = recv(socket.raw, &part, part.count, 0)
    if count <= 0 { throw Closed() }
    buffer += part[..<count]
  }
}

/// Returns the address of a port on this machine.
public func loopback(_ port: UInt16) -> sockaddr_in {
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = port.bigEndian
  address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
  return address
}
