import SegueClientKit
import SegueSystem
import SegueWire
import Testing

@testable import SegueTUI

/// Tests of the screens of catalogues while requests fail, come late or return less than expected.
@Suite struct CatalogFaultTests {
  private static let stations = (0..<60).map { number in
    var item = OnlineFixture.station
    (item.uri, item.title) = ("radio:\(number)", "Station \(number)")
    return item
  }

  /// Returns an interface whose requests for lists of catalogues are answered by the test.
  private func interface(_ command: Command) -> Interface {
    var interface = Interface(rows: 24, playing: 0)
    interface.online.unanswered = { if case .catalog = $0 { true } else { false } }
    interface.perform(command)
    return interface
  }

  private func lists(_ interface: Interface) -> [DaemonCall] {
    interface.online.calls.filter { if case .catalog = $0 { true } else { false } }
  }

  /// Returns the response with a part of the stations, whose number the provider does not say.
  private func page(_ range: Range<Int>, offset: Int, total: Int? = nil) -> JSON {
    Interface.json(
      CatalogPage(
        items: Array(Self.stations[range]), total: total, offset: offset, limit: 20, provider: "radio",
        attribution: nil))
  }

  @Test func aShortPageIsNotTheEndOfAList() throws {
    var interface = interface(.showRadio)
    interface.send(.response(try #require(lists(interface).last), .success(page(0..<19, offset: 0))))
    interface.type("G")
    guard case .catalog(let query, offset: 20, refresh: false)? = lists(interface).last else {
      Issue.record("the next page is not requested: \(lists(interface))")
      return
    }
    interface.send(.response(.catalog(query, offset: 20, refresh: false), .success(page(19..<39, offset: 20))))
    interface.type("G")
    #expect(interface.focusedRow?.contains("Station 38") == true)
    interface.send(.response(.catalog(query, offset: 40, refresh: false), .success(page(0..<0, offset: 40))))
    interface.type("ggG")
    #expect(lists(interface).count == 3, "an empty page is the end")
  }

  @Test func aPageWithoutALimitIsTheLastOne() throws {
    var interface = interface(.showRadio)
    let empty = CatalogPage(items: Self.stations, total: nil, offset: 0, limit: 0, provider: "radio", attribution: nil)
    interface.send(.response(try #require(lists(interface).last), .success(Interface.json(empty))))
    interface.type("GG")
    #expect(lists(interface).count == 1)
  }

  @Test func aChartThatHasBecomeShorterIsDrawnWithoutADaemon() throws {
    var interface = Interface(playing: 0)
    interface.perform(.showPopular)
    interface.type("GGG")
    interface.online.unanswered = { _ in true }
    interface.type("r")
    let late = try #require(lists(interface).last)
    interface.press(.tab)
    let short = CatalogPage(
      items: Array(OnlineFixture.songs.prefix(3)), total: 3, offset: 0, limit: 20, provider: "itunes", attribution: nil)
    interface.send(.response(late, .success(Interface.json(short))))
    interface.send(.disconnected(ClientError(.noDaemon, "gone")))
    interface.press(.tab, .shift)
    #expect(interface.lines[0].contains("[Songs]") && interface.screen.contains("Song 1"))
  }

  @Test func aFailureIsShownInItsListAndOnlyThePageIsReadAgain() throws {
    var interface = interface(.showRadio)
    interface.send(.response(try #require(lists(interface).last), .success(page(0..<20, offset: 0))))
    interface.type("G")
    let next = try #require(lists(interface).last)
    interface.type("1")
    interface.send(.response(next, .failure(ClientError(.failed, "Radio Browser: no answer", kind: "timeout"))))
    #expect(!interface.screen.contains("no answer"), "the queue is displayed")
    interface.perform(.showRadio)
    #expect(
      interface.screen.contains("Radio Browser: no answer") && interface.focusedRow?.contains("Station 19") == true)
    interface.type("r")
    #expect(lists(interface).last == next && interface.focusedRow?.contains("Station 19") == true)
    interface.send(.response(next, .success(page(20..<40, offset: 20))))
    #expect(!interface.screen.contains("no answer") && interface.lines[0].contains("40 results"))
  }

  @Test func aHeldKeySendsOneRefresh() throws {
    var interface = interface(.showRadio)
    // The response to the first request is not the refreshed one.
    interface.type("rrrr")
    #expect(lists(interface).count == 2)
    interface.send(.response(lists(interface)[0], .success(page(0..<3, offset: 0))))
    #expect(!interface.screen.contains("Station 0"))
    interface.send(.response(lists(interface)[1], .success(page(3..<5, offset: 0, total: 2))))
    #expect(interface.screen.contains("Station 4"))
  }

  @Test func aChosenSuggestionIsForgottenWithItsTab() {
    var interface = Interface(playing: 0)
    interface.perform(.showRadio)
    interface.press(.tab)
    interface.type("mil")
    interface.press(.down)
    interface.press(.function(1))
    interface.type("next tab")
    interface.press(.enter)
    #expect(interface.lines[0].contains("[Country]"))
    interface.press(.enter)
    #expect(interface.statusLine.contains("two letters"))
  }

  // MARK: The library

  @Test func allMatchesInTheLibraryCanBeReached() {
    var interface = Interface(columns: 200, playing: 0)
    interface.online.foundTracks = 45
    interface.perform(.showSearch)
    interface.type("track\rt")
    #expect(interface.lines[1].contains("20 of 45"))
    interface.type("GGG")
    #expect(interface.lines[1].contains("45 results") && interface.focusedRow?.contains("Track 44") == true)
  }

  /// The songs of an album match the name of the album, too.
  @Test func whatHasTheNameThatIsSearchedForIsFoundFirst() {
    var interface = Interface(playing: 0)
    interface.library = FakeLibrary(albumCount: 3)
    interface.online.foundTracks = 3
    interface.online.foundAlbums = [interface.library.albums[0]]
    interface.perform(.showSearch)
    interface.type("blu\rt")
    #expect(interface.focusedRow?.contains("Blue Train") == true)
    interface.type("y")
    #expect(interface.calls == [.playItems([interface.library.albums[0].uri])])
    interface.type("/")
    interface.press(.character("u"), .control)
    interface.type("track\r")
    #expect(interface.focusedRow?.contains("Track 1") == true && interface.lines.contains { $0.contains("Blue Train") })
  }

  @Test func anAlbumOfTheLibraryOpensItsPage() {
    var interface = Interface(playing: 0)
    interface.library = FakeLibrary(albumCount: 3)
    interface.online.foundAlbums = [interface.library.albums[0]]
    interface.perform(.showSearch)
    interface.type("blue\rt\r")
    #expect(interface.lines[0].hasPrefix(" Blue Train  Artist 1") && interface.screen.contains("Blue Train, part 2"))
  }
}
