/// A sequential reader of the fields of an ID3v2 frame.
struct ID3v2Reader {
  private var rest: ArraySlice<UInt8>
  private var encoding = Encoding.unnamed

  /// The encoding of the texts in a frame, which the first byte states.
  private enum Encoding {
    /// Latin-1 by the specification; in practice any charset.
    case unnamed
    /// UTF-16 with a byte order mark. The order is nil until the mark is read.
    case marked(isBigEndian: Bool?)
    case bigEndian
    case utf8
  }

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  var isEmpty: Bool { rest.isEmpty }

  /// The bytes that have not been read.
  var remainder: ArraySlice<UInt8> { rest }

  mutating func skip(_ count: Int) { rest = rest.dropFirst(count) }

  /// Reads a big-endian number; nil if there are too few bytes.
  mutating func number(bytes count: Int) -> Int? {
    guard rest.count >= count else { return nil }
    defer { skip(count) }
    return rest.prefix(count).reduce(0) { $0 << 8 | Int($1) }
  }

  /// Reads the byte that states the encoding. Some programs omit it; then the first byte is a letter.
  mutating func readEncoding() -> Bool {
    guard let code = rest.first else { return false }
    switch code {
    case 0: encoding = .unnamed
    case 1: encoding = .marked(isBigEndian: nil)
    case 2: encoding = .bigEndian
    case 3: encoding = .utf8
    default:
      encoding = .unnamed
      return code >= 0x20
    }
    skip(1)
    return true
  }

  /// Reads the next text in the frame's encoding, up to a zero or the end.
  mutating func text() -> TagValues.Value {
    switch encoding {
    case .unnamed:
      let bytes = upToZero()
      return TagValues.Value(Array(bytes), isBytes: !bytes.allSatisfy { $0 < 0x80 })
    case .utf8:
      return TagValues.Value(Array(upToZero()), isBytes: false)
    case .bigEndian:
      return units(isBigEndian: true)
    case .marked(let known):
      var isBigEndian = known
      if rest.starts(with: [0xFF, 0xFE]) { isBigEndian = false }
      if rest.starts(with: [0xFE, 0xFF]) { isBigEndian = true }
      let order = isBigEndian ?? Self.isLikelyBigEndian(rest)
      encoding = .marked(isBigEndian: order)
      return units(isBigEndian: order)
    }
  }

  /// Reads a text that is Latin-1 regardless of the frame's encoding, such as an owner or an identifier.
  mutating func latinText() -> String {
    String(String.UnicodeScalarView(upToZero().map { Unicode.Scalar($0) }))
  }

  private mutating func upToZero() -> ArraySlice<UInt8> {
    let end = rest.firstIndex(of: 0) ?? rest.endIndex
    defer { rest = rest[end...].dropFirst() }
    return rest[..<end]
  }

  private mutating func units(isBigEndian: Bool) -> TagValues.Value {
    var units: [UInt16] = []
    var index = rest.startIndex
    // An odd byte at the end is not part of the text.
    while index + 1 < rest.endIndex {
      let unit =
        isBigEndian
        ? UInt16(rest[index]) << 8 | UInt16(rest[index + 1])
        : UInt16(rest[index + 1]) << 8 | UInt16(rest[index])
      index += 2
      if unit == 0 { break }
      units.append(unit)
    }
    rest = index + 1 < rest.endIndex ? rest[index...] : []
    if units.first == 0xFEFF { units.removeFirst() }
    return .text(String(decoding: units, as: UTF16.self))
  }

  /// Guesses the byte order of a text without a byte order mark. The upper bytes of blanks, digits and Latin letters
  /// are zero. If there are no such bytes, the order is little-endian, which nearly all programs write.
  private static func isLikelyBigEndian(_ bytes: ArraySlice<UInt8>) -> Bool {
    var zeros = (even: 0, odd: 0)
    for (index, byte) in bytes.prefix(256).enumerated() where byte == 0 {
      if index.isMultiple(of: 2) { zeros.even += 1 } else { zeros.odd += 1 }
    }
    return zeros.even > zeros.odd
  }
}
