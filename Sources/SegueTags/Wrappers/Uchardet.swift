internal import CUchardet

/// The detection of charsets by uchardet.
enum Uchardet {
  /// Returns the name of the charset that `sample` probably has; nil if uchardet has no guess.
  static func guess(_ sample: [UInt8]) -> String? {
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
}
