internal import CUTF8Proc

/// The number of terminal columns that text occupies. East Asian wide characters and emoji sequences occupy 2 columns,
/// combining characters none. The text must not contain control characters (see `String.visible`).
///
/// The general categories and emoji are those of the Swift standard library, whose Unicode version is newer than the
/// one of libutf8proc; only the East Asian widths are taken from libutf8proc.
public enum DisplayWidth {
  /// Returns the number of columns of a text.
  public static func of(_ text: String) -> Int { ofSimple(text) ?? text.reduce(0) { $0 + of($1) } }

  /// Returns the number of columns of a text if each of its scalars is simple, as in most texts in Latin, Greek,
  /// Cyrillic and Chinese letters; nil for any other text.
  public static func ofSimple(_ text: String) -> Int? {
    var columns = 0
    for scalar in text.unicodeScalars {
      guard let width = ofSimple(scalar) else { return nil }
      columns += width
    }
    return columns
  }

  /// Returns the number of columns of a simple scalar: a character by itself and in form C, whatever its neighbours
  /// are, and no control character. Returns nil for any other scalar.
  public static func ofSimple(_ scalar: Unicode.Scalar) -> Int? {
    switch scalar.value {
    case 0x20..<0x7F, 0xA0..<0x300, 0x388..<0x483, 0x2010..<0x2028, 0x2190..<0x2200, 0x23F8, 0x2500..<0x25FD, 0x2605,
      0x2606, 0x2665:
      1
    case 0x3041..<0x3097, 0x30A0..<0x3100, 0x4E00..<0xA000: 2
    default: nil
    }
  }

  /// Returns the number of columns of a grapheme cluster.
  public static func of(_ glyph: Character) -> Int {
    if let only = glyph.onlyScalar { return of(only) }
    let scalars = glyph.unicodeScalars
    guard let first = scalars.first else { return 0 }
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
    // Dashes, quotation marks, the ellipsis, lines and blocks need none either.
    if 0x2010..<0x2028 ~= scalar.value || 0x2500..<0x25A0 ~= scalar.value { return 1 }
    if scalar.properties.isEmojiPresentation {
      return isRegionalIndicator(scalar) ? 1 : 2
    }
    // Hangul vowels and final consonants share the cell of the preceding consonant. libutf8proc reports one column.
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
    utf8proc_charwidth(utf8proc_int32_t(bitPattern: value)) == 2 || wideBeyondLibrary.contains { $0.contains(value) }
  }

  /// The ranges that occupy two columns although libutf8proc may report one: Debian 12 has a version for Unicode 15.
  private static let wideBeyondLibrary: [ClosedRange<UInt32>] = [
    // Ambiguous in UAX #11, and displayed in two columns: the circled numbers.
    0x3248...0x324F,
    // Added by Unicode 15.1 to 17: ideographic description characters, strokes, and Tangut.
    0x2FFC...0x2FFF, 0x31E4...0x31EF, 0x16FF0...0x18CFF,
    // Wide since Unicode 16: trigrams, digrams, hexagrams, Tai Xuan Jing symbols and counting rods.
    0x2630...0x2637, 0x268A...0x268F, 0x4DC0...0x4DFF, 0x1D300...0x1D376,
    // UAX #11 declares the planes of ideographs wide, including unassigned code points.
    0x20000...0x3FFFD,
  ]
}

extension Character {
  /// The scalar of a character that consists of one; nil for any other one.
  public var onlyScalar: Unicode.Scalar? {
    var scalars = unicodeScalars.makeIterator()
    let first = scalars.next()
    return scalars.next() == nil ? first : nil
  }
}
