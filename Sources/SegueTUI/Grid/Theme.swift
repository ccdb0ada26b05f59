/// The theme that the user chooses.
enum Theme: String, CaseIterable, Sendable {
  /// The background of the terminal, with colours that suit it.
  case terminal
  case light
  case dark
  /// The palettes of the projects with these names, changed where a text had too little contrast.
  case catppuccin
  case catppuccinLatte = "catppuccin-latte"
  case dracula
  case everforest
  case gruvbox
  case gruvboxLight = "gruvbox-light"
  case nord
  case rosePine = "rose-pine"
  case solarizedDark = "solarized-dark"
  case solarizedLight = "solarized-light"
  case tokyoNight = "tokyo-night"
  /// The colours of the terminal, with emphasis only.
  case monochrome

  /// Returns the colours; nil if there are none. `background` is the brightness that the terminal reports; without a
  /// report, `terminal` has the colours of `light`, which are readable on both.
  func colors(background: Brightness?) -> ThemeColors? {
    switch self {
    case .terminal: background == .dark ? .dark : .light
    case .light: .light
    case .dark: .dark
    case .catppuccin: .catppuccin
    case .catppuccinLatte: .catppuccinLatte
    case .dracula: .dracula
    case .everforest: .everforest
    case .gruvbox: .gruvbox
    case .gruvboxLight: .gruvboxLight
    case .nord: .nord
    case .rosePine: .rosePine
    case .solarizedDark: .solarizedDark
    case .solarizedLight: .solarizedLight
    case .tokyoNight: .tokyoNight
    case .monochrome: nil
    }
  }

  /// Whether the theme has a background of its own.
  var paintsBackground: Bool {
    switch self {
    case .terminal, .monochrome: false
    default: true
    }
  }
}

/// The brightness of a background.
enum Brightness: Equatable, Sendable {
  case light
  case dark
}

/// The purpose of a colour of a theme. The names are those of the keys in `[Colors]`.
enum ColorRole: String, CaseIterable, Sendable {
  case text = "Text"
  case background = "Background"
  /// Less important text.
  case dim = "Dim"
  /// The current track, the progress and the line that is sung.
  case accent = "Accent"
  /// Text that stands out beside the accent, such as the selected tab and headings.
  case highlight = "Highlight"
  /// Selected rows, ratings and warnings.
  case mark = "Mark"
  /// Favorites and errors.
  case alert = "Alert"
  /// Lines that separate areas, and the rest of bars.
  case line = "Line"
  /// The background of the focused row.
  case selection = "Selection"
  case selectedText = "SelectedText"
}

/// The colours of a theme.
struct ThemeColors: Equatable, Sendable {
  private var colors: [ColorRole: RGBColor]

  /// Creates colours in the order of `ColorRole`.
  private init(_ numbers: UInt32...) {
    colors = Dictionary(uniqueKeysWithValues: zip(ColorRole.allCases, numbers.map(RGBColor.init)))
  }

  subscript(role: ColorRole) -> RGBColor {
    get { colors[role, default: RGBColor(0)] }
    set { colors[role] = newValue }
  }

  var brightness: Brightness { self[.background].luminance > 0.2 ? .light : .dark }

  // Every text has a contrast of at least 4.5 to 1 with the background (WCAG 2.2, 1.4.3). The colours of the light
  // theme have a contrast of 3.6 to 1 with black, too.
  static let light = ThemeColors(
    0x262626, 0xFFFFFF, 0x767676, 0x008700, 0x005FFF, 0x875F00, 0xD70000, 0x8A8A8A, 0xAFD7FF, 0x000000)
  static let dark = ThemeColors(
    0xDADADA, 0x1C1C1C, 0x949494, 0x87D787, 0x87AFFF, 0xFFD75F, 0xFF8787, 0x585858, 0x005F87, 0xFFFFFF)
  static let catppuccin = ThemeColors(
    0xCDD6F4, 0x1E1E2E, 0x9399B2, 0xA6E3A1, 0x89B4FA, 0xF9E2AF, 0xF38BA8, 0x494B5F, 0x45475A, 0xCDD6F4)
  static let catppuccinLatte = ThemeColors(
    0x4C4F69, 0xEFF1F5, 0x686B7E, 0x317B21, 0x145FF5, 0x976014, 0xD20F39, 0xABB0BF, 0xB8BDCB, 0x42445B)
  static let dracula = ThemeColors(
    0xF8F8F2, 0x282A36, 0x8692B9, 0x50FA7B, 0xBD93F9, 0xF1FA8C, 0xFF5959, 0x50546A, 0x484B5F, 0xF8F8F2)
  static let everforest = ThemeColors(
    0xD3C6AA, 0x2D353B, 0x95A099, 0xA7C080, 0x7FBBB3, 0xDBBC7F, 0xE68082, 0x565F66, 0x4B565D, 0xDCD2BB)
  static let gruvbox = ThemeColors(
    0xEBDBB2, 0x282828, 0x9C8E81, 0xB8BB26, 0x83A598, 0xFABD2F, 0xFB5946, 0x59514D, 0x504945, 0xFBF1C7)
  static let gruvboxLight = ThemeColors(
    0x3C3836, 0xFBF1C7, 0x766A5F, 0x746F0D, 0x076678, 0x946010, 0x9D0006, 0xC5AE7E, 0xCFBB93, 0x282828)
  static let nord = ThemeColors(
    0xD8DEE9, 0x2E3440, 0x949FB3, 0xA3BE8C, 0x88C0D0, 0xEBCB8B, 0xD08B92, 0x535E74, 0x4B5569, 0xECEFF4)
  static let rosePine = ThemeColors(
    0xE0DEF4, 0x191724, 0x908CAA, 0x9CCFD8, 0xC4A7E7, 0xF6C177, 0xEB6F92, 0x48455D, 0x403D52, 0xE0DEF4)
  static let solarizedDark = ThemeColors(
    0xA9B4B4, 0x002B36, 0x7D929A, 0x859900, 0x3295DA, 0xB58900, 0xE56765, 0x586E75, 0x10505F, 0xFDF6E3)
  static let solarizedLight = ThemeColors(
    0x53676E, 0xFDF6E3, 0x627274, 0x677600, 0x2074AF, 0x8C6A00, 0xD72724, 0x93A1A1, 0xCCC1A2, 0x073642)
  static let tokyoNight = ThemeColors(
    0xC0CAF5, 0x1A1B26, 0x7D83A9, 0x9ECE6A, 0x7AA2F7, 0xE0AF68, 0xF7768E, 0x40486A, 0x33467C, 0xC0CAF5)
}

/// The colours that the user has chosen in `[Colors]` in place of those of the theme.
struct ColorChoice: Equatable, Sendable {
  private(set) var colors: [ColorRole: RGBColor] = [:]
  /// Whether the background is that of the terminal, whatever the theme is.
  private(set) var keepsBackground = false

  /// The value of `Background=` that leaves the background to the terminal.
  static let terminalBackground = "terminal"

  /// Sets a colour to what a text names: `#rrggbb`, or for the background also `terminal`. An empty text stands for the
  /// colour of the theme. Returns false if the text names nothing.
  mutating func set(_ role: ColorRole, to text: String) -> Bool {
    if role == .background { keepsBackground = text.lowercased() == Self.terminalBackground }
    colors[role] = RGBColor(hexadecimal: text)
    return colors[role] != nil || text.isEmpty || role == .background && keepsBackground
  }
}
