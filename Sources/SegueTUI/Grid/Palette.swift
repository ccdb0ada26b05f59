/// The theme that the user chooses.
enum Theme: String, CaseIterable, Sendable {
  /// The background of the terminal, with colours that suit it.
  case terminal
  case light
  case dark
}

/// The brightness of a background.
enum Brightness: Equatable, Sendable {
  case light
  case dark
}

/// The way in which a terminal displays a cell. The colours are those of the palette of 256 colours, or of 8 colours if
/// the terminal has no more; nil stands for the colour of the terminal.
struct CellStyle: Hashable, Sendable {
  var emphasis: Look.Emphasis
  var foreground: UInt8?
  var background: UInt8?
}

/// The colours in which the looks of cells are displayed. They do not depend on the 16 colours that users redefine, so
/// that text is readable on every background.
enum Palette: Equatable, Sendable {
  /// Only emphasis, without colours.
  case monochrome
  /// Colours for a background of this brightness. If the background is not painted, it is that of the terminal.
  case colored(Brightness, isPainted: Bool)

  /// Creates the palette of a theme. `background` is the brightness that the terminal reports; without a report, the
  /// palette is the light one, whose colours are readable on both.
  init(_ theme: Theme, background: Brightness?) {
    self =
      switch theme {
      case .terminal: .colored(background ?? .light, isPainted: false)
      case .light: .colored(.light, isPainted: true)
      case .dark: .colored(.dark, isPainted: true)
      }
  }

  /// The colours of one brightness.
  private struct Colors {
    let text: UInt8
    let background: UInt8
    let dim: UInt8
    let red: UInt8
    let green: UInt8
    let yellow: UInt8
    let selectedText: UInt8
    let selection: UInt8
  }

  // Each text has a contrast of 4.5 to 1 with the backgrounds (WCAG 2.2, 1.4.3). The colours of the light palette have
  // a contrast of 3.6 to 1 with black, too.
  private static let light = Colors(
    text: 235, background: 231, dim: 243, red: 160, green: 28, yellow: 94, selectedText: 16, selection: 153)
  private static let dark = Colors(
    text: 253, background: 234, dim: 246, red: 210, green: 114, yellow: 221, selectedText: 231, selection: 24)

  /// Returns the style of a look on a terminal with this number of colours.
  func style(of look: Look, colors count: Int = 256) -> CellStyle {
    guard case .colored(let brightness, let isPainted) = self, count >= 8 else {
      return CellStyle(emphasis: Self.attributes(look.emphasis))
    }
    guard count >= 256 else { return Self.basicStyle(of: look, brightness, isPainted: isPainted) }
    let colors = brightness == .light ? Self.light : Self.dark
    // Emphasis that is a colour here is no attribute, because terminals choose other colours for the attributes.
    let emphasis = look.emphasis.subtracting([.dim, .reversed])
    if look.emphasis.contains(.reversed) {
      return CellStyle(emphasis: emphasis, foreground: colors.selectedText, background: colors.selection)
    }
    let text: UInt8? =
      switch look.color {
      case .red: colors.red
      case .green: colors.green
      case .yellow: colors.yellow
      case nil: look.emphasis.contains(.dim) ? colors.dim : isPainted ? colors.text : nil
      }
    return CellStyle(emphasis: emphasis, foreground: text, background: isPainted ? colors.background : nil)
  }

  /// Returns the style of a look in the 8 colours of ANSI, of which yellow is not readable on white. All reversed looks
  /// have the same colours, so that a focused row is a single bar.
  private static func basicStyle(of look: Look, _ brightness: Brightness, isPainted: Bool) -> CellStyle {
    let isLight = brightness == .light
    let emphasis = attributes(look.emphasis)
    let (plain, background): (UInt8?, UInt8?) = isPainted ? (isLight ? (0, 7) : (7, 0)) : (nil, nil)
    guard !emphasis.contains(.reversed) else {
      return CellStyle(emphasis: emphasis, foreground: plain, background: background)
    }
    let text: UInt8? =
      switch look.color {
      case .red: 1
      case .green: 2
      case .yellow: isLight ? 5 : 3
      case nil: plain
      }
    return CellStyle(emphasis: emphasis, foreground: text, background: background)
  }

  /// Returns the attributes of a terminal that displays emphasis in this way. Many terminals change the colour of bold
  /// and dim text, which is the colour of the background in reversed text: parts of a bar would differ.
  private static func attributes(_ emphasis: Look.Emphasis) -> Look.Emphasis {
    emphasis.contains(.reversed) ? emphasis.subtracting([.bold, .dim]) : emphasis
  }
}
