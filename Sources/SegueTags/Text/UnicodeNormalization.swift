internal import CICU

/// Unicode's normalization form C (UAX #15). Some systems write é as e and a combining accent, others as one character.
/// In form C both are equal, for grouping, sorting and searching.
enum UnicodeNormalization {
  /// Returns `text` in form C. Most texts are in that form already.
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
