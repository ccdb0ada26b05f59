internal import Glibc

extension Request {
  /// Reads a request of the form that status bars and scripts send frequently: `jsonrpc`, `id` and `method`, each at
  /// most once, in any order, with integers or strings of unescaped ASCII. Returns nil for every other line, valid or
  /// not, which the JSON parser then reads. This takes a tenth of the time of the JSON parser.
  init?(plain line: UnsafeRawBufferPointer) {
    var scanner = PlainScanner(line)
    guard scanner.take("{") else { return nil }
    var method: String?
    var id: RequestID?
    var hasVersion = false
    repeat {
      guard let name = scanner.string(), scanner.take(":") else { return nil }
      if name.isEqual("method"), method == nil, let text = scanner.string() {
        method = String(decoding: text, as: UTF8.self)
      } else if name.isEqual("id"), id == nil, let value = scanner.id() {
        id = value
      } else if name.isEqual("jsonrpc"), !hasVersion, let version = scanner.string(),
        version.isEqual("2.0")
      {
        hasVersion = true
      } else {
        return nil
      }
    } while scanner.take(",")
    guard scanner.take("}"), scanner.isAtEnd, let method else { return nil }
    self.init(method: method, params: nil, id: id ?? .notification)
  }
}

extension Slice<UnsafeRawBufferPointer> {
  fileprivate func isEqual(_ text: StaticString) -> Bool {
    guard count == text.utf8CodeUnitCount, let start = base.baseAddress else { return false }
    return memcmp(start + startIndex, text.utf8Start, count) == 0
  }
}

/// A scanner of the tokens of a simple request.
private struct PlainScanner {
  private let bytes: UnsafeRawBufferPointer
  private var position = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  var isAtEnd: Bool { position == bytes.count }

  /// Consumes `token` and the spaces after it.
  mutating func take(_ token: Unicode.Scalar) -> Bool {
    guard position < bytes.count, bytes[position] == UInt8(ascii: token) else { return false }
    position += 1
    skipSpaces()
    return true
  }

  /// Consumes a string and returns its content.
  mutating func string() -> Slice<UnsafeRawBufferPointer>? {
    guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else { return nil }
    let start = position + 1
    var end = start
    while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
      guard (0x20..<0x7F).contains(bytes[end]), bytes[end] != UInt8(ascii: "\\") else { return nil }
      end += 1
    }
    guard end < bytes.count else { return nil }
    position = end + 1
    skipSpaces()
    return bytes[start..<end]
  }

  /// Consumes a string, or an integer of at most 18 digits.
  mutating func id() -> RequestID? {
    if let text = string() { return .string(String(decoding: text, as: UTF8.self)) }
    let start = position
    var value: Int64 = 0
    while position < bytes.count, (0x30...0x39).contains(bytes[position]), position - start < 18 {
      value = value * 10 + Int64(bytes[position] - 0x30)
      position += 1
    }
    // JSON does not allow a leading zero. The JSON parser reads numbers with a fraction or an exponent.
    guard position > start, position - start == 1 || bytes[start] != 0x30 else { return nil }
    skipSpaces()
    return .integer(value)
  }

  private mutating func skipSpaces() {
    while position < bytes.count, bytes[position] == UInt8(ascii: " ") { position += 1 }
  }
}
