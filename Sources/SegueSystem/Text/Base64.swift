/// An encoding of bytes as text by 64 characters, each of which stands for six bits (RFC 4648).
public struct Base64: Sendable {
  private let alphabet: [UInt8]
  private let isPadded: Bool

  /// The encoding of section 4, padded with equals signs.
  public static let standard = Base64(last: "+/", isPadded: true)
  /// The encoding of section 5 without padding, which needs no escaping in a URL or a cookie.
  public static let url = Base64(last: "-_", isPadded: false)

  private init(last: String, isPadded: Bool) {
    alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789\(last)".utf8)
    self.isPadded = isPadded
  }

  /// Whether a character stands for bits.
  public func contains(_ character: UInt8) -> Bool { alphabet.contains(character) }

  /// Returns the text that stands for bytes.
  public func encoded(_ bytes: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for digit in 0...group.count { text.append(alphabet[bits >> (18 - 6 * digit) & 63]) }
      if isPadded { text += repeatElement(UInt8(ascii: "="), count: 3 - group.count) }
    }
    return text
  }

  /// Returns the bytes that a text stands for. Other characters, such as the padding, are passed over.
  public func decoded(_ text: some Sequence<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    var (bits, count) = (0, 0)
    for value in text.lazy.compactMap({ alphabet.firstIndex(of: $0) }) {
      bits = bits << 6 | value
      count += 6
      guard count >= 8 else { continue }
      count -= 8
      bytes.append(UInt8(truncatingIfNeeded: bits >> count))
      bits &= (1 << count) - 1
    }
    return bytes
  }
}
