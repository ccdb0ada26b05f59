/// The folding of a character of a word, after the tokenizer `unicode61` of FTS5 has folded its case and removed the
/// diacritics of Latin letters.
enum CharacterFolding {
  /// The character becomes another one.
  case letter(UInt32)
  /// The character becomes several ASCII letters.
  case letters(StaticString)
  /// The character is removed: a vowel point, an accent, a variation selector.
  case removed
  /// The character is a word of its own: in scripts without spaces between words, and for pictographs.
  case word(UInt32)
  /// The character separates words.
  case separator

  init(_ scalar: UInt32) {
    switch scalar {
    case ..<0x80: self = .letter(scalar)
    case 0x80..<0x370: self = Self.latin(scalar)
    case 0x370..<0x400: self = .letter(Self.greek(scalar))
    case 0x400..<0x530: self = .letter(Self.cyrillic(scalar))
    case 0x530..<0x780: self = Self.semitic(scalar)
    case 0x0E00..<0x1100, 0x1780..<0x1800: self = Self.southEast(scalar)
    case 0x1AB0..<0x1B00, 0x1DC0..<0x1E00, 0x20D0..<0x2100, 0xFE00..<0xFE30, 0xE0100..<0xE01F0: self = .removed
    // Trademark symbols and the like are not part of a name.
    case 0x2100..<0x2190: self = .separator
    case 0x2190..<0x2C00, 0x1F000..<0x1FB00: self = .word(scalar)
    case 0x2E80..<0xA4D0, 0xAC00..<0xD7B0, 0xF900..<0xFB00, 0xFF00..<0xFFF0, 0x20000..<0x40000:
      self = Self.eastAsian(scalar)
    default: self = .letter(scalar)
    }
  }

  private static func latin(_ scalar: UInt32) -> CharacterFolding {
    switch scalar {
    case 0xA6, 0xA9, 0xAE, 0xB0: .separator
    case 0xAA: .letters("a")
    case 0xBA: .letters("o")
    case 0xB2, 0xB3: .letter(scalar - 0x80)
    case 0xB9: .letters("1")
    case 0xDF: .letters("ss")
    case 0xE6, 0x1E3, 0x1FD: .letters("ae")
    case 0xF0, 0x111: .letters("d")
    case 0xF8, 0x1FF: .letters("o")
    case 0xFE: .letters("th")
    case 0x127: .letters("h")
    case 0x131: .letters("i")
    case 0x142: .letters("l")
    case 0x14B: .letters("n")
    case 0x153: .letters("oe")
    case 0x167: .letters("t")
    case 0x259: .letters("e")
    case 0x300..<0x370: .removed
    default: .letter(scalar)
    }
  }

  private static func greek(_ scalar: UInt32) -> UInt32 {
    switch scalar {
    case 0x3AC: 0x3B1
    case 0x3AD: 0x3B5
    case 0x3AE: 0x3B7
    case 0x390, 0x3AF, 0x3CA: 0x3B9
    case 0x3CC: 0x3BF
    case 0x3B0, 0x3CB, 0x3CD: 0x3C5
    case 0x3CE: 0x3C9
    case 0x3C2: 0x3C3
    default: scalar
    }
  }

  /// Returns the base letter of a letter that has a combining mark in its decomposition.
  private static func cyrillic(_ scalar: UInt32) -> UInt32 {
    switch scalar {
    case 0x450, 0x451: 0x435
    case 0x439, 0x45D: 0x438
    case 0x453, 0x491: 0x433
    case 0x457: 0x456
    case 0x45C: 0x43A
    case 0x45E: 0x443
    default: scalar
    }
  }

  private static func semitic(_ scalar: UInt32) -> CharacterFolding {
    switch scalar {
    case 0x591..<0x5C8, 0x610..<0x61B, 0x640, 0x64B..<0x660, 0x670, 0x6D6..<0x6EE: .removed
    case 0x622, 0x623, 0x625: .letter(0x627)
    case 0x629: .letter(0x647)
    case 0x649, 0x6CC: .letter(0x64A)
    case 0x6A9: .letter(0x643)
    case 0x660..<0x66A: .letter(scalar - 0x660 + 0x30)
    case 0x6F0..<0x6FA: .letter(scalar - 0x6F0 + 0x30)
    default: .letter(scalar)
    }
  }

  /// Folds Thai, Lao, Tibetan, Burmese and Khmer.
  private static func southEast(_ scalar: UInt32) -> CharacterFolding {
    // Tibetan separates syllables, and Georgian separates words.
    (0xF00..<0x1000).contains(scalar) || (0x10A0..<0x1100).contains(scalar) ? .letter(scalar) : .word(scalar)
  }

  private static func eastAsian(_ scalar: UInt32) -> CharacterFolding {
    switch scalar {
    case 0x3041..<0x3097: .word(plainKana(scalar))
    // Katakana follow hiragana in the same order.
    case 0x30A1..<0x30F7: .word(plainKana(scalar - 0x60))
    // These are the marks of voiced syllables.
    case 0x3099..<0x309D, 0xFF9E, 0xFF9F: .removed
    case 0xFF10..<0xFF1A, 0xFF41..<0xFF5B: .letter(scalar - 0xFEE0)
    case 0xFF66..<0xFF9E: .word(plainKana(UInt32(halfWidthKana[Int(scalar - 0xFF66)]) + 0x3000))
    default: .word(scalar)
    }
  }

  /// Returns a kana without the mark of a voiced syllable.
  private static func plainKana(_ scalar: UInt32) -> UInt32 {
    switch scalar {
    case 0x304B...0x3062: scalar % 2 == 0 ? scalar - 1 : scalar
    case 0x3065, 0x3067, 0x3069, 0x3094: scalar == 0x3094 ? 0x3046 : scalar - 1
    case 0x306F...0x307D: scalar - (scalar - 0x306F) % 3
    default: scalar
    }
  }

  /// The offsets from U+3000 of the hiragana for U+FF66 and the following characters.
  private static let halfWidthKana: [UInt8] = [
    0x92, 0x41, 0x43, 0x45, 0x47, 0x49, 0x83, 0x85, 0x87, 0x63, 0xFC, 0x42, 0x44, 0x46, 0x48, 0x4A, 0x4B, 0x4D, 0x4F,
    0x51, 0x53, 0x55, 0x57, 0x59, 0x5B, 0x5D, 0x5F, 0x61, 0x64, 0x66, 0x68, 0x6A, 0x6B, 0x6C, 0x6D, 0x6E, 0x6F, 0x72,
    0x75, 0x78, 0x7B, 0x7E, 0x7F, 0x80, 0x81, 0x82, 0x84, 0x86, 0x88, 0x89, 0x8A, 0x8B, 0x8C, 0x8D, 0x8F, 0x93,
  ]
}
