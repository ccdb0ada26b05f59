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

  @Test func theAlbumsAreAGridOfCovers() throws {
    let interface = Self.interface("3")
    let pictures = Self.pictures(interface)
    #expect(pictures.map(\.position.row) == Array(repeating: 2, count: 4) + Array(repeating: 12, count: 4))
    #expect(Set(pictures.prefix(4).map(\.position.column)).count == 4)
    #expect(pictures.allSatisfy { $0.box.rows == 7 && $0.box.columns == 14 && $0.path == FilePath(Self.art.path) })
    // The title and the artist stand below the cover.
    let first = try #require(interface.lines.firstIndex { $0.contains("Blue Train") })
    #expect(first == 9 && interface.lines[first + 1].contains("Artist"))
    // The lines below the last covers end above the progress bar.
    #expect(interface.lines[20].contains("Artist"))
  }

  @Test func aBarMarksTheFocusedCover() {
    var interface = Self.interface("3")
    func bar() -> [[Int]] {
      let grid = interface.model.frame().grid
      return (0..<24).flatMap { row in (0..<80).filter { grid[row, $0].glyph == "▌" }.map { [row, $0] } }
    }
    #expect(bar() == (2...10).map { [$0, 3] })
    interface.press(.right)
    #expect(bar() == (2...10).map { [$0, 21] })
  }

  @Test func titlesMayBeWiderThanCovers() {
    var interface = Self.interface("")
    interface.library.albums[0].title = "Sixteen letters."
    interface.type("3")
    #expect(interface.screen.contains("Sixteen letters."))
  }

  // MARK: Beside a list

  @Test func theCoverOfAnAlbumStandsBesideItsTracks() throws {
    var interface = Self.interface("3\r")
    let cover = try #require(Self.pictures(interface).first)
    #expect(Self.pictures(interface).count == 1 && cover.position.column > 50)
    let facts = interface.lines.map { $0.split(separator: "│").last ?? "" }
    for text in ["Blue Train", "Artist 1", "1960", "3 tracks · 10:00"] {
      #expect(facts.contains { $0.contains(text) && !$0.contains("part") }, "\(text)")
    }
    interface.send(.resized(ScreenSize(rows: 24, columns: 79)))
    #expect(Self.pictures(interface).isEmpty)
  }

  @Test func theTracksOfAnAlbumWithoutACoverHaveTheWholeScreen() {
    var interface = Self.interface("")
    interface.answering = { if case .cover = $0 { .failing } else { .atOnce } }
    interface.type("3\r")
    #expect(interface.lines[0].hasPrefix(" Blue Train") && !interface.screen.contains("│"))
    interface.announceLibrary()
    #expect(!interface.screen.contains("│"))
  }

  @Test(arguments: ["8\r", "0", "333", "7t"]) func theCoverOfTheFocusedTrackStandsBesideATable(keys: String) {
    var interface = Interface.items("", rows: 30, columns: 120, cover: Self.art)
    interface.send(.input(.graphics(GraphicsTerminal(graphicsProtocol: .halfBlocks))))
    interface.type(keys)
    #expect(Self.pictures(interface).count == 1, "\(interface.screen)")
    interface.send(.resized(ScreenSize(rows: 30, columns: 109)))
    #expect(!interface.screen.contains("│"))
  }

  @Test func theAlbumsOfAnArtistHaveTheirYears() {
    var interface = Self.interface("33\r")
    #expect(!Self.pictures(interface).isEmpty && interface.screen.contains("1960"))
    #expect(!interface.lines.dropFirst().contains { $0.contains("Artist 1") })
    interface.type("t")
    #expect(interface.lines[1].contains("Year"))
  }

  @Test func aKeyChangesBetweenCoversAndATable() {
    var interface = Self.interface("3t")
    #expect(Self.pictures(interface).isEmpty && interface.lines[1].contains("Title"))
    interface.type("t")
    #expect(Self.pictures(interface).count == 8)
    interface.send(.input(.graphics(nil)))
    #expect(Self.pictures(interface).isEmpty && interface.lines[1].contains("Title"))
    interface.type("t")
    #expect(interface.lines[1].contains("Title"))
  }

  /// The arrows go to the neighbours in all directions, also in the last line, which is shorter.
  @Test func theArrowsMoveThroughTheGrid() {
    var interface = Self.interface("3", albums: 23)
    func place() -> [Int] { [interface.cursor?.row ?? -1, interface.cursor?.column ?? -1] }
    let (start, columns) = (place(), Self.pictures(interface).prefix(4).map(\.position.column))
    interface.press(.right)
    #expect(place() == [9, columns[1]])
    interface.press(.down)
    #expect(place() == [19, columns[1]])
    interface.press(.left)
    interface.press(.left)
    #expect(place() == [9, columns[3]], "the end of the line above")
    // There are six lines, the last one of which has three albums.
    for _ in 0..<5 { interface.press(.down) }
    #expect(place() == [19, columns[2]] && interface.screen.contains("Album 22"))
    interface.press(.down)
    #expect(place() == [19, columns[2]])
    interface.type("g")
    #expect(place() == start)
    interface.press(.up)
    #expect(place() == start)
    interface.mouse(.wheelDown, row: 5, column: 5)
    #expect(place() == [9, columns[0]] && interface.screen.contains("Album 8"))
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
    #expect(Self.pictures(interface).count == 12)
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
    for (kind, size, format) in [(.halfBlocks, .small, .ppm), (.sixel, .medium, .ppm), (.kitty, .medium, .png)]
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
    #expect(Self.pictures(interface).count == before / 2, "the lower line of the grid is hidden")
    #expect(Self.pictures(interface).allSatisfy { $0.area.row + $0.area.rows <= 19 })
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
