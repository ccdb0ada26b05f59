extension String {
  /// The text with everything a terminal would obey shown instead: `^[` for an escape, `<U+202E>` for what turns the
  /// direction of writing. A tag comes from a stranger, and one line stays one line.
  var visible: String {
    if utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return self }
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      switch scalar.value {
      case 0..<0x20, 0x7F:
        result.append("^")
        result.append(Unicode.Scalar(UInt8(scalar.value ^ 0x40)))
      case 0x80..<0xA0, 0x2028...0x202E, 0x2066...0x2069:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        result.append(contentsOf: "<U+\(String(repeating: "0", count: 4 - digits.count))\(digits)>".unicodeScalars)
      default: result.append(scalar)
      }
    }
    return String(result)
  }
}
