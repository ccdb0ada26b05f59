/// The number of terminal columns that text occupies. East Asian wide characters and emoji sequences occupy 2 columns,
/// combining characters none. The text must not contain control characters (see `String.visible`).
public enum DisplayWidth {
  /// Returns the number of columns of a text.
  public static func of(_ text: String) -> Int {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
    return text.reduce(0) { $0 + of($1) }
  }

  /// Returns the number of columns of a grapheme cluster.
  public static func of(_ glyph: Character) -> Int {
    let scalars = glyph.unicodeScalars
    guard let first = scalars.first else { return 0 }
    if scalars.count == 1 { return of(first) }
    let isEmoji =
      first.properties.isEmojiPresentation
      || first.properties.isEmoji && scalars.contains { $0 == Self.emojiStyle || $0 == Self.joiner }
    return isEmoji ? 2 : scalars.reduce(0) { $0 + of($1) }
  }

  /// Returns the number of columns of a single scalar, like `wcwidth`.
  public static func of(_ scalar: Unicode.Scalar) -> Int {
    // Latin, Greek and Cyrillic letters and CJK ideographs need no table lookup. Most titles consist of these.
    if scalar.value < 0x300 || 0x370..<0x483 ~= scalar.value { return 1 }
    if 0x4E00...0x9FFF ~= scalar.value { return 2 }
    if scalar.properties.isEmojiPresentation {
      return isRegionalIndicator(scalar) ? 1 : 2
    }
    // Hangul vowels and final consonants share the cell of the preceding consonant.
    if 0x1160...0x11FF ~= scalar.value || 0xD7B0...0xD7FB ~= scalar.value { return 0 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return 0
    case .format: return visibleFormats.contains(scalar.value) ? 1 : 0
    default: return isWide(scalar.value) ? 2 : 1
    }
  }

  /// The visible format characters: Arabic, Syriac and Kaithi number signs (Prepended_Concatenation_Mark).
  private static let visibleFormats: Set<UInt32> = [
    0x600, 0x601, 0x602, 0x603, 0x604, 0x605, 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD,
  ]

  private static let emojiStyle: Unicode.Scalar = "\u{FE0F}"
  private static let joiner: Unicode.Scalar = "\u{200D}"

  private static func isRegionalIndicator(_ scalar: Unicode.Scalar) -> Bool { 0x1F1E6...0x1F1FF ~= scalar.value }

  private static func isWide(_ value: UInt32) -> Bool {
    var low = 0
    var high = wide.count
    while low < high {
      let middle = (low + high) / 2
      if wide[middle].upperBound < value { low = middle + 1 } else { high = middle }
    }
    return low < wide.count && wide[low].contains(value)
  }

  /// The ranges with East Asian Width W or F (UAX #11, Unicode 16), without emoji.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2329...0x232A, 0x2630...0x2637, 0x268A...0x268F, 0x2E80...0x303E, 0x3041...0xA4CF,
    0xA960...0xA97C, 0xAC00...0xD7A3,
    0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6B, 0xFF01...0xFF60,
    0xFFE0...0xFFE6, 0x16FE0...0x18CFF, 0x18D00...0x18D08, 0x1AFF0...0x1B2FF, 0x1D300...0x1D376, 0x1F200...0x1F265,
    0x20000...0x3FFFD,
  ]
}
