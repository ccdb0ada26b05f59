import SegueClientKit
import SegueSystem
import SegueWire
import Testing

@testable import SegueTUI

/// Tests of the covers in lists on terminals that display pictures.
@Suite struct CoverTests {
  private static let art = Art(path: "/cache/1.ppm", uri: "file:///cache/1.ppm", width: 128, height: 128)

  /// Returns an interface with a library and with covers for all items.
  private static func interface(
    _ keys: String, rows: Int = 24, _ kind: GraphicsTerminal.GraphicsProtocol = .halfBlocks, albums: Int = 30
  ) -> Interface {
    var interface = Interface(rows: rows, playing: 0, cover: art)
    interface.library = FakeLibrary(albumCount: albums)
    interface.send(.input(.graphics(GraphicsTerminal(graphicsProtocol: kind))))
    interface.type(keys)
    return interface
  }

  private static func pictures(_ interface: Interface) -> [PicturePlacement] { interface.model.frame().pictures }

  @Test func theAlbumsStandBesideTheirCovers() throws {
    var interface = Self.interface("3")
    let pictures = Self.pictures(interface)
    #expect(pictures.map(\.position.row) == [2, 7, 12, 17])
    #expect(pictures.allSatisfy { $0.box.rows == 4 && $0.box.columns == 8 && $0.path == FilePath(Self.art.path) })
    let first = try #require(interface.lines.firstIndex { $0.contains("Blue Train") })
    #expect(interface.lines[first + 2].contains("tracks"))
    interface.type("j")
    #expect(interface.cursor?.row == 7)
    interface.type("G")
    #expect(interface.cursor?.row == 17 && interface.focusedRow != nil)
    interface.mouse(.press, row: 3, column: 30)
    interface.press(.enter)
    #expect(Self.pictures(interface).isEmpty, "the page of an album is a table")
  }

  @Test func aKeyChangesBetweenCoversAndATable() {
    var interface = Self.interface("3t")
    #expect(Self.pictures(interface).isEmpty && interface.lines[1].contains("Title"))
    interface.type("t")
    #expect(Self.pictures(interface).count == 4)
    interface.send(.input(.graphics(nil)))
    #expect(Self.pictures(interface).isEmpty && interface.lines[1].contains("Title"))
    interface.type("t")
    #expect(interface.lines[1].contains("Title"))
  }

  @Test func favoritesAreAGalleryThatScrollsHorizontally() {
    var interface = Self.interface("")
    interface.library.favoriteAlbums = 1...4
    interface.type("7")
    interface.press(.tab)
    let pictures = Self.pictures(interface)
    #expect(pictures.map(\.position.column) == [1, 27, 53] && pictures.allSatisfy { $0.position.row == 2 })
    #expect(interface.cursor?.column == 1 && interface.screen.contains("夜明け"))
    interface.press(.right)
    #expect(interface.cursor?.column == 27)
    interface.press(.right)
    interface.press(.right)
    #expect(interface.cursor?.column == 53 && interface.screen.contains("Album 5"))
    for _ in 0..<3 { interface.press(.left) }
    #expect(interface.cursor?.column == 1 && !interface.screen.contains("Album 5"))
  }

  @Test func onlySixCoversAreRequestedAtOnce() {
    var interface = Self.interface("", rows: 60)
    interface.answering = { if case .cover = $0 { .later } else { .atOnce } }
    interface.type("3")
    func requested() -> Int { interface.delayed.count { if case .cover = $0 { true } else { false } } }
    #expect(requested() == 6 && Self.pictures(interface).isEmpty)
    interface.answer()
    #expect(requested() == 6 && Self.pictures(interface).count == 1)
    interface.answerAll()
    #expect(Self.pictures(interface).count == 11)
  }

  @Test func aMissingCoverIsRequestedAgainAfterAMinute() {
    var interface = Self.interface("", albums: 1)
    var requests = 0
    interface.answering = { if case .cover = $0 { .failing } else { .atOnce } }
    interface.type("3")
    #expect(Self.pictures(interface).isEmpty)
    interface.answering = { call in if case .cover = call { .later } else { .atOnce } }
    interface.wait(.seconds(59))
    requests = interface.delayed.count
    #expect(requests == 0)
    interface.wait(.seconds(2))
    interface.answerAll()
    #expect(Self.pictures(interface).count == 1)
  }

  @Test func halfBlocksAreRequestedAsSmallPixels() {
    for (kind, size, format) in [(.halfBlocks, .small, .ppm), (.kitty, .medium, .png)]
      as [(GraphicsTerminal.GraphicsProtocol, Art.Size, Art.Format)]
    {
      var interface = Self.interface("", kind)
      interface.answering = { if case .cover = $0 { .later } else { .atOnce } }
      interface.perform(.showPlayer)
      #expect(
        interface.delayed == [.cover(WantedCover(uri: Interface.album[0].uri, size: size, format: format))])
    }
  }

  @Test func tilesOfCataloguesHaveCovers() {
    var interface = Self.interface("")
    interface.perform(.showPopular)
    interface.press(.tab)
    interface.press(.tab)
    interface.type("t")
    let pictures = Self.pictures(interface)
    #expect(!pictures.isEmpty && pictures.allSatisfy { $0.box.rows == 4 })
    #expect(interface.lines[pictures[0].position.row].dropFirst(10).hasPrefix(" film"))
  }

  /// A message may take three lines, which pictures must not hide.
  @Test func aLongMessageHidesThePicturesBelowIt() {
    var interface = Self.interface("3")
    let before = Self.pictures(interface).count
    interface.send(.linkNotOpened("https://example.com/" + String(repeating: "x", count: 160)))
    #expect(Self.pictures(interface).count == before - 1)
    interface.type("j")
    #expect(Self.pictures(interface).count == before)
  }

  /// Other pictures may have taken its place in the cache.
  @Test func aCoverThatCannotBeReadIsRequestedAgainAfterAMinute() {
    var interface = Self.interface("3", albums: 1)
    #expect(Self.pictures(interface).count == 1)
    interface.send(.pictureUnreadable(FilePath(Self.art.path)))
    #expect(Self.pictures(interface).isEmpty)
    interface.wait(.seconds(61))
    #expect(Self.pictures(interface).count == 1)
  }
}
