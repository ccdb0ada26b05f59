/// A score, from 0 to 1, of how plausible texts are in a charset. In a wrong charset, the bytes may be letters, too,
/// but they do not form words: there are rare characters, symbols between letters, capitals within a word, or vowel
/// signs without a consonant.
struct CharsetScore {
  private var sum = 0.0
  private var count = 0

  /// Scores `bytes`, which are `text` in `charset`. `isOfLocale`: whether it is a usual charset in the user's locale.
  init(_ bytes: [UInt8], _ text: String, _ charset: String, isOfLocale: Bool) {
    if let charset = DoubleByteCharset(charset) {
      rate(bytes, charset, hasKana: isOfLocale || !DoubleByteCharset.mayBeJapanese(bytes))
      if charset == .korean { preferHangul(text) }
    } else {
      rate(words: text)
    }
  }

  /// Scores a text whose charset is known.
  init(words text: String) { rate(words: text) }

  var value: Double { count == 0 ? 0 : sum / Double(count) }

  private mutating func add(_ rating: Double, of many: Int = 1) {
    sum += rating * Double(many)
    count += many
  }

  // MARK: Charsets of two bytes

  /// A charset in which a character outside ASCII takes two bytes. In all of these charsets, the first byte shows
  /// whether the character is a common or a rare one.
  private enum DoubleByteCharset {
    case simplified, traditional, shiftJIS, japanese, korean

    init?(_ charset: String) {
      switch charset.uppercased() {
      case "GB18030", "GBK", "GB2312", "HZ-GB-2312": self = .simplified
      case "BIG5", "BIG5-HKSCS": self = .traditional
      case "SHIFT_JIS", "CP932", "WINDOWS-31J": self = .shiftJIS
      case "EUC-JP": self = .japanese
      case "WINDOWS-949", "UHC", "EUC-KR": self = .korean
      default: return nil
      }
    }

    /// Whether `bytes` in GBK may be a text in EUC-JP, in which kana are the same bytes. In EUC-JP, common ideographs
    /// have the leading bytes B0 to CF, and no bytes below A1. A fourth of the common ideographs of GBK are others.
    static func mayBeJapanese(_ bytes: [UInt8]) -> Bool {
      var index = 0
      while index + 1 < bytes.count {
        guard bytes[index] >= 0x80 else {
          index += 1
          continue
        }
        if !(0xA1..<0xD0).contains(bytes[index]) || bytes[index + 1] < 0xA1 { return false }
        index += 2
      }
      return true
    }

    /// Returns the score of a two-byte character. `hasKana`: whether a Chinese text may contain kana.
    func rating(_ lead: UInt8, _ trail: UInt8, hasKana: Bool) -> Double {
      let isLow = trail < 0xA1
      return switch (self, lead) {
      case (.simplified, 0xA4...0xA5) where !isLow && hasKana: 1
      // The traditional and Japanese ideographs of GBK.
      case (.simplified, 0x81...0xA0),
        (.simplified, 0xA8...0xFE) where isLow:
        0.6
      case (.simplified, 0xB0...0xD7) where !isLow: 0.95
      case (.simplified, 0xD8...0xF7) where !isLow, (.simplified, 0xA1...0xA3) where !isLow: 0.3
      case (.traditional, 0xA4...0xC6): 0.95
      case (.traditional, 0xA1...0xA3), (.traditional, 0xC9...0xF9): 0.3
      case (.shiftJIS, 0x82...0x83), (.shiftJIS, 0x88...0x97): 0.95
      case (.shiftJIS, 0x81), (.shiftJIS, 0x98...0x9F), (.shiftJIS, 0xE0...0xEA): 0.3
      case (.japanese, 0xA4...0xA5) where !isLow: 1
      case (.japanese, 0xB0...0xCF) where !isLow: 0.8
      case (.japanese, 0xD0...0xF4) where !isLow, (.japanese, 0xA1) where !isLow: 0.3
      case (.korean, 0xB0...0xC8) where !isLow: 0.95
      case (.korean, 0xA1...0xA3) where !isLow: 0.3
      default: 0.1
      }
    }
  }

  private mutating func rate(_ bytes: [UInt8], _ charset: DoubleByteCharset, hasKana: Bool) {
    var index = 0
    var hasLowTrail = false
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      guard byte >= 0x80 else { continue }
      // Half-width katakana take one byte. Only old devices wrote them.
      if charset == .shiftJIS, (0xA1...0xDF).contains(byte) {
        add(0.1)
      } else if index < bytes.count {
        add(charset.rating(byte, bytes[index], hasKana: hasKana))
        hasLowTrail = hasLowTrail || bytes[index] < 0x80
        index += 1
      }
    }
    // The second byte of nearly half of the characters of Big5 is ASCII. Texts in other charsets have such bytes
    // rarely.
    if charset == .traditional, !hasLowTrail, count >= 4 { sum *= 0.8 }
  }

  /// Prefers Korean for a text that consists of Hangul: a single Chinese word may be Hangul by chance, but hardly a
  /// text of several words.
  private mutating func preferHangul(_ text: String) {
    let hangul = text.unicodeScalars.count { (0xAC00...0xD7A3).contains($0.value) }
    if hangul == count, hangul >= 5 { sum += 0.03 * Double(count) }
  }

  // MARK: Charsets of one byte

  private mutating func rate(words text: String) {
    var word: [Unicode.Scalar] = []
    for scalar in text.unicodeScalars {
      // A symbol belongs to the word that surrounds it.
      if scalar.value < 0x80, !scalar.properties.isAlphabetic {
        rate(word)
        word.removeAll()
      } else {
        word.append(scalar)
      }
    }
    rate(word)
  }

  private mutating func rate(_ word: [Unicode.Scalar]) {
    let foreign = word.count { $0.value >= 0x80 }
    guard foreign > 0 else { return }
    let kinds = word.map(Kind.init)
    guard foreign == word.count else { return add(0.2, of: foreign) }
    var rating = 1.0
    for (index, kind) in kinds.enumerated() {
      let before = index > 0 ? kinds[index - 1] : .none
      switch kind {
      case .symbol, .none: rating -= 1 / Double(kinds.count)
      case .mark: if before != .letter, before != .mark { rating -= 1 / Double(kinds.count) }
      case .upper: if before == .lower { rating -= 2 / Double(kinds.count) }
      case .lower, .letter: break
      }
    }
    // A single leading capital distinguishes a word from a sequence of letters.
    let doubt =
      switch (kinds.contains(.upper), kinds.contains(.lower)) {
      case (true, true): 0.0
      case (true, false): 0.08
      case (false, true): 0.1
      case (false, false): 0.12
      }
    add(max(0, rating - doubt), of: foreign)
  }

  private enum Kind {
    case upper, lower, letter, mark, symbol, none

    init(_ scalar: Unicode.Scalar) {
      self =
        switch scalar.properties.generalCategory {
        case .uppercaseLetter: .upper
        case .lowercaseLetter: .lower
        case .otherLetter: .letter
        case .nonspacingMark, .spacingMark: .mark
        default: .symbol
        }
    }
  }
}
