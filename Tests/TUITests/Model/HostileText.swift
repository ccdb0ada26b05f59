/// Texts as hostile tags have them.
enum HostileText {
  /// Texts each of which terminals, multiplexers and C libraries treat in different ways.
  static let samples = [
    "", " ", "\u{0}", "\u{1B}[31mred\u{1B}]0;title\u{7}", "\u{9B}2Jclear\u{90}q\u{9C}", "a\r\n\tb\u{8}\u{7F}",
    "\u{202E}live\u{202C}",
    "\u{2066}isolate\u{2069}", "left\u{200E}right\u{200F}\u{61C}", "\u{2028}line\u{2029}paragraph\u{85}next",
    "zero\u{200B}width\u{2060}\u{FEFF}soft\u{AD}hyphen", "e\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}\u{307}",
    "\u{301}first mark",
    "\u{200D}first joiner", "\u{FE0F}first selector", "👨‍👩‍👧‍👦 family", "🏳️‍🌈🏴‍☠️ flags", "🇩🇪🇫🇷🇬 regions", "👍🏽 tone", "1️⃣ #️⃣ keys",
    "❤️ heart ❤ text",
    "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F} tags", "ශ්‍රී ලංකා", "র‍্যাব ক্ষ", "क्ष्‍म त्र", "שלום עולם",
    "مرحبا بالعالم", "\u{600}١٢٣ ﷽",
    "夜明け前の長い題名がここにある", "ｆｕｌｌ　ｗｉｄｔｈ", "한국어 \u{1112}\u{1161}\u{11AB}", "\u{1160}\u{11A8} lone vowels", "①㉈☰𝌆 wide?",
    "\u{FFFD}\u{FFFD}\u{FFFD} bytes",
    "\u{FFFE}\u{FFFF}\u{10FFFF} no characters", "\u{E000}\u{F8FF} private", "\u{E0100}\u{180B} selectors",
    "|[]{}<>&\"'\\%s %n $(reboot) `x`",
  ]

  /// Texts that are longer than any row.
  static let longSamples = [
    String(repeating: "long ", count: 120), String(repeating: "夜", count: 250),
    String(repeating: "\u{300}", count: 300),
    "a" + String(repeating: "\u{20DD}", count: 40), String(repeating: "👩‍🚀", count: 40),
    String(repeating: "\u{1112}", count: 100),
  ]

  /// Ranges of code points of which texts are made.
  private static let ranges: [ClosedRange<UInt32>] = [
    0...0x1F, 0x20...0x7E, 0x20...0x7E, 0x7F...0x9F, 0xA0...0x24F, 0x300...0x36F, 0x400...0x45F, 0x5D0...0x5EA,
    0x600...0x64A, 0x900...0x94D,
    0xD81...0xDDF, 0x1100...0x11FF, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0x20D0...0x20F0, 0x2500...0x25FF,
    0x2600...0x27BF,
    0x3000...0x30FF, 0x4E00...0x4EFF, 0xAC00...0xACFF, 0xFE00...0xFE0F, 0xFF01...0xFF5E, 0xFFF0...0xFFFF,
    0x1F1E6...0x1F1FF,
    0x1F300...0x1F6FF, 0x1F900...0x1F9FF, 0xE0001...0xE007F, 0x1D300...0x1D37F,
  ]

  /// Returns one of the samples, or a text of random characters.
  static func random(using generator: inout LinearGenerator) -> String {
    switch Int.random(in: 0..<40, using: &generator) {
    case 0: return longSamples.randomElement(using: &generator)!
    case 1..<20: return samples.randomElement(using: &generator)!
    default: break
    }
    var text = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0...24, using: &generator) {
      let value = UInt32.random(in: ranges.randomElement(using: &generator)!, using: &generator)
      if let scalar = Unicode.Scalar(value) { text.append(scalar) }
      if value % 5 == 0 { text.append("\u{200D}") }
    }
    return String(text)
  }
}
