internal import CICU

/// Unicode's normal form C (UAX #15): one spelling for what looks the same. Some systems write é as e and an accent,
/// others as one letter; names that differ in that alone are one name to whoever files, sorts or searches.
enum UnicodeNormalization {
  /// `text` itself, as is the rule, if it is in that form.
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
