internal import CICU
internal import CUchardet
internal import SegueSystem

/// The charset of texts whose format names none: uchardet's guess where it has ground to stand on. Both libraries have
/// their tables in themselves and open no file.
struct Charset {
  private let name: String?

  /// UTF-8 if that is what all of `samples` are.
  init(guessedFrom samples: [[UInt8]]) {
    if samples.allSatisfy({ String(validating: $0, as: UTF8.self) != nil }) {
      name = nil
      return
    }
    // Western text has an accent here and there; one in another script hardly anything else.
    let isDense = samples.contains { text in
      let high = text.count { $0 >= 0x80 }
      return high >= 3 && 2 * high > text.count { $0 > 0x40 }
    }
    guard isDense else {
      name = Self.western
      return
    }
    let sample = Array(samples.joined(separator: [UInt8(ascii: "\n")]))
    let candidates =
      [Self.detected(sample)].compactMap { $0 }.filter { !Self.westernNames.contains($0) } + Self.ofLocale
    name = candidates.first { Self.convert(sample, from: $0) != nil } ?? Self.western
  }

  /// What cannot be converted comes out as U+FFFD.
  func decode(_ bytes: [UInt8]) -> String {
    guard let name else { return String(decoding: bytes, as: UTF8.self) }
    if let text = Self.convert(bytes, from: name) { return text }
    return Self.convert(bytes, from: Self.western) ?? String(decoding: bytes, as: UTF8.self)
  }

  /// What Latin-1 is in truth, since its upper control characters are in no text.
  private static let western = "windows-1252"

  /// Guesses that short dense texts get when uchardet has none.
  private static let westernNames: Set<String> = [
    "ASCII", "ISO-8859-1", "ISO-8859-2", "ISO-8859-3", "ISO-8859-4", "ISO-8859-9", "ISO-8859-10", "ISO-8859-13",
    "ISO-8859-15", "ISO-8859-16", "WINDOWS-1250", "WINDOWS-1252", "WINDOWS-1257", "WINDOWS-1258", "IBM852",
    "MAC-CENTRALEUROPE",
  ]

  /// What files without a word on it are mostly in where the user lives, and then elsewhere.
  private static let ofLocale: [String] = {
    let own: [String] =
      switch UserLocale.language {
      case "ja": ["Shift_JIS", "EUC-JP"]
      case "ko": ["windows-949"]
      case "zh": UserLocale.isTraditionalChinese ? ["Big5"] : ["GB18030"]
      case "ru", "uk", "be", "bg", "sr", "mk": ["windows-1251"]
      case "el": ["windows-1253"]
      case "he": ["windows-1255"]
      case "ar", "fa": ["windows-1256"]
      default: []
      }
    return own + ["GB18030", "Shift_JIS", "Big5", "windows-949"]
  }()

  private static func detected(_ sample: [UInt8]) -> String? {
    guard let detector = uchardet_new() else { return nil }
    defer { uchardet_delete(detector) }
    let code = sample.withUnsafeBytes {
      uchardet_handle_data(detector, $0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count)
    }
    guard code == 0 else { return nil }
    uchardet_data_end(detector)
    guard let name = uchardet_get_charset(detector) else { return nil }
    let text = String(cString: name)
    return text.isEmpty ? nil : text
  }

  /// nil if `bytes` are not in that charset.
  private static func convert(_ bytes: [UInt8], from charset: String) -> String? {
    guard bytes.count < 1 << 24 else { return nil }
    // No charset has characters that take more than three times as much in UTF-8.
    let capacity = 3 * bytes.count + 16
    var count: Int32 = 0
    let text = String(unsafeUninitializedCapacity: capacity) { target in
      bytes.withUnsafeBytes { source in
        target.withMemoryRebound(to: CChar.self) { target in
          count = segue_ucnv_to_utf8(
            charset, source.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(source.count), target.baseAddress,
            Int32(target.count))
        }
      }
      return max(0, Int(count))
    }
    return count < 0 ? nil : text
  }
}

extension Charset {
  /// What all `values` that need one are in.
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
