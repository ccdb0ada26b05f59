internal import SegueClientKit
internal import SegueSystem

/// The style of the output: its medium, width and character set.
struct Style {
  /// The recipient for which the output is formatted.
  private enum Medium {
    case program
    case terminal(isColored: Bool)
  }

  private let medium: Medium
  /// The width in columns. It is 80 if the terminal does not report one.
  var columns: Int
  /// Whether addresses are wrapped like other texts. Elsewhere they exceed the width, so that they can be copied;
  /// beside a picture, the terminal would continue them below it.
  var wrapsAddresses = false
  /// Whether the locale uses UTF-8, so that symbols beyond ASCII can be printed.
  let unicode: Bool

  enum Paint: String {
    case bold = "1"
    case dim = "2"
    case red = "31"
    case green = "32"
    case yellow = "33"
  }

  init(_ when: Options.Color) {
    let isTerminal = Terminal.isTerminal(1)
    medium =
      switch when {
      case .always: .terminal(isColored: true)
      case .auto where isTerminal:
        .terminal(isColored: TerminalEnvironment.allowsColors)
      case .never where isTerminal: .terminal(isColored: false)
      case .auto, .never: .program
      }
    columns =
      Terminal.columns(of: 1) ?? Directories.environment("COLUMNS").flatMap { Int($0.description) }.map { max(1, $0) }
      ?? 80
    unicode = TerminalEnvironment.usesUTF8
  }

  /// Whether the output is a terminal or is formatted as for one.
  var isTerminal: Bool {
    switch medium {
    case .program: false
    case .terminal: true
    }
  }

  /// Whether colours and bold text are used.
  var isColored: Bool {
    switch medium {
    case .program: false
    case .terminal(let isColored): isColored
    }
  }

  func paint(_ text: String, _ paint: Paint) -> String {
    isColored && !text.isEmpty ? "\u{1B}[\(paint.rawValue)m\(text)\u{1B}[0m" : text
  }

  /// Returns the line truncated to the width of the output.
  func fitted(_ line: String) -> String { line.truncated(to: columns, ellipsis: ellipsis) }

  /// Returns a text of the client with ASCII characters instead of typographic ones if the locale does not use UTF-8.
  func withASCIIFallback(_ text: String) -> String {
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

  /// The mark at the end of truncated text.
  var ellipsis: String { unicode ? "…" : "..." }
  var dash: String { unicode ? "—" : "-" }
  /// The mark of favorites.
  var heart: String { unicode ? "♥" : "*" }
  /// The mark of a rating.
  var star: String { unicode ? "★" : "" }
}

extension Style {
  /// Returns a bar of which `fraction`, from 0 to 1, is filled.
  func progressBar(_ fraction: Double, columns: Int) -> String {
    let (filled, empty) = unicode ? ("━", "─") : ("=", "-")
    let (open, close) = unicode ? ("", "") : ("[", "]")
    let inside = columns - open.utf8.count - close.utf8.count
    let done = Int(fraction * Double(inside))
    return open + paint(String(repeating: filled, count: done), .green)
      + paint(String(repeating: empty, count: inside - done), .dim) + close
  }
}
