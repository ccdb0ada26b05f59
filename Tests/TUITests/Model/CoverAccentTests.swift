import SegueClientKit
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

@testable import SegueTUI

/// Tests of the accent that is a colour of the cover.
@Suite struct CoverAccentTests {
  private static let art = Art(path: "/cache/1.ppm", uri: "file:///cache/1.ppm", width: 128, height: 128)
  private static let accent = Look(color: .accent)

  private static func interface(cover: Art? = art) -> Interface {
    var configuration = InterfaceConfiguration()
    configuration.takesAccentFromCover = true
    configuration.theme = .dark
    return Interface(playing: 0, cover: cover, configuration: configuration)
  }

  private static func color(_ interface: Interface) -> CellStyle.Color? {
    interface.model.frame().palette.style(of: accent, depth: .direct).foreground
  }

  @Test func theColourOfTheCoverTakesThePlaceOfTheAccent() {
    var interface = Self.interface()
    #expect(interface.requests == [.readColor(FilePath(Self.art.path))])
    let standard = Self.color(interface)
    let orange = RGBColor(0xFF8800)
    interface.send(.colorRead(FilePath(Self.art.path), orange))
    #expect(Self.color(interface) == .direct(orange) && standard != .direct(orange))
    // The next track has the same cover, whose colour is known.
    interface.change { $0.track = Interface.album[1] }
    #expect(interface.requests.count == 1)
  }

  @Test func anUnreadableColourIsMadeReadable() throws {
    var interface = Self.interface()
    interface.send(.colorRead(FilePath(Self.art.path), RGBColor(0x000040)))
    guard case .direct(let color)? = Self.color(interface) else { throw Missing() }
    let background = try #require(Theme.dark.colors(background: nil))[.background]
    #expect(color.contrast(with: background) >= Palette.contrast)
  }

  private struct Missing: Error {}

  @Test func withoutAColourTheAccentIsThatOfTheTheme() {
    let (path, orange, standard) = (FilePath(Self.art.path), RGBColor(0xFF8800), RGBColor(0x87D787))
    var interface = Self.interface()
    interface.send(.colorRead(path, orange))
    #expect(Self.color(interface) == .direct(orange))
    // The picture is grey.
    interface.send(.colorRead(path, nil))
    #expect(Self.color(interface) == .direct(standard))
    interface.send(.colorRead(path, orange))
    // The next track has no cover.
    interface.answering = { if case .cover = $0 { .failing } else { .atOnce } }
    interface.change { $0.track = Interface.album[1] }
    #expect(Self.color(interface) == .direct(standard))
  }

  @Test func withoutATrackTheAccentIsThatOfTheTheme() {
    var interface = Self.interface()
    interface.send(.colorRead(FilePath(Self.art.path), RGBColor(0xFF8800)))
    interface.change { ($0.track, $0.index, $0.state) = (nil, nil, .stopped) }
    #expect(Self.color(interface) == .direct(RGBColor(0x87D787)))
  }

  @Test func aPictureThatCannotBeReadIsRequestedAgainLater() {
    var interface = Self.interface()
    interface.send(.pictureUnreadable(FilePath(Self.art.path)))
    interface.wait(.seconds(61))
    #expect(interface.requests.count == 2)
  }

  @Test func withoutTheSettingNoColourIsRead() {
    #expect(Interface(playing: 0, cover: Self.art).requests == [])
  }

  private static func picture(_ pixels: [(Int, UInt32)]) throws -> Pixmap? {
    let folder = try TemporaryFolder()
    let count = pixels.reduce(0) { $0 + $1.0 }
    let bytes = pixels.flatMap { count, color in
      Array(repeating: [UInt8(color >> 16), UInt8(color >> 8 & 0xFF), UInt8(color & 0xFF)], count: count).joined()
    }
    return Pixmap(try folder.write("cover.ppm", Array("P6 \(count) 1 255\n".utf8) + bytes))
  }

  @Test func theMostVividHueOfAPictureIsItsColour() throws {
    #expect(try Self.picture([(90, 0x101010), (30, 0x806070), (20, 0xF02010)])?.accent == RGBColor(0xF02010))
    // Two shades at the border of two ranges of hues are one colour.
    let mixed = try #require(try Self.picture([(50, 0xFF0404), (50, 0xFF0400), (60, 0x00FF80)])?.accent)
    #expect(mixed.red == 255 && mixed.blue < 8)
  }

  @Test func aPictureOfGreysHasNoColour() throws {
    #expect(try Self.picture([(50, 0x202020), (50, 0xE0E0E0), (50, 0xA09F9E)])?.accent == nil)
    // A single vivid pixel among many grey ones does not count.
    #expect(try Self.picture([(1_000, 0x808080), (1, 0xFF0000)])?.accent == nil)
  }
}
