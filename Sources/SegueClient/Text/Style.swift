internal import Glibc
internal import SegueSystem

/// How output looks where it goes: for a person on a terminal of some width, or for a program.
struct Style {
  /// A terminal, or told to write as if to one.
  let isTerminal: Bool
  /// Its width; 80 if it does not say.
  var columns: Int
  let color: Bool
  /// Symbols and bars beyond ASCII are understood: the locale says UTF-8.
  let unicode: Bool

  enum Paint: String {
    case bold = "1"
    case dim = "2"
    case red = "31"
    case green = "32"
    case yellow = "33"
  }

  init(_ when: Options.Color) {
    let terminal = Terminal.isTerminal(1)
    isTerminal = terminal || when == .always
    columns = Terminal.columns(of: 1) ?? Self.variable("COLUMNS").flatMap { Int($0) }.map { max(1, $0) } ?? 80
    color =
      when == .always
      || when == .auto && terminal && Self.variable("NO_COLOR") == nil && Self.variable("TERM") != "dumb"
    // The environment rather than setlocale: a locale that is named but not installed still says what the terminal is.
    let locale = Self.variable("LC_ALL") ?? Self.variable("LC_CTYPE") ?? Self.variable("LANG") ?? ""
    unicode = Self.isUTF8(locale)
  }

  func paint(_ text: String, _ paint: Paint) -> String {
    color && !text.isEmpty ? "\u{1B}[\(paint.rawValue)m\(text)\u{1B}[0m" : text
  }

  /// Words of our own, without what only Unicode has where that is not understood.
  func words(_ text: String) -> String {
    if unicode { return text }
    return text.reduce(into: "") { result, glyph in
      switch glyph {
      case "“", "”": result += "\""
      case "…": result += "..."
      case "—", "·": result += "-"
      default: result.append(glyph)
      }
    }
  }

  /// What stands for something that was cut off.
  var ellipsis: String { unicode ? "…" : "..." }
  var dash: String { unicode ? "—" : "-" }

  /// `de_DE.UTF-8`, `C.utf8`: the codeset stands behind the dot, in whatever case.
  private static func isUTF8(_ locale: String) -> Bool {
    let bytes = locale.utf8
    let start = bytes.lastIndex(of: UInt8(ascii: ".")).map(bytes.index(after:)) ?? bytes.startIndex
    let codeset = bytes[start...].lazy.map { $0 | 0x20 }
    return codeset.starts(with: "utf-8".utf8) || codeset.starts(with: "utf8".utf8)
  }

  /// An environment variable that is set and not empty.
  private static func variable(_ name: String) -> String? { Directories.environment(name)?.description }
}
