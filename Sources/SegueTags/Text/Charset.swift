internal import SegueSystem

/// The charset of texts whose format does not name one. It is the best match among uchardet's guess and the usual
/// charsets. uchardet and ICU contain their tables and open no file.
package struct Charset {
  private let name: String?

  /// Guesses the charset of `samples`. If all of them are valid UTF-8, it is UTF-8.
  package init(guessedFrom samples: [[UInt8]]) {
    if samples.allSatisfy({ Self.utf8($0) != nil }) {
      name = nil
      return
    }
    // Western texts have few accents. Texts in other scripts consist almost entirely of characters beyond ASCII.
    let isDense = samples.contains { text in
      let high = text.count { $0 >= 0x80 }
      return high >= 3 && 2 * high > text.count { $0 > 0x40 }
    }
    guard isDense else {
      name = Self.latin(samples)
      return
    }
    let excerpt = Self.excerpt(of: samples)
    name = LatinCharset.certain(excerpt) ?? Self.bestMatch(excerpt) ?? Self.latin(samples)
  }

  /// Returns the text of `bytes`. Characters that cannot be converted become U+FFFD.
  package func decode(_ bytes: [UInt8]) -> String {
    guard let name else { return Self.utf8(bytes) ?? String(decoding: bytes, as: UTF8.self) }
    if let text = ICU.decoded(bytes, from: name) { return text }
    return ICU.decoded(bytes, from: LatinCharset.western) ?? String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the text of `bytes` if they are UTF-8. Some fields have a limited size, and programs cut texts there in
  /// the middle of a character. If the rest has other characters beyond ASCII, that is no other charset, and the text
  /// is without the character.
  package static func utf8(_ bytes: [UInt8]) -> String? {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    guard let start = bytes.indices.suffix(maximumCut).last(where: { bytes[$0] >= 0xC0 }) else { return nil }
    let length = bytes[start] < 0xE0 ? 2 : bytes[start] < 0xF0 ? 3 : 4
    guard bytes.count - start < length, bytes[..<start].contains(where: { $0 >= 0x80 }) else { return nil }
    return String(validating: bytes[..<start], as: UTF8.self)
  }

  /// The maximum number of bytes of an incomplete character.
  private static let maximumCut = 3

  /// The guesses of uchardet that are ignored for dense texts, because they only mean that uchardet found no better
  /// one.
  private static let westernNames: Set<String> = [
    "ASCII", "ISO-8859-1", "ISO-8859-2", "ISO-8859-3", "ISO-8859-4", "ISO-8859-9", "ISO-8859-10", "ISO-8859-13",
    "ISO-8859-15", "ISO-8859-16", "WINDOWS-1250", "WINDOWS-1252", "WINDOWS-1257", "WINDOWS-1258", "IBM852",
    "MAC-CENTRALEUROPE",
  ]

  /// The number of bytes that suffices for a guess.
  private static let maximumExcerptSize = 4096
  /// The number of texts that suffices for a guess of a Latin charset.
  private static let maximumLatinSamples = 256

  /// Returns the Latin charset of `samples`.
  private static func latin(_ samples: [[UInt8]]) -> String {
    let foreign = samples.lazy.filter { $0.contains { $0 >= 0x80 } }
    return LatinCharset.guess(foreign.prefix(maximumLatinSamples).map { Array(beginning(of: $0)) })
  }

  /// Returns as many of `samples` as fit, one per line. If the first one is too long, it is truncated.
  private static func excerpt(of samples: [[UInt8]]) -> [UInt8] {
    var excerpt: [UInt8] = []
    for sample in samples where excerpt.isEmpty || excerpt.count + sample.count < maximumExcerptSize {
      excerpt += beginning(of: sample) + [UInt8(ascii: "\n")]
    }
    return excerpt
  }

  /// Returns at most `maximumExcerptSize` bytes without a truncated character at the end: bytes below the digits
  /// (blanks and most punctuation) are never part of a multibyte character.
  private static func beginning(of sample: [UInt8]) -> ArraySlice<UInt8> {
    guard sample.count > maximumExcerptSize else { return sample[...] }
    let start = sample.prefix(maximumExcerptSize)
    return start.lastIndex { $0 < 0x30 }.map { start[...$0] } ?? start
  }

  /// Returns the charset that matches `sample` best; nil if none matches well. uchardet needs more text than a few
  /// names, and takes Chinese for Thai or Greek. If two charsets match equally, its guess or the user's own charset is
  /// preferred.
  private static func bestMatch(_ sample: [UInt8]) -> String? {
    let guess = Uchardet.guess(sample).flatMap { westernNames.contains($0) ? nil : $0 }
    var best: (name: String, score: Double)?
    for name in [guess].compactMap({ $0 }) + ofLocale + worldwide {
      guard let text = ICU.decoded(sample, from: name),
        !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .privateUse })
      else { continue }
      let bonus = ofLocale.contains(name) ? 0.1 : name == guess ? 0.05 : 0
      let score = CharsetScore(sample, text, name, isOfLocale: ofLocale.contains(name)).value + bonus
      if score > (best?.score ?? minimumScore) { best = (name, score) }
    }
    return best?.name
  }

  private static let minimumScore = 0.4

  /// The usual charsets in the user's locale.
  private static let ofLocale: [String] =
    switch UserLocale.language {
    case "ja": ["Shift_JIS", "EUC-JP"]
    case "ko": ["windows-949"]
    case "zh": UserLocale.isTraditionalChinese ? ["Big5"] : ["GB18030"]
    case "ru", "uk", "be", "bg", "sr", "mk": ["windows-1251", "KOI8-R"]
    case "el": ["windows-1253"]
    case "he": ["windows-1255"]
    case "ar", "fa": ["windows-1256"]
    default: []
    }

  /// The usual charsets worldwide.
  private static let worldwide = ["windows-1251", "KOI8-R", "GB18030", "Shift_JIS", "Big5", "windows-949", "EUC-JP"]
}

extension Charset {
  /// Returns whether `bytes`, which are valid UTF-8, are nevertheless a text in this charset, as other texts of the
  /// same file are. That happens by chance to a few characters in a charset of two bytes or of another script.
  package func isPlausible(for bytes: [UInt8]) -> Bool {
    guard let name, !LatinCharset.contains(name),
      let other = ICU.decoded(bytes, from: name),
      !other.unicodeScalars.contains(where: { $0.properties.generalCategory == .privateUse })
    else { return false }
    let text = String(decoding: bytes, as: UTF8.self)
    // An accented letter within a Latin word is no coincidence.
    let scalars = Array(text.unicodeScalars)
    let isLatin = scalars.indices.dropFirst().contains { index in
      let pair = (scalars[index - 1], scalars[index])
      return Self.isLatin(pair.0, besideASCII: pair.1) || Self.isLatin(pair.1, besideASCII: pair.0)
    }
    guard !isLatin else { return false }
    let score = CharsetScore(bytes, other, name, isOfLocale: false).value
    return score >= Self.minimumCoincidence && score + 0.05 > CharsetScore(words: text).value
  }

  /// The score in the charset that a text which is valid UTF-8 must have.
  private static let minimumCoincidence = 0.6

  private static func isLatin(_ scalar: Unicode.Scalar, besideASCII other: Unicode.Scalar) -> Bool {
    (0xC0..<0x250).contains(scalar.value) && other.value < 0x80 && other.properties.isAlphabetic
  }

  /// Returns the charset of all `values` whose charset is unknown.
  static func common(to values: [TagValues.Value]) -> Charset {
    Charset(
      guessedFrom: values.compactMap { value in
        if case .bytes(let bytes) = value { bytes } else { nil }
      })
  }

  func text(of value: TagValues.Value) -> String {
    switch value {
    case .text(let text): text
    case .bytes(let bytes): decode(bytes)
    }
  }
}
