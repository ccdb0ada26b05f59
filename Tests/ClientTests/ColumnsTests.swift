import SegueClient
import Testing

/// How wide text is.
@Suite struct ColumnsTests {
  @Test func scalarsAreAsWideAsUnicodeSays() {
    var differing: [String] = []
    for value in UInt32(0x20)...0x10FFFF {
      // Controls are not visible, and the compiler may know scalars that the table does not.
      guard let scalar = Unicode.Scalar(value), let age = scalar.properties.age, age <= UnicodeDisplayWidth.version,
        ![.control, .privateUse].contains(scalar.properties.generalCategory)
      else { continue }
      let (columns, expected) = (Columns.of(scalar), UnicodeDisplayWidth.of(scalar))
      if columns != expected { differing.append("U+\(String(value, radix: 16)): \(columns), not \(expected)") }
    }
    #expect(differing == [])
  }

  @Test func glyphsAreCountedNotScalars() {
    let cases: [(String, Int)] = [
      ("", 0), ("abc", 3), ("Человек", 7), ("日本", 4), ("한글", 4), ("e\u{301}", 1), ("👍", 2), ("👍🏽", 2),
      ("👩‍👩‍👧‍👦", 2), ("🏴‍☠️", 2), ("🇯🇵", 2), ("❤", 1), ("❤️", 2), ("1️⃣", 2), ("ｶﾞ", 2), ("ﾊﾟ", 2),
      ("クﾞ", 3), ("กำ", 2), ("ไทย", 3), ("\u{1112}\u{1161}\u{11AB}", 2), ("a\u{200B}b", 2), ("नमस्ते", 4), ("…", 1),
    ]
    for (text, columns) in cases { #expect(Columns.of(text) == columns, "\(text)") }
  }
}
