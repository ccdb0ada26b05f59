internal import SegueSystem

/// The translations of one language, as msgfmt(1) compiles them: a table of messages, sorted by their bytes, and a
/// table of translations in the same order ("The Format of GNU MO Files" in the manual of gettext). Offsets in a
/// damaged file lead to missing translations.
struct Translations: Sendable {
  /// The maximum size of a file, which exceeds that of the translations of every program.
  private static let maximumSize = 16 << 20
  private static let header = (magic: UInt32(0x9504_12DE), size: 20)

  private let bytes: [UInt8]
  private let count: Int
  /// The offsets of the tables, which have 8 bytes for every message: its length and its offset.
  private let messages: Int
  private let translations: Int
  private var pluralRule = PluralRule.english

  /// Reads a file. Returns nil if it is unreadable, or does not contain translations in this byte order.
  init?(_ path: FilePath) {
    guard let bytes = try? SmallFile.read(path, upTo: Self.maximumSize) else { return nil }
    self.init(bytes)
  }

  init?(_ bytes: [UInt8]) {
    guard bytes.count >= Self.header.size, Self.number(bytes, 0) == Self.header.magic else { return nil }
    self.bytes = bytes
    count = Int(Self.number(bytes, 8))
    messages = Int(Self.number(bytes, 12))
    translations = Int(Self.number(bytes, 16))
    guard max(messages, translations) + 8 * count <= bytes.count else { return nil }
    // The translation of the empty message is a header with lines such as "Plural-Forms: nplurals=2; plural=n != 1;".
    for line in translation(of: "")?.split(separator: "\n") ?? [] where line.hasPrefix("Plural-Forms:") {
      pluralRule = PluralRule(declaration: line) ?? .english
    }
  }

  func translation(of message: String) -> String? {
    forms(of: message).map { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  /// Returns the plural form for `count` of the translation of a message. `one` is its English singular.
  func translation(of one: String, count: Int) -> String? {
    let forms = forms(of: one)?.split(separator: 0, omittingEmptySubsequences: false)
    let index = pluralRule.form(for: count.magnitude)
    guard let forms, forms.indices.contains(index) else { return nil }
    return String(decoding: forms[index], as: UTF8.self)
  }

  /// Returns the plural forms of a translation, which are separated by 0; nil if there is none.
  private func forms(of message: String) -> ArraySlice<UInt8>? {
    var message = message
    return message.withUTF8 { message -> ArraySlice<UInt8>? in
      var range = 0..<count
      while !range.isEmpty {
        let middle = range.lowerBound + range.count / 2
        guard let entry = text(at: messages + 8 * middle) else { return nil }
        // The plural of a message follows its singular and a 0.
        let original = entry.prefix { $0 != 0 }
        if original.elementsEqual(message) { return text(at: translations + 8 * middle) }
        range =
          original.lexicographicallyPrecedes(message) ? (middle + 1)..<range.upperBound : range.lowerBound..<middle
      }
      return nil
    }
  }

  /// Returns the text whose length and offset are at `offset`.
  private func text(at offset: Int) -> ArraySlice<UInt8>? {
    let length = Int(Self.number(bytes, offset))
    let start = Int(Self.number(bytes, offset + 4))
    return start + length <= bytes.count ? bytes[start..<(start + length)] : nil
  }

  /// Returns the number of four bytes at an offset within the file, which is in the byte order of the machine.
  private static func number(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
    bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self) }
  }
}
