internal import CUTF8Proc
internal import Glibc

/// Unicode's normalization form C (UAX #15), by libutf8proc.
enum UnicodeNormalization {
  /// Returns `text` in form C. If there is not enough memory for the result, returns `text` itself.
  static func composed(_ text: String) -> String {
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
}
