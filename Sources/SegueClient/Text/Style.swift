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
    let refused = Self.variable("NO_COLOR") != nil || Self.variable("TERM") == "dumb"
    color = when == .always || when == .auto && terminal && !refused
    // The environment rather than setlocale: a locale that is named but not installed still says what the terminal is.
    let locale = Self.variable("LC_ALL") ?? Self.variable("LC_CTYPE") ?? Self.variable("LANG") ?? ""
    let codeset = locale.split(separator: ".").last?.lowercased() ?? ""
    unicode = codeset.hasPrefix("utf-8") || codeset.hasPrefix("utf8")
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

  /// An environment variable that is set and not empty.
  private static func variable(_ name: String) -> String? { Directories.environment(name)?.description }
}
