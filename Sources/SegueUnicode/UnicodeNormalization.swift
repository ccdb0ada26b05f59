internal import CUTF8Proc
internal import Glibc

/// Unicode's normalization form C (UAX #15), by libutf8proc. Some systems write é as e and a combining accent, others
/// as one character. In form C both are equal, for grouping, sorting and searching.
public enum UnicodeNormalization {
  /// Returns `text` in form C, in which most texts are already. If there is not enough memory for the result, returns
  /// `text` itself.
  public static func composed(_ text: String) -> String {
    if text.unicodeScalars.allSatisfy(isComposed) { return text }
    var text = text
    return text.withUTF8 { utf8 in
      var result: UnsafeMutablePointer<UInt8>?
      let options = utf8proc_option_t(UTF8PROC_STABLE.rawValue | UTF8PROC_COMPOSE.rawValue)
      let count = utf8proc_map(utf8.baseAddress, utf8.count, &result, options)
      guard count >= 0, let result else { return String(decoding: utf8, as: UTF8.self) }
      defer { free(result) }
      return String(decoding: UnsafeBufferPointer(start: result, count: count), as: UTF8.self)
    }
  }

  /// Returns whether a scalar is in form C regardless of its neighbours. This covers the letters of most texts. It is
  /// false for all scalars for which the answer needs a table (UAX #15, section 9).
  private static func isComposed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case ..<0x300, 0x400..<0x483, 0x2010..<0x2028, 0x2500..<0x25A0, 0x3041..<0x3097, 0x30A0..<0x3100, 0x4E00..<0xA000,
      0xAC00..<0xD7A4:
      true
    default: false
    }
  }
}
