internal import CICU

/// ICU's charset converters.
enum ICU {
  /// Returns the text of `bytes`; nil if they are not valid in `charset`.
  static func decoded(_ bytes: [UInt8], from charset: String) -> String? {
    guard bytes.count < 1 << 24 else { return nil }
    // A character takes at most three times as many bytes in UTF-8 as in any other charset.
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
