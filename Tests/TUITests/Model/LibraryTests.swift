import SegueClientKit
import SegueSystem
import SegueWire
import Testing

@testable import SegueTUI

/// Tests of the library screens, and of the lists that they share with other screens.
@Suite struct LibraryTests {
  @Test func keysShowScreensAndEscapeLeadsBackToTheQueue() {
    var interface = Interface.library(4)
    #expect(interface.lines[0].hasPrefix(" Library [Albums] Artists  Tracks  More  4 albums"))
    interface.press(.escape)
    #expect(interface.lines[0].hasPrefix(" Queue"))
    interface.press(.escape)
    #expect(interface.lines[0].hasPrefix(" Queue") && interface.requests == [])
    interface.type("3q")
    #expect(interface.lines[0].hasPrefix(" Queue") && interface.requests == [])
    interface.type("31")
    #expect(interface.lines[0].hasPrefix(" Queue"))
  }

  @Test func aScreenComesBackWithItsFocus() {
    var interface = Interface.library(30)
    interface.type("jjj13")
    #expect(interface.focusedRow?.contains("Zoë & Æther") == true)
    // A main screen takes the place of the pages that were opened from another one.
    interface.press(.enter)
    #expect(interface.lines[0].hasPrefix(" Zoë & Æther"))
    interface.type("3")
    #expect(interface.lines[0].hasPrefix(" Library"))
    #expect(interface.focusedRow?.contains("Zoë & Æther") == true)
  }

  @Test func theKeyOfTheLibraryAndTabShowItsNextTab() throws {
    var interface = Interface.library(4)
    interface.type("3")
    #expect(interface.lines[0].contains("[Artists]") && interface.lines[2].contains("Artist 1"))
    interface.press(.tab)
    #expect(interface.lines[0].contains("[Tracks]") && interface.lines[2].contains("Blue Train, part 1"))
    interface.press(.right)
    #expect(interface.lines[0].contains("[More] 7 entries") && interface.lines[2].contains("Genres"))
    interface.press(.right)
    #expect(interface.lines[0].contains("[Albums]"))
    interface.press(.left)
    #expect(interface.lines[0].contains("[More]"))
    let column = try #require(interface.lines[0].firstRange(of: "Artists"))
    interface.mouse(
      .press, row: 0,
      column: interface.lines[0].distance(from: interface.lines[0].startIndex, to: column.lowerBound))
    #expect(interface.lines[0].contains("[Artists]"))
  }

  @Test func enterOpensAlbumsAndArtistsAndPlaysTracks() {
    var interface = Interface.library(4)
    interface.press(.enter)
    #expect(interface.lines[0].hasPrefix(" Blue Train  Artist 1 · 1960 · 3 tracks · 10:00"))
    interface.press(.down)
    interface.press(.enter)
    #expect(interface.calls == [.replaceQueue(["segue:album/1"], playing: "file:///music/1/2.flac")])
    interface.type("q")
    #expect(interface.lines[0].hasPrefix(" Library"))
    interface.type("3")
    interface.press(.enter)
    #expect(interface.lines[0].hasPrefix(" Artist 1  2 albums · 6 tracks"))
    #expect(interface.lines[3].contains("夜明け"))
    interface.press(.enter)
    #expect(interface.lines[0].hasPrefix(" Blue Train"))
    interface.type("qq")
    #expect(interface.lines[0].contains("[Artists]"))
  }

  /// Returns an interface that shows the list of lists, or the one with a number in it.
  private func lists(_ albums: Int, open number: Int? = nil) -> Interface {
    var interface = Interface.library(albums)
    interface.press(.left)
    if let number {
      for _ in 0..<number { interface.press(.down) }
      interface.press(.enter)
    }
    return interface
  }

  @Test func theLastTabLeadsToTheValuesOfEveryTag() {
    var interface = lists(24)
    let titles = ["Genres", "Composers", "Conductors", "Works", "Years", "Decades", "Album artists"]
    for (row, title) in titles.enumerated() { #expect(interface.lines[2 + row].contains(title)) }
    for (title, facts, first) in [
      ("Genres", "1 genre", "Jazz"), ("Composers", "1 composer", "J. S. Bach"), ("Conductors", "0 conductors", ""),
      ("Works", "0 works", ""), ("Years", "24 years", "1983"), ("Decades", "3 decades", "1980s"),
      ("Album artists", "2 album artists", "Artist 1"),
    ] {
      interface.press(.enter)
      #expect(interface.lines[0].hasPrefix(" \(title)  \(facts)"))
      #expect(interface.lines[first.isEmpty ? 0 : 2].contains(first))
      if first.isEmpty { #expect(interface.screen.contains("No track of the library has this tag.")) }
      interface.type("qj")
    }
    #expect(interface.lines[0].contains("[More]"))
  }

  @Test func aListOfListsCannotBePlayed() {
    for key in ["a", "A", "y", "Y", "W", " ", "*"] {
      var interface = lists(4)
      interface.type(key)
      #expect(interface.calls == [] && interface.statusLine.contains("“Open” (Enter) opens one."), "\(key)")
    }
  }

  @Test func enterOpensTheAlbumsAndTracksOfAValue() {
    var interface = lists(4, open: 4)
    interface.type("j")
    interface.press(.enter)
    #expect(interface.lines[0].hasPrefix(" 1962 [Albums] Tracks  1 album · 3 tracks"))
    #expect(interface.lines[2].contains("夜明け"))
    interface.press(.tab)
    #expect(interface.lines[0].hasPrefix(" 1962  Albums [Tracks]"))
    interface.press(.left)
    interface.press(.enter)
    #expect(interface.lines[0].hasPrefix(" 夜明け"))
    interface.type("qq")
    #expect(interface.lines[0].hasPrefix(" Years") && interface.focusedRow?.contains("1962") == true)
  }

  @Test func aDecadeOpensTheAlbumsOfItsYearsInAnyOrder() {
    var interface = lists(24, open: 5)
    interface.press(.enter)
    #expect(interface.lines[0].hasPrefix(" 1980s [Albums] Tracks  4 albums · 12 tracks"))
    #expect(interface.focusedRow?.contains("Album 21") == true)
    interface.type("oo")
    #expect(interface.lines[0].contains("12 tracks · by year") && interface.focusedRow?.contains("Album 24") == true)
  }

  @Test func enterOnATrackOfAValuePlaysAllOfTheValue() {
    var interface = lists(4, open: 1)
    interface.press(.enter)
    #expect(interface.lines[0].hasPrefix(" J. S. Bach [Albums] Tracks "))
    interface.press(.tab)
    interface.press(.down)
    interface.press(.enter)
    let uri = "segue:composer/J.%20S.%20Bach"
    #expect(interface.calls == [.replaceQueue([uri], playing: "file:///music/1/2.flac")])
    // In another order than that of the value, a track is played alone.
    interface.type("o")
    interface.press(.enter)
    #expect(interface.calls.last == .playTrack(uri: "file:///music/1/1.flac"))
  }

  @Test func aValueIsAddedAndPlayedAsAWhole() {
    let uris = ["segue:composer/J.%20S.%20Bach"]
    for (key, call) in [
      ("a", DaemonCall.add(uris, .end)), ("A", .add(uris, .next)), ("y", .playItems(uris)),
      ("Y", .replaceQueue(uris, playing: nil)),
    ] {
      var interface = lists(4, open: 1)
      interface.type(key)
      #expect(interface.calls == [call], "\(key)")
    }
  }

  @Test func valuesAreFilteredAndClicked() {
    var interface = lists(30, open: 4)
    interface.type("/197")
    #expect(interface.lines[2].contains("1979") && interface.screen.contains("1970"))
    #expect(!interface.screen.contains("1980"))
    for _ in 0..<2 { interface.mouse(.press, row: 3, column: 10) }
    #expect(interface.lines[0].hasPrefix(" 1978 [Albums] Tracks"))
  }

  @Test func enterAndOneKeyReplaceTheQueue() {
    var interface = Interface.library(4)
    interface.type("gj Y")
    let call = DaemonCall.replaceQueue(["segue:album/2"], playing: nil)
    #expect(interface.calls == [call])
    interface.send(.response(call, .success(Interface.json { $0.member("addedTotal", 9) })))
    #expect(interface.statusLine.contains("The queue is replaced by 9 tracks. “Undo” (u) takes that back."))
    interface.press(.tab)
    interface.press(.tab)
    interface.press(.enter)
    #expect(interface.calls.last == .playTrack(uri: "file:///music/1/1.flac"), "all tracks are no album")
  }

  @Test(arguments: [DefaultAction.insert, .add, .details])
  func enterOnATrackPerformsTheDefaultAction(_ action: DefaultAction) {
    var configuration = InterfaceConfiguration()
    configuration.defaultAction = action
    var interface = Interface(configuration: configuration)
    interface.library = FakeLibrary(albumCount: 4)
    interface.type("3")
    interface.press(.enter)
    #expect(interface.lines[0].hasPrefix(" Blue Train"))
    interface.press(.enter)
    let uri = "file:///music/1/1.flac"
    switch action {
    case .play: Issue.record("another test")
    case .insert: #expect(interface.calls == [.playTrack(uri: uri)])
    case .add: #expect(interface.calls == [.add([uri], .end)])
    case .details: break
    }
    guard action == .details else { return }
    #expect(interface.calls == [] && interface.lines[0].hasPrefix(" Song"))
    for text in ["Blue Train, part 1", "Artist 1", "3:20"] { #expect(interface.screen.contains(text), "\(text)") }
    interface.type("y")
    #expect(interface.calls == [.playTrack(uri: uri)])
  }

  @Test func everyScreenTakesBackAChangeOfTheQueue() {
    var interface = Interface.library(4)
    for (number, screen) in ["", "2", "3", "i", "5abc\r"].enumerated() {
      interface.type(screen + "u")
      #expect(interface.calls.count { $0 == .undo } == number + 1, "\(screen)")
    }
    interface.send(.response(.undo, .success(interface.result(of: QueueStep(action: .add, tracks: 3)))))
    #expect(interface.statusLine.contains("The addition of 3 tracks is undone."))
  }

  @Test func theStatusLineSaysWhatAKeyHasDone() {
    var interface = Interface.library(4)
    interface.type("a")
    let call = DaemonCall.add(["segue:album/1"], .end)
    #expect(interface.calls == [call])
    interface.send(.response(call, .success(Interface.json { $0.member("addedTotal", 3) })))
    #expect(interface.statusLine.contains("3 tracks are added to the queue."))
    let refusal = ClientError(.failed, "the file is missing", kind: "not_found")
    interface.send(.response(call, .failure(refusal)))
    #expect(interface.statusLine.contains("The request has failed: the file is missing."))
  }

  @Test func selectedItemsAreAddedInTheOrderOfTheirSelection() {
    var interface = Interface.library(4)
    interface.type("G gj ")
    #expect(interface.lines[0].contains("2 of 4 are selected"))
    interface.type("A")
    #expect(interface.calls == [.add(["segue:album/4", "segue:album/2"], .next)])
    #expect(!interface.lines[0].contains("selected"))
  }

  @Test func theStarMakesAFavoriteOrRemovesIt() {
    var interface = Interface.library(4)
    interface.type("*")
    #expect(interface.calls == [.setFavorite(["segue:album/1"], true)])
    interface.library.albums[0].favorite = true
    let result = FavoriteResult(uris: ["segue:album/1"], failed: URIFailureList(), total: 2)
    interface.send(.response(.setFavorite(["segue:album/1"], true), .success(Interface.json(result))))
    #expect(interface.statusLine.contains("One item is added to the favorites."))
    #expect(interface.lines[2].contains("♥"))
    interface.type("*")
    #expect(interface.calls.last == .setFavorite(["segue:album/1"], false))
  }

  @Test func theOrderOfAListIsChanged() {
    var interface = Interface.library(4)
    #expect(interface.lines[0].contains("4 albums  "), "the standard order is not named")
    interface.type("o")
    #expect(interface.lines[0].contains("4 albums · by artist"))
    interface.type("o")
    #expect(interface.lines[0].contains("by year"))
    #expect(interface.focusedRow?.contains("Zoë & Æther") == true, "the newest album is the first")
    interface.type("oo")
    #expect(!interface.lines[0].contains("by ") && interface.focusedRow?.contains("Blue Train") == true)
    // The artists have a single order.
    interface.press(.tab)
    interface.type("o")
    #expect(interface.statusLine.contains("This list has a single order."))
    // Each list has its own order.
    interface.type("o")
    interface.press(.tab)
    interface.type("o")
    #expect(interface.lines[0].contains("tracks · by artist"))
  }

  @Test func theHistoryListsTheMostPlayedTracks() {
    var interface = Interface.library(4)
    interface.library.playCount = 3
    interface.type("0")
    #expect(interface.lines[0].contains("3 plays  "))
    interface.type("o")
    #expect(interface.lines[0].contains("2 tracks · most played first"))
    #expect(interface.lines[1].contains("Plays") && interface.focusedRow?.contains(" 3 ") == true)
  }

  @Test func aLibraryOfManyAlbumsIsReadInPages() {
    var interface = Interface.library(3_000)
    let atStart = interface.pagesRead
    interface.type("G")
    #expect(interface.focusedRow?.contains("Album 3000") == true)
    #expect(interface.pagesRead <= atStart + 2)
  }

  @Test func aFilterSearchesTheWholeList() {
    var interface = Interface.library(1_200)
    interface.type("/album 119")
    #expect(interface.lines[0].contains("/album 119") && interface.lines[0].contains("12 of 1200"))
    interface.press(.enter)
    interface.type("j")
    interface.press(.enter)
    #expect(interface.lines[0].hasPrefix(" Album 1119"))
    interface.press(.escape)
    #expect(interface.lines[0].contains("/album 119"))
    interface.press(.escape)
    #expect(interface.focusedRow?.contains("Album 1119") == true && interface.lines[0].contains("1200 albums"))
  }

  @Test func theFocusFollowsItsAlbumWhenTheLibraryChanges() {
    var interface = Interface.library(20)
    interface.type("jjjj")
    #expect(interface.focusedRow?.contains("Album 5 ") == true)
    interface.library.albums.removeFirst(2)
    interface.announceLibrary()
    #expect(interface.focusedRow?.contains("Album 5 ") == true)
    #expect(interface.lines[0].contains("18 albums"))
  }

  @Test func aFailedRequestIsShownInTheListAndRepeated() {
    var interface = Interface()
    interface.library = FakeLibrary(albumCount: 2)
    interface.library.failure = ClientError(.failed, "the library is being repaired", kind: "unavailable")
    interface.type("3")
    #expect(interface.screen.contains("This is not available now: the library is being repaired"))
    #expect(interface.screen.contains(ItemMessages.retry(interface.model.state)))
    interface.type("a")
    #expect(interface.calls == [] && interface.statusLine.contains(ItemMessages.notLoaded))
    interface.library.failure = nil
    interface.wait(.seconds(1))
    #expect(interface.lines[2].contains("Blue Train"))
    interface.library.albums.removeFirst()
    interface.press(.function(5))
    #expect(!interface.screen.contains("Blue Train"))
  }

  @Test func anEmptyLibrarySaysWhatToDo() {
    let interface = Interface.library(0)
    #expect(interface.screen.contains(LibraryMessages.empty) && interface.screen.contains("MusicFolder=~/Songs"))
    #expect(interface.screen.contains("Music that you put into /music appears here."))
  }

  @Test func theProgressOfAScanIsInTheStatusLine() {
    var interface = Interface.library(2, playing: 0)
    #expect(interface.statusLine.contains("So What"))
    interface.library.isScanning = true
    interface.announceLibrary()
    #expect(interface.statusLine.contains("12 of 3000 files are read"))
  }

  @Test func aListComesBackAfterALostConnection() {
    var interface = Interface.library(3)
    interface.send(.disconnected(ClientError(.noDaemon, "gone")))
    #expect(interface.lines[2].contains("Blue Train"))
    interface.library.albums.removeFirst()
    interface.send(.connected)
    #expect(!interface.screen.contains("Blue Train") && interface.lines[0].contains("2 albums"))
  }

  @Test func clicksAndTheWheelWorkOnLists() {
    var interface = Interface.library(60)
    interface.mouse(.wheelDown, row: 5, column: 5)
    #expect(interface.lines[2].contains("Zoë & Æther"))
    interface.mouse(.press, row: 4, column: 20)
    #expect(interface.focusedRow?.contains("Album 6") == true)
    interface.mouse(.press, row: 4, column: 20)
    #expect(interface.lines[0].hasPrefix(" Album 6"))
  }
}
