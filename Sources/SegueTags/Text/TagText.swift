internal import SegueSystem
internal import SegueUnicode
internal import SegueWire

/// Functions that clean the texts of tags for display.
package enum TagText {
  /// Returns a text of one line: in normalization form C, with blanks in place of control characters, without
  /// surrounding white space, and not longer than the limit.
  package static func cleaned(_ text: String) -> String {
    var text = text
    let isPlain = text.withUTF8 { Self.isPlain($0) }
    if isPlain { return UnicodeNormalization.composed(text) }
    var clean = ""
    // More than the limit is read, so that leading white space does not count.
    for scalar in text.truncated(to: 2 * Metadata.maximumTextSize).unicodeScalars {
      clean.unicodeScalars.append(scalar.isControl ? " " : scalar)
    }
    return UnicodeNormalization.composed(clean.trimmed).truncated(to: Metadata.maximumTextSize).trimmed
  }

  /// Returns a text of several lines: lines end with "\n", and there are no control characters except tabs.
  package static func cleanedLines(_ text: String) -> String {
    var clean = ""
    var wasReturn = false
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n" where wasReturn: break
      case "\r", "\n": clean.append("\n")
      case "\t": clean.append("\t")
      default: if !scalar.isControl { clean.unicodeScalars.append(scalar) }
      }
      wasReturn = scalar == "\r"
    }
    return clean.trimmed
  }

  /// Returns whether a text certainly needs no cleaning, which is true for most texts. If it begins or ends with a
  /// character beyond ASCII that may be white space, the result is false.
  private static func isPlain(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard text.count <= Metadata.maximumTextSize, let first = text.first, let last = text.last else {
      return text.isEmpty
    }
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
