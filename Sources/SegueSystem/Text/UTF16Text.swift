/// A text in UTF-16.
public struct UTF16Text {
  public let string: String

  /// The number of bytes that suffices to recognize UTF-16 without a byte order mark.
  private static let sampleSize = 4096

  /// Decodes a text that begins with a byte order mark. Returns nil if there is none. Half of a unit at the end is left
  /// out.
  public init?(marked bytes: some Collection<UInt8>) {
    let isBigEndian = bytes.starts(with: [0xFE, 0xFF])
    guard isBigEndian || bytes.starts(with: [0xFF, 0xFE]) else { return nil }
    self.init(Array(bytes.dropFirst(2)), isBigEndian: isBigEndian)
  }

  /// Returns nil if `bytes` are no UTF-16: there is no byte order mark, and zeros are not the upper halves of
  /// characters of ASCII, which line ends always are.
  public init?(_ bytes: [UInt8]) {
    if let marked = UTF16Text(marked: bytes) {
      self = marked
      return
    }
    let sample = bytes.prefix(Self.sampleSize)
    let even = sample.indices.count { sample[$0] == 0 && $0 % 2 == 0 }
    let odd = sample.indices.count { sample[$0] == 0 && $0 % 2 == 1 }
    guard even == 0 || odd == 0, 8 * (even + odd) > sample.count else { return nil }
    self.init(bytes, isBigEndian: even > 0)
  }

  private init(_ bytes: [UInt8], isBigEndian: Bool) {
    let (low, high) = isBigEndian ? (1, 0) : (0, 1)
    let units = stride(from: 0, to: bytes.count - 1, by: 2).map { index in
      UInt16(bytes[index + low]) | UInt16(bytes[index + high]) << 8
    }
    string = String(decoding: units, as: UTF16.self)
  }
}
