internal import SegueWire

/// Texts of tags, fit to be shown in a line.
package enum TagText {
  /// In normal form C, control characters as spaces, none at the ends, and no more than is kept.
  package static func mended(_ text: String) -> String {
    var text = text
    let isPlain = text.withUTF8 { Self.isPlain($0) }
    if isPlain { return UnicodeNormalization.composed(text) }
    var clean = ""
    // More than is kept, so that white space in front costs nothing.
    for scalar in text.truncated(to: 2 * Metadata.maximumTextSize).unicodeScalars {
      clean.unicodeScalars.append(isControl(scalar) ? " " : scalar)
    }
    return trimmed(UnicodeNormalization.composed(trimmed(clean)).truncated(to: Metadata.maximumTextSize))
  }

  /// Several lines: line ends as "\n", and no other control character but the tab.
  package static func mendedLines(_ text: String) -> String {
    var clean = ""
    var wasReturn = false
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n" where wasReturn: break
      case "\r", "\n": clean.append("\n")
      case "\t": clean.append("\t")
      default: if !isControl(scalar) { clean.unicodeScalars.append(scalar) }
      }
      wasReturn = scalar == "\r"
    }
    return trimmed(clean)
  }

  static func trimmed(_ text: some StringProtocol) -> String {
    var rest = text[...]
    while rest.last?.isWhitespace == true { rest.removeLast() }
    while rest.first?.isWhitespace == true { rest.removeFirst() }
    return String(rest)
  }

  /// What turns the direction of a whole line (Unicode's bidirectional overrides and isolates) would turn what stands
  /// beside a tag as well; a line of a tag has no use for it.
  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// Nothing to mend, as is the rule. Of what lies beyond ASCII only letters in the middle are surely fine.
  private static func isPlain(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard text.count <= Metadata.maximumTextSize, let first = text.first, let last = text.last else { return text.isEmpty }
    guard first > 0x20, last > 0x20, first != 0xC2, first != 0xE1, first != 0xE2, first != 0xE3 else { return false }
    var before: UInt8 = 0
    for byte in text {
      if byte < 0x20 || byte == 0x7F || before == 0xC2 && byte < 0xA0
        || before == 0xE2 && (byte == 0x80 || byte == 0x81)
      {
        return false
      }
      before = byte
    }
    return last < 0x80 || text.count < 3 || !(0xE1...0xE3).contains(text[text.count - 3])
  }
}
