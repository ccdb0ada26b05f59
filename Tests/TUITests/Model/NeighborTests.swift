import SegueClientKit
import SegueSystem
import SegueWire
import Testing

@testable import SegueTUI

/// Tests of the lists beside a list on a wide screen.
@Suite struct NeighborTests {
  /// The parts of a row that lines separate.
  private static func parts(_ interface: Interface, _ row: Int) -> [String] {
    interface.lines[row].split(separator: "│", omittingEmptySubsequences: false).map {
      $0.split(separator: " ").joined(separator: " ")
    }
  }

  @Test func theTracksOfTheFocusedAlbumStandBesideTheAlbums() {
    var interface = Interface.library(40, rows: 30, columns: 120)
    #expect(Self.parts(interface, 2)[1].contains("Blue Train, part 1"))
    interface.type("jj")
    #expect(Self.parts(interface, 2)[1].contains("夜明け, part 1"))
    #expect(interface.calls == [])
  }

  @Test func aScreenOf109ColumnsHasOneList() {
    let interface = Interface.library(40, rows: 30, columns: 109)
    #expect(interface.lines.allSatisfy { !$0.contains("│") })
  }

  @Test func theListFromWhichATrackListWasOpenedStaysBesideIt() {
    var interface = Interface.library(40, rows: 30, columns: 120)
    interface.type("jj\r")
    #expect(Self.parts(interface, 2) == ["Blue Train Artist 1 3", "! 1 夜明け, part 1 3:20"])
    let opened = interface.look(row: 4, column: 10)
    #expect(opened.emphasis.contains(.bold) && opened != interface.look(row: 5, column: 10))
    #expect(interface.focusedRow?.contains("夜明け, part 1") == true)
    interface.type("q")
    #expect(interface.focusedRow?.contains("夜明け") == true && interface.lines[0].hasPrefix(" Library"))
  }

  @Test func theListFromWhichATrackListWasOpenedFollowsChanges() {
    var interface = Interface.library(40, rows: 30, columns: 120)
    interface.type("\r")
    interface.library.albums[1].title = "New title"
    interface.announceLibrary()
    #expect(Self.parts(interface, 3)[0].contains("New title"))
    interface.library.albums.removeLast(39)
    interface.announceLibrary()
    #expect(Self.parts(interface, 2)[0].contains("Blue Train") && Self.parts(interface, 3)[0].isEmpty)
    interface.type("q")
    #expect(interface.focusedRow?.contains("Blue Train") == true && interface.lines[0].contains("1 album"))
  }

  @Test func aListThatIsNotDisplayedIsNotRead() {
    var interface = Interface.library(40, rows: 30, columns: 100)
    interface.type("\r")
    let before = interface.pagesRead
    interface.announceLibrary()
    #expect(interface.pagesRead == before + 1, "only the tracks of the album")
  }

  @Test func artistsAlbumsAndTracksStandBesideEachOtherOn150Columns() {
    var interface = Interface.library(4, rows: 30, columns: 160)
    interface.type("3j\r")
    #expect(interface.lines[0].hasPrefix(" Artist 2"))
    let parts = Self.parts(interface, 2)
    #expect(parts.count == 3 && parts[0].hasPrefix("Artist 1"))
    #expect(parts[1].hasPrefix("♥ Колыбельные") && parts[2].contains("Колыбельные, part 1"))
  }

  @Test func aFocusThatMovesFastCausesOneRequestAtATime() {
    var interface = Interface.library(200, rows: 30, columns: 120)
    interface.answering = { call in
      if case .read(.album, _) = call { .later } else { .atOnce }
    }
    interface.type(String(repeating: "j", count: 50))
    #expect(interface.delayed == [.read(.album(2), .page(0))])
    // The contents of the focused album follow those that were requested first.
    interface.answer()
    #expect(interface.delayed == [.read(.album(51), .page(0))])
    interface.answer()
    #expect(interface.delayed.isEmpty && Self.parts(interface, 2)[1].contains("Album 51, part 1"))
  }

  @Test func contentsThatArriveAfterTheFocusIsBackAreNotDisplayed() {
    var interface = Interface.library(40, rows: 30, columns: 120)
    interface.answering = { call in
      if case .read(.album, _) = call { .later } else { .atOnce }
    }
    interface.type("jk")
    interface.answer()
    #expect(interface.delayed.isEmpty && Self.parts(interface, 2)[1].contains("Blue Train, part 1"))
  }

  @Test func aFilterWithoutMatchesLeavesTheListsInTheirPlaces() {
    var interface = Interface.library(40, rows: 30, columns: 120)
    let line = interface.lines[20].firstIndex(of: "│")
    interface.type("/nothing")
    #expect(line != nil && interface.lines[20].firstIndex(of: "│") == line)
    #expect(!interface.screen.contains("Blue Train, part 1"))
  }

  @Test func anEmptyLibraryHasOneList() {
    let interface = Interface.library(0, rows: 30, columns: 120)
    #expect(interface.lines.allSatisfy { !$0.contains("│") })
  }

  @Test func contentsThatCannotBeReadAreReplacedByThoseOfTheNextAlbum() {
    var interface = Interface.library(40, rows: 30, columns: 120)
    interface.answering = { call in
      if case .read(.album(2), _) = call { .failing } else { .atOnce }
    }
    interface.type("j")
    #expect(interface.lines.contains { $0.contains("busy") })
    interface.type("j")
    #expect(Self.parts(interface, 2)[1].contains("夜明け, part 1"))
  }

  @Test func theContentsFollowAChangeOfTheLibrary() {
    var interface = Interface.library(40, rows: 30, columns: 120)
    interface.library.tracks.removeAll { $0.title.hasSuffix("part 1") }
    interface.announceLibrary()
    #expect(Self.parts(interface, 2)[1].contains("Blue Train, part 2"))
  }

  @Test func aNewConnectionReadsTheContentsThatTheLostOneHasNotSent() {
    var interface = Interface.library(40, rows: 30, columns: 120)
    interface.answering = { call in
      if case .read(.album, _) = call { .later } else { .atOnce }
    }
    interface.type("j")
    interface.answering = { _ in .atOnce }
    interface.send(.disconnected(ClientError(.noDaemon, "gone")))
    interface.send(.connected)
    #expect(Self.parts(interface, 2)[1].contains("Колыбельные, part 1"))
  }

  @Test func aClickOnAListBesideTheListLeadsThere() {
    var interface = Interface.library(40, rows: 30, columns: 120)
    interface.mouse(.press, row: 10, column: 90)
    #expect(interface.lines[0].hasPrefix(" Blue Train"))
    interface.mouse(.press, row: 10, column: 5)
    #expect(interface.lines[0].hasPrefix(" Library"))
  }

  @Test func factsAboutAFocusedTrackStandBesideAFolder() {
    var interface = Interface.items("4", rows: 30, columns: 160)
    interface.type("jj\r")
    let text = interface.lines.map { $0.split(separator: "│").last ?? "" }.joined(separator: "\n")
    #expect(text.contains("夜明け, part 1") && text.contains("Artist 1") && text.contains("3:20"))
  }

  /// Returns an interface on a terminal with pictures, with covers for all albums.
  private static func covered() -> Interface {
    let art = Art(path: "/cache/1.ppm", uri: "file:///cache/1.ppm", width: 128, height: 128)
    var interface = Interface(rows: 30, columns: 160, cover: art)
    interface.library = FakeLibrary(albumCount: 40)
    interface.send(.input(.graphics(GraphicsTerminal(graphicsProtocol: .halfBlocks))))
    return interface
  }

  @Test func coversOfAnArtistStandBesideTheArtists() {
    var interface = Self.covered()
    interface.type("33\r")
    #expect(Self.parts(interface, 2)[0].hasPrefix("Artist 1"))
    let pictures = interface.model.frame().pictures
    #expect(pictures.count > 5 && pictures.allSatisfy { $0.position.column > 40 })
  }

  @Test func coversOfAllAlbumsFillTheScreen() {
    var interface = Self.covered()
    interface.type("3")
    #expect(interface.lines.allSatisfy { !$0.contains("│") })
    interface.type("t")
    #expect(Self.parts(interface, 2).count == 2)
    interface.type("t")
    #expect(!interface.model.frame().pictures.isEmpty)
  }
}
