internal import CICU

/// ICU's charset converters and normalization.
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

  /// Returns `text` in normalization form C (UAX #15), in which most texts are already. Some systems write é as e and a
  /// combining accent, others as one character. In form C both are equal, for grouping, sorting and searching.
  static func composed(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
    let units = Array(text.utf16)
    // No text grows to more than three times its length (UAX #15, 12.1).
    let composed = [UInt16](unsafeUninitializedCapacity: 3 * units.count) { target, count in
      count = Int(segue_nfc(units, Int32(units.count), target.baseAddress, Int32(target.count)))
    }
    return composed.isEmpty ? text : String(decoding: composed, as: UTF16.self)
  }
}
