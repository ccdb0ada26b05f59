import SegueClientKit
import SegueSystem
import SegueWire
import Testing

@testable import SegueTUI

/// Tests of the screens of online catalogues.
@Suite struct OnlineScreenTests {
  private func query(_ calls: [DaemonCall]) -> [DaemonCall] {
    calls.filter { if case .catalog = $0 { true } else { false } }
  }

  /// Opens a screen by the command's key.
  private func interface(
    _ command: Command, rows: Int = 24, columns: Int = 80, online: OnlineFixture = OnlineFixture()
  ) -> Interface {
    var interface = Interface(rows: rows, columns: columns)
    interface.online = online
    interface.perform(command)
    return interface
  }

  // MARK: Search

  @Test func aSearchNeedsThreeCharacters() {
    var interface = interface(.showSearch)
    interface.type("ab\r")
    #expect(interface.statusLine.contains("Please enter at least 3 characters for the search"))
    #expect(query(interface.online.calls) == [])
    // The cursor is still in the field.
    #expect(interface.cursor == Position(row: 1, column: 5))
    interface.type("c\r")
    #expect(query(interface.online.calls) == [.catalog(.library("abc"), offset: 0, refresh: false)])
    #expect(interface.screen.contains("So What"))
  }

  @Test func aSearchOfTheLibraryIsSavedAsAPlaylist() {
    var interface = interface(.showSearch)
    interface.type("so what\rw\r")
    #expect(interface.calls == [.savePlaylist(name: "so what", uris: ["segue:search/so%20what"], replace: false)])
    #expect(interface.screen.contains("Enter saves what the search finds as this playlist."))
    let failure = ClientError(.failed, "there is a playlist of this name", kind: "exists")
    interface.send(.response(interface.calls[0], .failure(failure)))
    interface.press(.enter)
    let replacement = DaemonCall.savePlaylist(name: "so what", uris: ["segue:search/so%20what"], replace: true)
    #expect(interface.calls.last == replacement)
    interface.send(.response(replacement, .success(Interface.json { _ in })))
    #expect(interface.statusLine.contains("is saved as the playlist “so what”"))
    #expect(interface.lines[0].hasPrefix(" Search"))
    // The results of online catalogues cannot be saved.
    interface.type("\tw")
    #expect(interface.statusLine.contains("The key w has no function here"))
  }

  @Test func oneWideCharacterIsEnoughForASearch() {
    var interface = interface(.showSearch)
    interface.type("夜\r")
    let search = DaemonCall.catalog(.library("夜"), offset: 0, refresh: false)
    #expect(query(interface.online.calls) == [search])
    // The online catalogues need three.
    interface.type("/\t\r")
    #expect(interface.statusLine.contains("at least 3 characters") && query(interface.online.calls) == [search])
  }

  @Test func theKeyOfTheFilterSearchesForStationsFromThePopularOnes() {
    var interface = interface(.showRadio)
    interface.type("/jazz\r")
    #expect(query(interface.online.calls).last == .catalog(.search("jazz", .station), offset: 0, refresh: false))
    #expect(interface.calls == [])
  }

  @Test func spaceDoesNotPauseInSearchResults() {
    var interface = interface(.showSearch)
    interface.type("abc\r ")
    #expect(interface.calls == [] && interface.statusLine.contains(CatalogMessages.noSelection(interface.model.state)))
  }

  @Test func theLastSearchesAreHintsFilteredByContainment() {
    var interface = interface(.showSearch)
    #expect(interface.screen.contains("miles davis") && interface.screen.contains("песня"))
    interface.type("vi")
    #expect(interface.screen.contains("miles davis") && !interface.screen.contains("песня"))
    interface.press(.down)
    #expect(interface.focusedRow == "   miles davis")
    interface.press(.enter)
    #expect(query(interface.online.calls) == [.catalog(.library("miles davis"), offset: 0, refresh: false)])
    #expect(interface.lines[1].hasPrefix(" / miles davis  ") && interface.lines[1].hasSuffix(" 1 result"))
  }

  @Test func suggestionsFollowAPauseInTyping() {
    var interface = interface(.showSearch)
    interface.type("kin")
    #expect(!interface.screen.contains("Suggestions"))
    interface.wait(.milliseconds(100))
    interface.type("d")
    interface.wait(.milliseconds(150))
    #expect(!interface.screen.contains("Suggestions"))
    interface.wait(.milliseconds(100))
    #expect(interface.screen.contains("Suggestions"))
    #expect(interface.screen.contains("   Kind of Blue  album · Miles Davis"))
    let texts = interface.online.calls.compactMap {
      if case .suggestions(let request) = $0 { request.text } else { nil }
    }
    #expect(texts == ["kind"])
  }

  @Test func answersToAnEarlierTextAreDropped() throws {
    var online = OnlineFixture()
    online.unanswered = { if case .hints(let request) = $0 { request.text == "m" } else { false } }
    var interface = interface(.showSearch, online: online)
    interface.type("m")
    let late = try #require(interface.online.calls.last)
    interface.type("q")
    interface.send(.response(late, .success(Interface.json(SearchList(searches: ["muse"])))))
    #expect(!interface.screen.contains("muse"))
  }

  @Test func aCancelledSuggestionIsNoFailure() {
    var online = OnlineFixture()
    online.error = ClientError(.failed, "cancelled", kind: "cancelled")
    var interface = interface(.showSearch, online: online)
    interface.type("abc")
    interface.wait(.seconds(1))
    #expect(!interface.screen.contains("!") && !interface.screen.contains("failed"))
  }

  @Test func tabSearchesAnotherKind() {
    var interface = interface(.showSearch)
    interface.type("song")
    interface.press(.tab)
    interface.press(.enter)
    #expect(query(interface.online.calls) == [.catalog(.search("song", .song), offset: 0, refresh: false)])
    #expect(interface.lines[0].contains("[Songs]"))
    interface.press(.tab)
    #expect(query(interface.online.calls).last == .catalog(.search("song", .album), offset: 0, refresh: false))
  }

  @Test func onlyTheChartsOfFilmsOfferAGenre() {
    var interface = interface(.showPopular)
    #expect(!interface.lines[23].contains("Genre"))
    interface.press(.tab)
    interface.press(.tab)
    #expect(interface.lines[23].contains("Genre"))
  }

  @Test func resultsAreTilesInTwoColumnsOrATable() {
    var interface = interface(.showSearch)
    interface.type("song")
    interface.press(.tab)
    interface.press(.enter)
    #expect(interface.screen.contains("Song 1 ") && interface.lines[4].contains("Тестовая песня ^[[31m"))
    interface.press(.right)
    interface.press(.down)
    interface.press(.enter)
    #expect(interface.calls == [.playTrack(uri: "itunes:song:4")])
    interface.type("t")
    // The focus stays on its item.
    #expect(interface.focusedRow?.contains("Song 4") == true)
    #expect(interface.focusedRow?.contains("Artist 4") == true)
  }

  @Test func moreResultsAreReadWhenTheFocusNearsTheirEnd() {
    var interface = interface(.showPopular)
    #expect(interface.lines[0].contains("20 of 45"))
    for _ in 0..<11 { interface.press(.down) }
    #expect(interface.lines[0].contains("40 of 45"))
    interface.type("GGG")
    #expect(interface.focusedRow?.contains("Song 45") == true)
    #expect(query(interface.online.calls).count == 3)
  }

  @Test func aSlashReturnsToTheTextAndEscapeToTheResults() {
    var interface = interface(.showSearch)
    interface.type("abc\r/d")
    #expect(interface.lines[1] == " / abcd")
    interface.press(.escape)
    #expect(interface.screen.contains("So What"))
    interface.press(.escape)
    #expect(interface.lines[0].hasPrefix(" Queue"))
  }

  @Test func theSelectedTabIsVisibleOnANarrowScreen() {
    var interface = interface(.showSearch, rows: 10, columns: 40)
    for _ in 0..<8 { interface.press(.tab) }
    #expect(interface.lines[0].contains("[People]") && !interface.lines[0].contains("Library"))
  }

  @Test func anEmptyResultIsSaid() {
    var interface = interface(.showSearch)
    interface.type("nothing")
    interface.press(.tab)
    interface.press(.enter)
    #expect(interface.screen.contains("Nothing was found."))
  }

  // MARK: Charts

  @Test func theChartsOfFilmsHaveAGenre() {
    var interface = interface(.showPopular)
    interface.type("e")
    #expect(interface.statusLine.contains("Only the charts of films are limited to a genre."))
    interface.press(.tab)
    interface.press(.tab)
    #expect(interface.screen.contains("Films of the genre in the settings."))
    interface.type("e")
    #expect(interface.screen.contains("Films of all genres."))
    #expect(
      query(interface.online.calls).suffix(2) == [
        .catalog(.popular(.film, isAnyGenre: false), offset: 0, refresh: false),
        .catalog(.popular(.film, isAnyGenre: true), offset: 0, refresh: false),
      ])
  }

  @Test func aRefreshAsksTheProvider() {
    var interface = interface(.showPopular)
    interface.type("r")
    #expect(
      query(interface.online.calls).last == .catalog(.popular(.song, isAnyGenre: false), offset: 0, refresh: true))
  }

  @Test func outdatedResultsSayTheirAge() {
    var online = OnlineFixture()
    online.isStale = true
    var interface = interface(.showPopular, online: online)
    #expect(interface.screen.contains("The service cannot be reached. These results are 3 hours old."))
    #expect(interface.screen.contains("provided courtesy of iTunes"))
    interface.wait(.seconds(3_600))
    #expect(interface.screen.contains("These results are 4 hours old."))
  }

  @Test(arguments: [
    ("offline", "Check the connection to the network, and try again with “Refresh” (r)."),
    ("rate_limited", "“Refresh” (r) tries again."), ("denied", "To enter a token, run: segue providers"),
    ("timeout", "Try again with “Refresh” (r)."),
  ])
  func aFailureSaysWhatWouldHelp(kind: String, help: String) {
    var online = OnlineFixture()
    online.error = ClientError(.failed, "iTunes: no answer", kind: kind)
    var interface = interface(.showPopular, columns: 200, online: online)
    #expect(interface.screen.contains("iTunes: no answer") && interface.screen.contains(help))
    interface.online.error = nil
    interface.type("r")
    #expect(interface.screen.contains("Song 1"))
  }

  @Test func aLostConnectionReadsAnUnansweredListAgain() {
    var online = OnlineFixture()
    online.unanswered = { _ in true }
    var interface = interface(.showPopular, online: online)
    #expect(interface.screen.contains("Loading…"))
    interface.online.unanswered = { _ in false }
    interface.send(.disconnected(ClientError(.noDaemon, "gone")))
    interface.send(.connected)
    #expect(interface.screen.contains("Song 1"))
  }

  // MARK: Actions

  @Test func enterPerformsTheDefaultAction() {
    var interface = interface(.showPopular)
    interface.type("\ra*")
    #expect(
      interface.calls == [
        .playTrack(uri: "itunes:song:1"), .add(["itunes:song:1"], .end), .setFavorite(["itunes:song:1"], true),
      ])
    var configuration = InterfaceConfiguration()
    configuration.defaultAction = .add
    var adding = Interface(configuration: configuration)
    adding.perform(.showPopular)
    adding.type("\r")
    #expect(adding.calls == [.add(["itunes:song:1"], .end)])
  }

  @Test func anItemThatCannotBePlayedSaysSo() {
    var interface = interface(.showPeople)
    interface.type("a")
    #expect(interface.statusLine.contains("This item cannot be played. “Open” (Enter) shows what belongs to it."))
  }

  // MARK: Details

  @Test func detailsShowEverythingThatIsKnown() {
    var interface = interface(.showPopular)
    interface.press(.tab)
    interface.press(.tab)
    interface.type("i")
    for text in [
      "夜明けの映画", "Ana Directora", "1999-03-31", "2:16:00", "★★★★☆  8.2 of 10", "25,010", "JA", "63,000,000 USD",
      "PG-13", "First paragraph", "Actors: 1", "Ana Actriz",
    ] {
      #expect(interface.screen.contains(text), "\(text)")
    }
    #expect(!interface.screen.contains("97.3"), "the number of a popularity says nothing")
    interface.type("G")
    #expect(interface.screen.contains(OnlineFixture.attribution))
    interface.type("\r")
    #expect(interface.screen.contains("This terminal displays no pictures."))
  }

  @Test func theNameOfALanguageKeepsItsLetters() {
    var interface = interface(.showPopular)
    interface.online.change = { $0.language = "german" }
    interface.press(.tab)
    interface.press(.tab)
    interface.type("i")
    #expect(interface.screen.contains(/Language +german/))
  }

  @Test func aPersonHasABiographyDatesFilmsAndAHomePage() {
    var interface = interface(.showPeople)
    interface.type("\r")
    for text in ["Ana Actriz", "1970-01-02", "2020-03-04", "Lugo", "She was born in a small town.", "Films: 1"] {
      #expect(interface.screen.contains(text), "\(text)")
    }
    interface.type("w")
    #expect(interface.requests == [.openLink("https://ana.example/")])
    interface.type("G\r")
    #expect(interface.lines[0].hasPrefix(" Film"))
    interface.press(.escape)
    #expect(interface.lines[0].hasPrefix(" Person"))
  }

  @Test func enterShowsThePictureOnTheWholeScreen() {
    var interface = Interface(cover: Art(path: "/cache/1.png", uri: "file:///cache/1.png", width: 300, height: 450))
    interface.send(.input(.graphics(GraphicsTerminal(graphicsProtocol: .kitty))))
    interface.perform(.showPopular)
    interface.press(.tab)
    interface.press(.tab)
    interface.type("i")
    let small = interface.model.frame().pictures.first
    interface.type("\r")
    let large = interface.model.frame().pictures.first
    #expect(small?.path == FilePath("/cache/1.png") && large?.path == small?.path)
    #expect((large?.box.rows ?? 0) == 20 && (small?.box.rows ?? 0) <= 20)
    interface.press(.escape)
    #expect(interface.model.frame().pictures.first == small)
  }

  // MARK: Radio

  @Test func stationsAreFoundByNameCountryAndTag() {
    var interface = interface(.showRadio)
    #expect(interface.screen.contains("Synthetic Jazz") && interface.screen.contains("MP3"))
    interface.type("\r")
    #expect(interface.calls == [.playTrack(uri: OnlineFixture.station.uri)])
    interface.press(.tab)
    interface.type("jazz\r")
    interface.press(.tab)
    // The name that was searched before is no country.
    interface.press(.character("u"), .control)
    interface.type("germany\r")
    #expect(interface.statusLine.contains("Please enter the country as a code of two letters"))
    interface.press(.character("u"), .control)
    interface.type("DE\r")
    interface.press(.tab)
    #expect(
      query(interface.online.calls) == [
        .catalog(.popular(.station, isAnyGenre: true), offset: 0, refresh: false),
        .catalog(.search("jazz", .station), offset: 0, refresh: false),
        .catalog(.stationsOfCountry("de"), offset: 0, refresh: false),
        .catalog(.stationsWithTag("DE"), offset: 0, refresh: false),
      ])
  }
}
