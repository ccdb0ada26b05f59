/// An encoding of bytes as text by 64 characters, each of which stands for six bits (RFC 4648).
public struct Base64: Sendable {
  private let alphabet: [UInt8]
  /// The six bits of each character; `noBits` for characters that stand for none.
  private let bits: [UInt8]
  private let isPadded: Bool

  private static let noBits: UInt8 = 64
  private static let padding = UInt8(ascii: "=")

  /// The encoding of section 4, padded with equals signs.
  public static let standard = Base64(last: "+/", isPadded: true)
  /// The encoding of section 5 without padding, which needs no escaping in a URL or a cookie.
  public static let url = Base64(last: "-_", isPadded: false)

  private init(last: String, isPadded: Bool) {
    alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789\(last)".utf8)
    var bits = [UInt8](repeating: Self.noBits, count: 256)
    for (value, character) in alphabet.enumerated() { bits[Int(character)] = UInt8(value) }
    self.bits = bits
    self.isPadded = isPadded
  }

  /// Whether a character stands for bits.
  public func contains(_ character: UInt8) -> Bool { bits[Int(character)] != Self.noBits }

  /// Returns the text that stands for bytes.
  public func encoded(_ bytes: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    var (value, count) = (0, 0)
    for byte in bytes {
      value = value << 8 | Int(byte)
      count += 8
      while count >= 6 {
        count -= 6
        text.append(alphabet[value >> count & 63])
      }
      value &= (1 << count) - 1
    }
    if count > 0 { text.append(alphabet[value << (6 - count) & 63]) }
    if isPadded { while text.count % 4 != 0 { text.append(Self.padding) } }
    return text
  }

  /// Returns the bytes that a text stands for. Other characters, such as the padding, are passed over.
  public func decoded(_ text: some Sequence<UInt8>) -> [UInt8] {
    text.withContiguousStorageIfAvailable(decoded) ?? Array(text).withUnsafeBufferPointer(decoded)
  }

  private func decoded(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3)
    var (value, count) = (0, 0)
    for character in text {
      let next = bits[Int(character)]
      guard next != Self.noBits else { continue }
      value = value << 6 | Int(next)
      count += 6
      guard count >= 8 else { continue }
      count -= 8
      bytes.append(UInt8(truncatingIfNeeded: value >> count))
      value &= (1 << count) - 1
    }
    return bytes
  }
}
