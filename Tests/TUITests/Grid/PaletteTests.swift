import Glibc
import Testing

@testable import SegueTUI

/// Tests of the colours of the themes.
@Suite struct PaletteTests {
  private static let looks: [Look] = [
    .plain, .bold, .dim, Look(color: .alert), Look(color: .accent), Look(color: .mark), Look(color: .highlight),
    Look(emphasis: .reversed), Look(emphasis: [.reversed, .dim], color: .accent),
    Look(emphasis: [.reversed, .bold], color: .mark),
  ]
  private static let painted = Theme.allCases.filter(\.paintsBackground)
  private static let white = CellStyle.Color.indexed(231)
  private static let black = CellStyle.Color.indexed(16)

  private static func luminance(_ color: CellStyle.Color) -> Double {
    switch color {
    case .direct(let color): color.luminance
    case .indexed(let index): IndexedPalette.color(index).luminance
    }
  }

  private static func contrast(_ style: CellStyle, text: CellStyle.Color, background: CellStyle.Color) -> Double {
    let (a, b) = (luminance(style.foreground ?? text), luminance(style.background ?? background))
    return (max(a, b) + 0.05) / (min(a, b) + 0.05)
  }

  @Test(arguments: [(0x000000, 0xFFFFFF, 21.0), (0x777777, 0xFFFFFF, 4.48), (0xFF0000, 0xFFFFFF, 4.0)])
  func theContrastIsThatOfWCAG(text: UInt32, background: UInt32, expected: Double) {
    #expect(abs(RGBColor(text).contrast(with: RGBColor(background)) - expected) < 0.01)
  }

  @Test(arguments: painted, [ColorDepth.indexed, .direct])
  func everyLookIsReadableInEveryThemeWithABackground(theme: Theme, depth: ColorDepth) {
    for look in Self.looks {
      let style = Palette(theme, background: nil).style(of: look, depth: depth)
      #expect(style.foreground != nil && style.background != nil)
      #expect(Self.contrast(style, text: Self.black, background: Self.black) >= 4.5, "\(look)")
    }
  }

  @Test(
    arguments: [(Brightness.light, black, white), (.dark, white, black)]
      as [(Brightness, CellStyle.Color, CellStyle.Color)])
  func everyLookIsReadableOnTheBackgroundOfTheTerminal(
    brightness: Brightness, text: CellStyle.Color, background: CellStyle.Color
  ) {
    for look in Self.looks {
      let told = Palette(.terminal, background: brightness).style(of: look)
      #expect(Self.contrast(told, text: text, background: background) >= 4.5, "\(look)")
      // The terminal does not tell its background.
      let untold = Palette(.terminal, background: nil).style(of: look)
      #expect(Self.contrast(untold, text: text, background: background) >= 3.6, "\(look)")
    }
  }

  /// A row without a focus and the focused one differ, and so do text that matters and text that does not.
  @Test(arguments: painted, [ColorDepth.indexed, .direct])
  func theFocusAndTheAccentStandOut(theme: Theme, depth: ColorDepth) {
    func style(_ look: Look) -> CellStyle { Palette(theme, background: nil).style(of: look, depth: depth) }
    #expect(style(.plain).background != style(Look(emphasis: .reversed)).background)
    let texts = [Look.plain, .dim, Look(color: .accent), Look(color: .highlight), Look(color: .alert)]
    #expect(Set(texts.map { style($0).foreground }).count == texts.count)
  }

  @Test(arguments: painted, [RGBColor(0x102030), RGBColor(0xFFF0A0), RGBColor(0x7A1F2B)])
  func theAccentOfAPictureIsMadeReadable(theme: Theme, accent: RGBColor) {
    let palette = Palette(theme, background: nil, accent: accent)
    let style = palette.style(of: Look(color: .accent), depth: .direct)
    #expect(Self.contrast(style, text: Self.black, background: Self.black) >= 4.5)
  }

  @Test func aChosenColourTakesThePlaceOfThatOfTheTheme() {
    var choice = ColorChoice()
    #expect(choice.set(.accent, to: "#ff8800") && choice.set(.background, to: "terminal"))
    let palette = Palette(.nord, choice, background: nil)
    #expect(
      palette.style(of: Look(color: .accent), depth: .direct)
        == CellStyle(emphasis: [], foreground: .direct(RGBColor(0xFF8800)), background: nil))
    // Plain text is that of the terminal, too.
    #expect(palette.style(of: .plain, depth: .direct) == CellStyle(emphasis: [], foreground: nil, background: nil))
    #expect(!choice.set(.accent, to: "orange") && !choice.set(.accent, to: "terminal") && choice.set(.accent, to: ""))
  }

  @Test func aTerminalWithFewColoursShowsNoYellowOnWhite() {
    let light = Palette(.light, background: nil).style(of: Look(emphasis: .bold, color: .mark), depth: .basic)
    #expect(light == CellStyle(emphasis: .bold, foreground: .indexed(5), background: .indexed(7)))
    let dark = Palette(.terminal, background: .dark).style(of: Look(color: .mark), depth: .basic)
    #expect(dark == CellStyle(emphasis: [], foreground: .indexed(3), background: nil))
  }

  @Test func withoutColoursOnlyEmphasisIsLeft() {
    for look in Self.looks where !look.emphasis.contains(.reversed) {
      #expect(Palette.monochrome.style(of: look) == CellStyle(emphasis: look.emphasis))
      #expect(Palette(.dark, background: nil).style(of: look, depth: .none) == CellStyle(emphasis: look.emphasis))
    }
  }

  /// A row with the focus may be the current track, unavailable or selected. Terminals give bold and dim text another
  /// colour.
  @Test(arguments: [ColorDepth.none, .basic, .indexed, .direct])
  func allCellsOfAFocusedRowHaveTheSameColours(depth: ColorDepth) {
    let palettes = Theme.allCases.flatMap { theme in [nil, .light, .dark].map { Palette(theme, background: $0) } }
    for palette in palettes {
      let styles = Self.looks.map { look -> CellStyle in
        var style = palette.style(of: look.with(.reversed), depth: depth)
        // The colours of bold text do not depend on the terminal, unless they are those of ANSI.
        switch style.background {
        case .indexed(16...), .direct: style.emphasis.remove(.bold)
        case .indexed, nil: break
        }
        return style
      }
      #expect(Set(styles).count == 1, "\(palette): \(styles)")
    }
  }
}

/// Tests of the numbers by which curses knows colours.
@Suite struct CellColorTests {
  private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  @Test func theNumbersOfAFrameAreReplacedByItsColours() {
    var colors = CellColors(count: 256, hasTrueColor: true)
    _ = colors.use(Palette(.nord, background: nil))
    let style = colors.style(of: Look(color: .accent))
    #expect(style.foreground == 16 && style.background == 17)
    let written = Self.bytes("a\u{1B}[1;38;5;16;48:5:17mb\u{1B}[38;5;200mc\u{1B}[2;16H\u{1B}]0;38;5;16m\u{7}\u{1B}[m")
    let expected =
      "a\u{1B}[1;38;2;163;190;140;48;2;46;52;64mb\u{1B}[38;5;200mc\u{1B}[2;16H\u{1B}]0;38;5;16m\u{7}\u{1B}[m"
    #expect(String(decoding: colors.direct(written), as: UTF8.self) == expected)
    // Another palette uses the same numbers for other colours.
    #expect(colors.use(Palette(.dracula, background: nil)) && !colors.use(Palette(.dracula, background: nil)))
  }

  @Test(arguments: [(0, -1), (8, 2), (256, 114), (1 << 24, 0x87D787)] as [(Int, Int32)])
  func theNumbersSuitTheTerminal(count: Int, expected: Int32) {
    var colors = CellColors(count: count, hasTrueColor: false)
    _ = colors.use(Palette(.dark, background: nil))
    #expect(colors.style(of: Look(color: .accent)).foreground == expected)
    let bytes = Self.bytes("\u{1B}[38;5;114mx")
    #expect(colors.direct(bytes) == bytes)
  }
}
