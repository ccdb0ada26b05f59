/// The colours that a terminal can display.
enum ColorDepth: Equatable, Sendable {
  case none
  /// The eight colours of ANSI.
  case basic
  /// xterm's palette of 256 colours.
  case indexed
  /// Every colour of 24 bits.
  case direct
}

/// The way in which a terminal displays a cell. A colour that is nil is that of the terminal.
struct CellStyle: Hashable, Sendable {
  enum Color: Hashable, Sendable {
    /// A colour of the palette of 8 or 256 colours.
    case indexed(UInt8)
    case direct(RGBColor)
  }

  var emphasis: Look.Emphasis
  var foreground: Color?
  var background: Color?
}

/// The colours in which the looks of cells are displayed. They do not depend on the 16 colours that users redefine, so
/// that text is readable on every background.
struct Palette: Equatable, Sendable {
  /// The colours; nil for emphasis alone.
  private let colors: ThemeColors?
  /// Whether the background is painted. If it is not, it is that of the terminal, and so is plain text.
  private let isPainted: Bool

  /// Only emphasis, without colours.
  static let monochrome = Palette(.monochrome, background: nil)

  /// Creates the palette of a theme with the colours that replace some of it. `background` is the brightness that the
  /// terminal reports. `accent` takes the place of the accent of the theme, as far as it is readable.
  init(_ theme: Theme, _ choice: ColorChoice = ColorChoice(), background: Brightness?, accent: RGBColor? = nil) {
    guard var colors = theme.colors(background: background) else {
      (self.colors, isPainted) = (nil, false)
      return
    }
    for (role, color) in choice.colors { colors[role] = color }
    if let accent { colors[.accent] = accent.readable(on: colors[.background], contrast: Self.contrast) }
    self.colors = colors
    isPainted = !choice.keepsBackground && (theme.paintsBackground || choice.colors[.background] != nil)
  }

  /// The contrast of a readable text with its background (WCAG 2.2, 1.4.3).
  static let contrast = 4.5

  /// Returns the style of a look on a terminal.
  func style(of look: Look, depth: ColorDepth = .indexed) -> CellStyle {
    guard let colors, depth != .none else { return CellStyle(emphasis: Self.attributes(look.emphasis)) }
    guard depth != .basic else { return Self.basicStyle(of: look, colors.brightness, isPainted: isPainted) }
    // Emphasis that is a colour here is no attribute, because terminals choose other colours for the attributes.
    let emphasis = look.emphasis.subtracting([.dim, .reversed])
    func color(_ role: ColorRole, on background: ColorRole) -> CellStyle.Color {
      Self.color(colors[role], on: colors[background], depth)
    }
    if look.emphasis.contains(.reversed) {
      return CellStyle(
        emphasis: emphasis, foreground: color(.selectedText, on: .selection),
        background: Self.color(colors[.selection], depth))
    }
    let role = look.color?.role ?? (look.emphasis.contains(.dim) ? .dim : isPainted ? .text : nil)
    return CellStyle(
      emphasis: emphasis, foreground: role.map { color($0, on: .background) },
      background: isPainted ? Self.color(colors[.background], depth) : nil)
  }

  private static func color(_ color: RGBColor, _ depth: ColorDepth) -> CellStyle.Color {
    depth == .direct ? .direct(color) : .indexed(IndexedPalette.nearest(to: color))
  }

  /// Returns the colour of a text on a background. The nearest one of few colours may be less readable than the colour
  /// itself: then it is one that is not.
  private static func color(_ color: RGBColor, on background: RGBColor, _ depth: ColorDepth) -> CellStyle.Color {
    guard depth != .direct else { return .direct(color) }
    let displayed = IndexedPalette.color(IndexedPalette.nearest(to: background))
    let contrast = min(contrast, color.contrast(with: background))
    return .indexed(IndexedPalette.nearest(to: color, on: displayed, contrast: contrast))
  }

  /// Returns the style of a look in the 8 colours of ANSI, of which yellow is not readable on white. All reversed looks
  /// have the same colours, so that a focused row is a single bar.
  private static func basicStyle(of look: Look, _ brightness: Brightness, isPainted: Bool) -> CellStyle {
    let isLight = brightness == .light
    let emphasis = attributes(look.emphasis)
    let (plain, background): (UInt8?, UInt8?) = isPainted ? (isLight ? (0, 7) : (7, 0)) : (nil, nil)
    let text: UInt8? =
      if emphasis.contains(.reversed) {
        plain
      } else {
        switch look.color {
        case .alert: 1
        case .accent: 2
        case .mark: isLight ? 5 : 3
        case .highlight: isLight ? 4 : 6
        case .line, nil: plain
        }
      }
    return CellStyle(
      emphasis: emphasis, foreground: text.map(CellStyle.Color.indexed),
      background: background.map(CellStyle.Color.indexed))
  }

  /// Returns the attributes of a terminal that displays emphasis in this way. Many terminals change the colour of bold
  /// and dim text, which is the colour of the background in reversed text: parts of a bar would differ.
  private static func attributes(_ emphasis: Look.Emphasis) -> Look.Emphasis {
    emphasis.contains(.reversed) ? emphasis.subtracting([.bold, .dim]) : emphasis
  }
}

extension Look.Color {
  fileprivate var role: ColorRole {
    switch self {
    case .accent: .accent
    case .highlight: .highlight
    case .mark: .mark
    case .alert: .alert
    case .line: .line
    }
  }
}

extension RGBColor {
  /// Returns the colour, made lighter or darker as far as its contrast with a background needs it.
  func readable(on background: RGBColor, contrast: Double) -> RGBColor {
    let goal: Double = background.luminance > 0.2 ? 0 : 255
    func mixed(_ channel: UInt8, _ part: Double) -> UInt8 {
      UInt8((Double(channel) + (goal - Double(channel)) * part).rounded())
    }
    let steps = 32
    for step in 0..<steps {
      let part = Double(step) / Double(steps)
      let color = RGBColor(red: mixed(red, part), green: mixed(green, part), blue: mixed(blue, part))
      if color.contrast(with: background) >= contrast { return color }
    }
    return RGBColor(goal == 0 ? 0 : 0xFFFFFF)
  }
}
