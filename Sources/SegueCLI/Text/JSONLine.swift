internal import SegueSystem

/// JSON as it is printed.
enum JSONLine {
  /// Returns JSON with escape sequences in place of control characters and of characters that reverse the text beside
  /// them: names of files may contain them, and they would control the terminal. JSON itself requires only those below
  /// U+0020 to be escaped. They occur only in strings.
  static func escapingControls(_ json: [UInt8]) -> [UInt8] {
    // The first bytes of these characters in UTF-8. Most lines contain none of them.
    guard json.contains(where: { $0 == 0x7F || $0 == 0xC2 || $0 == 0xE2 }) else { return json }
    var escaped: [UInt8] = []
    escaped.reserveCapacity(json.count + 16)
    for scalar in String(decoding: json, as: UTF8.self).unicodeScalars {
      if scalar.value >= 0x20, scalar.isControl {
        let digits = String(scalar.value, radix: 16)
        escaped += Array(("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8)
      } else {
        escaped += Array(UTF8.encode(scalar) ?? .init())
      }
    }
    return escaped
  }
}
