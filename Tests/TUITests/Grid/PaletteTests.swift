import Glibc
import Testing

@testable import SegueTUI

/// Tests of the colours of the themes.
@Suite struct PaletteTests {
  private static let looks: [Look] = [
    .plain, .bold, .dim, Look(color: .red), Look(color: .green), Look(color: .yellow),
    Look(emphasis: .reversed), Look(emphasis: [.reversed, .dim], color: .green),
    Look(emphasis: [.reversed, .bold], color: .yellow),
  ]

  /// Returns the relative luminance of a colour of the palette of 256 colours (WCAG 2.2).
  private static func luminance(_ color: UInt8) -> Double {
    let levels: [Double] = [0, 95, 135, 175, 215, 255]
    let channels: [Double] =
      if color >= 232 {
        Array(repeating: Double(8 + 10 * (Int(color) - 232)), count: 3)
      } else {
        [levels[(Int(color) - 16) / 36], levels[(Int(color) - 16) / 6 % 6], levels[(Int(color) - 16) % 6]]
      }
    let linear = channels.map { $0 / 255 }.map { $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4) }
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
  }

  private static func contrast(_ style: CellStyle, text: UInt8, background: UInt8) -> Double {
    let (a, b) = (luminance(style.foreground ?? text), luminance(style.background ?? background))
    return (max(a, b) + 0.05) / (min(a, b) + 0.05)
  }

  @Test(arguments: [Theme.light, .dark]) func everyLookIsReadableInAPaintedTheme(theme: Theme) {
    for look in Self.looks {
      let style = Palette(theme, background: nil).style(of: look)
      #expect(style.foreground != nil && style.background != nil)
      #expect(Self.contrast(style, text: 0, background: 0) >= 4.5, "\(look)")
    }
  }

  @Test(arguments: [(Brightness.light, 16, 231), (.dark, 231, 16)] as [(Brightness, UInt8, UInt8)])
  func everyLookIsReadableOnTheBackgroundOfTheTerminal(brightness: Brightness, text: UInt8, background: UInt8) {
    for look in Self.looks {
      let told = Palette(.terminal, background: brightness).style(of: look)
      #expect(Self.contrast(told, text: text, background: background) >= 4.5, "\(look)")
      // The terminal does not tell its background.
      let untold = Palette(.terminal, background: nil).style(of: look)
      #expect(Self.contrast(untold, text: text, background: background) >= 3.6, "\(look)")
    }
  }

  @Test func aTerminalWithFewColoursShowsNoYellowOnWhite() {
    let light = Palette(.light, background: nil).style(of: Look(emphasis: .bold, color: .yellow), colors: 8)
    #expect(light == CellStyle(emphasis: .bold, foreground: 5, background: 7))
    let dark = Palette(.terminal, background: .dark).style(of: Look(color: .yellow), colors: 16)
    #expect(dark == CellStyle(emphasis: [], foreground: 3, background: nil))
  }

  @Test func withoutColoursOnlyEmphasisIsLeft() {
    for look in Self.looks where !look.emphasis.contains(.reversed) {
      #expect(Palette.monochrome.style(of: look) == CellStyle(emphasis: look.emphasis))
      #expect(Palette(.dark, background: nil).style(of: look, colors: 0) == CellStyle(emphasis: look.emphasis))
    }
  }

  /// A row with the focus may be the current track, unavailable or selected. Terminals give bold and dim text another
  /// colour.
  @Test(arguments: [0, 8, 16, 256]) func allCellsOfAFocusedRowHaveTheSameColours(colors: Int) {
    let palettes: [Palette] =
      [.monochrome]
      + Theme.allCases.flatMap { theme in
        [nil, .light, .dark].map { Palette(theme, background: $0) }
      }
    for palette in palettes {
      let styles = Self.looks.map { look -> CellStyle in
        var style = palette.style(of: look.with(.reversed), colors: colors)
        // With 256 colours, those of bold text do not depend on the terminal.
        if style.background.map({ $0 >= 16 }) == true { style.emphasis.remove(.bold) }
        return style
      }
      #expect(Set(styles).count == 1, "\(palette): \(styles)")
    }
  }
}
