import Glibc
import SegueClient
import Testing

/// How wide text is.
@Suite struct ColumnsTests {
  /// glibc's own tables are the judge of every scalar it knows. It may be of another Unicode version than ours: what
  /// Unicode 16 made wide is left out, and a few marks that became spacing ones, or ceased to be, are put up with.
  @Test func scalarsAreAsWideAsTheSystemSays() throws {
    let symbol = try #require(dlsym(nil, "wcwidth"))
    let wcwidth = unsafeBitCast(symbol, to: (@convention(c) (Int32) -> Int32).self)
    let locale = try #require(newlocale(LC_CTYPE_MASK, "C.UTF-8", nil))
    let before = uselocale(locale)
    defer {
      uselocale(before)
      freelocale(locale)
    }
    let changed: [ClosedRange<UInt32>] = [0x2630...0x2637, 0x268A...0x268F, 0x4DC0...0x4DFF, 0x1D300...0x1D376]
    var differing: [String] = []
    var marks = 0
    for value in UInt32(0x20)...0x10FFFF where !changed.contains(where: { $0.contains(value) }) {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let system = Int(wcwidth(Int32(value)))
      // -1: not printable, or not known to this glibc.
      guard system >= 0, system != Columns.of(scalar) else { continue }
      switch scalar.properties.generalCategory {
      case .unassigned: break
      case .spacingMark, .nonspacingMark: marks += 1
      default: differing.append("U+\(String(value, radix: 16)): \(Columns.of(scalar)), system \(system)")
      }
    }
    #expect(differing == [])
    #expect(marks <= 16)
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
