import SegueClientKit
import SegueSystem
import SegueWire
import Testing

@testable import SegueTUI

/// Tests of the screens of folders, playlists, favorites, history and outputs.
@Suite struct ItemScreenTests {
  private static let failure = ClientError(.failed, "there is a playlist of this name", kind: "exists")

  @Test func foldersOpenLevelByLevelAndASingleMusicFolderAtOnce() {
    var interface = Interface.items("4")
    #expect(interface.lines[0].hasPrefix(" Folders  4 entries") && interface.lines[2].contains(" 1/"))
    interface.type("a")
    #expect(interface.calls == [.add(["file:///music/1"], .end)])
    interface.type("j\r")
    #expect(interface.lines[0].hasPrefix(" 2/  /music/2") && interface.lines[2].contains("Колыбельные, part 1"))
    interface.press(.enter)
    #expect(interface.calls.last == .replaceQueue(["file:///music/2"], playing: "file:///music/2/1.flac"))
    interface.press(.backspace)
    #expect(interface.focusedRow?.contains(" 2/") == true)
    interface.type("*")
    #expect(interface.statusLine.contains(ItemMessages.noFavorite))
  }

  @Test func playlistsAreOpenedPlayedAndDeletedAfterASecondPress() {
    var interface = Interface.items("8")
    interface.type("y")
    #expect(interface.calls == [.playItems(["segue:playlist/Вечер"])])
    interface.type("d")
    #expect(interface.calls.count == 1 && interface.statusLine.contains("delete the playlist “Вечер”"))
    interface.type("d")
    #expect(interface.calls.last == .deletePlaylist(name: "Вечер"))
    interface.library.playlists.removeFirst()
    interface.send(.response(.deletePlaylist(name: "Вечер"), .success(Interface.json { _ in })))
    #expect(interface.statusLine.contains("The playlist “Вечер” is deleted."))
    #expect(interface.lines[2].contains("Morning") && interface.lines[0].contains("1 playlist"))
  }

  @Test func entriesOfAPlaylistAreRemovedByTheirPlaces() {
    var interface = Interface.items("8")
    interface.press(.enter)
    #expect(interface.lines[0].hasPrefix(" Вечер  3 tracks"))
    // The first and the third entry are the same track.
    interface.type("jjd")
    #expect(interface.statusLine.contains("remove one track from the playlist"))
    interface.type("d")
    #expect(interface.calls == [.removeFromPlaylist(name: "Вечер", indices: [2], uris: ["file:///music/1/1.flac"])])
    interface.type("g  dd")
    #expect(
      interface.calls.last
        == .removeFromPlaylist(
          name: "Вечер", indices: [0, 1], uris: ["file:///music/1/1.flac", "file:///music/1/2.flac"]))
  }

  @Test func aBurstOfRemovalsFromAPlaylistWaitsForTheListThatTheUserSees() {
    var interface = Interface.items("8")
    interface.press(.enter)
    interface.answering = { _ in .later }
    interface.type("jdddd")
    let call = DaemonCall.removeFromPlaylist(name: "Вечер", indices: [1], uris: ["file:///music/1/2.flac"])
    #expect(interface.calls == [call])
    interface.answer()
    #expect(interface.calls == [call])
    interface.answerAll()
    #expect(interface.calls == [call, call])
  }

  @Test(arguments: ["8", ""]) func theQueueIsSavedUnderATypedName(screen: String) {
    var interface = Interface.items(screen)
    interface.type("w\r")
    #expect(interface.calls == [] && interface.statusLine.contains(PlaylistMessages.nameNeeded))
    interface.type("Дорога3")
    #expect(interface.screen.contains(" Name of the playlist: Дорога3"))
    interface.press(.enter)
    let call = DaemonCall.savePlaylist(name: "Дорога3", replace: false)
    #expect(interface.calls == [call])
    interface.send(.response(call, .failure(Self.failure)))
    #expect(interface.statusLine.contains("Press Enter again to replace it."))
    interface.press(.enter)
    let replacement = DaemonCall.savePlaylist(name: "Дорога3", replace: true)
    #expect(interface.calls == [call, replacement])
    interface.send(.response(replacement, .success(Interface.json { _ in })))
    #expect(interface.statusLine.contains("saved as the playlist “Дорога3”"))
    #expect(interface.lines[0].hasPrefix(screen.isEmpty ? " Queue" : " Playlists  "))
    interface.type("w")
    interface.press(.escape)
    #expect(!interface.screen.contains(PlaylistMessages.name))
  }

  @Test func aKeyRemovesFromTheFavorites() {
    let interface = Interface.items("7\td")
    #expect(interface.calls == [.setFavorite(["segue:album/2"], false)])
  }

  @Test func aKeyChangesTheOrderOfTheFavorites() {
    var interface = Interface.items("7")
    #expect(interface.lines[0].contains("3 tracks  ") && interface.lines[2].contains("part 1"))
    interface.type("o")
    #expect(interface.lines[0].contains("newest first") && interface.lines[2].contains("part 3"))
    interface.type("7")
    #expect(interface.lines[0].contains("[Albums]") && interface.lines[2].contains("Колыбельные"))
    interface.type("oo7")
    #expect(!interface.lines[0].contains("first") && interface.screen.contains(FavoriteMessages.empty))
  }

  @Test func theStarWorksOnTheQueueAndThePlayer() {
    var interface = Interface(playing: 0)
    interface.type("j*")
    #expect(interface.calls == [.setFavorite(["file:///music/1.flac"], true)])
    interface.type("2*")
    #expect(interface.calls.last == .setFavorite(["file:///music/0.flac"], true))
  }

  @Test func theHistoryPlaysATrackAgain() {
    var interface = Interface.items("0")
    #expect(interface.lines[0].hasPrefix(" History  3 plays"))
    interface.type("j\r")
    #expect(interface.calls == [.playTrack(uri: "file:///music/1/2.flac")])
  }

  @Test func onlyListsThatShowAChangeAreReadAgain() {
    var interface = Interface.items("O")
    let before = interface.pagesRead
    let result = FavoriteResult(uris: ["file:///a"], failed: URIFailureList(), total: 1)
    interface.send(.response(.setFavorite(["file:///a"], true), .success(Interface.json(result))))
    interface.send(.response(.deletePlaylist(name: "x"), .success(Interface.json { _ in })))
    #expect(interface.pagesRead == before)
    interface.send(
      .response(.selectOutput(name: "sink.Headphones"), .success(Interface.json(OutputList(outputs: [])))))
    #expect(interface.pagesRead == before + 1)
  }

  @Test func enterSelectsAnOutput() {
    var interface = Interface.items("O")
    #expect(interface.lines[2].hasPrefix(" ▶   Speakers"))
    interface.type("j\r")
    #expect(interface.calls == [.selectOutput(name: "sink.Headphones")])
    for index in 0...1 { interface.library.outputs[index].isCurrent.toggle() }
    interface.send(
      .response(.selectOutput(name: "sink.Headphones"), .success(Interface.json(OutputList(outputs: [])))))
    #expect(interface.lines[3].hasPrefix(" ▶   Headphones"))
    #expect(interface.statusLine.contains(OutputMessages.selected))
  }

  /// The daemon knows a folder by its music.
  @Test func anEmptyMusicFolderSaysWhatFillsIt() {
    var interface = Interface.items("")
    interface.library.failure = ClientError(.failed, "there is no folder", kind: "not_found")
    interface.type("4")
    #expect(interface.lines[2].contains(FolderMessages.noMusic) && interface.screen.contains("/music appears here"))
    #expect(!interface.screen.contains(LibraryMessages.noContents))
  }

  @Test func tabsWithoutRoomAreReplacedByAnEllipsisThatShowsThem() throws {
    var interface = Interface.items("5", columns: 60)
    #expect(interface.lines[0].hasSuffix("…") && !interface.lines[0].contains("People"))
    for _ in 0..<4 where interface.lines[0].last == "…" {
      interface.mouse(.press, row: 0, column: interface.lines[0].count - 1)
    }
    #expect(interface.lines[0].contains("People") && interface.lines[0].hasPrefix(" Search …"))
  }

  @Test func theTabsOfTheSearchFitOn80Columns() {
    let interface = Interface.items("5")
    #expect(interface.lines[0].hasPrefix(" Search [Library]Songs Albums") && interface.lines[0].hasSuffix("People"))
  }

  @Test func columnsThatNoRowFillsAreLeftOut() {
    var interface = Interface.items("4")
    #expect(interface.lines[1] == "     Title")
    interface.type("\r")
    #expect(interface.lines[1].contains("Artist") && interface.lines[1].contains("Time"))
    for index in interface.library.tracks.indices { interface.library.tracks[index].metadata.artist = nil }
    interface.announceLibrary()
    #expect(!interface.lines[1].contains("Artist") && interface.lines[1].contains("Time"))
  }

  @Test func theArtistOfAnAlbumIsNotRepeatedBesideItsTracks() {
    var interface = Interface.library(4)
    interface.type("\r")
    #expect(interface.lines[0].contains("Artist 1") && !interface.lines[1].contains("Artist"))
    interface.library.tracks[1].metadata.artist = "Guest"
    interface.announceLibrary()
    #expect(interface.lines[1].contains("Artist") && interface.lines[2].contains("Artist 1"))
  }

  @Test func theChosenOutputIsMarkedBesideTheOneInUse() {
    var interface = Interface.items("")
    interface.library.chosenOutput = "sink.Headphones"
    interface.type("O")
    #expect(interface.lines[2].hasPrefix(" ▶   Speakers  (default)  "))
    #expect(interface.lines[3].hasPrefix("     Headphones  (chosen)  "))
    interface.library.chosenOutput = "sink.USB"
    interface.press(.function(5))
    #expect(!interface.lines[3].contains("(chosen)"))
    #expect(interface.lines[4].hasPrefix(" !   sink.USB  (chosen, not connected)"))
    interface.library.outputs = []
    interface.press(.function(5))
    #expect(interface.lines[2].hasPrefix(" !   sink.USB  (chosen, not connected)"))
  }

  @Test func foldersFollowTheConfigurationOfTheDaemon() {
    var interface = Interface.items("4")
    #expect(interface.lines[0].hasPrefix(" Folders  4 entries"))
    interface.library.moreFolders = ["file:///more"]
    interface.announceLibrary()
    #expect(interface.screen.contains("music/") && interface.screen.contains("more/"))
  }

  @Test func refusedFavoritesAreNamed() {
    var interface = Interface.items("7")
    let failure = URIFailure(
      uri: "file:///music/1", failure: Failure(.invalidParams, "a folder cannot be a favorite"))
    let result = FavoriteResult(uris: ["file:///a"], failed: URIFailureList([failure]), total: 1)
    interface.send(.response(.setFavorite(["file:///a", "file:///music/1"], true), .success(Interface.json(result))))
    #expect(interface.screen.contains("1 of 2 items are added to the favorites: a folder cannot be a favorite."))
  }

  /// An item of a catalogue is looked up before it is a favorite.
  @Test func aSlowFavoriteIsNoProblemOfTheDaemon() {
    var interface = Interface.items("7")
    interface.answering = { if case .setFavorite = $0 { .later } else { .atOnce } }
    interface.type("*")
    interface.wait(.seconds(5))
    #expect(interface.delayed.count == 1 && !interface.screen.contains("has not answered"))
  }

  @Test func theHistoryIsReadAgainAfterAPlay() {
    var interface = Interface.items("0")
    #expect(interface.lines[0].contains("3 plays"))
    interface.library.playCount = 4
    interface.send(.changed(.favorites(ListVersion(version: 1))))
    interface.send(.changed(.history(ListVersion(version: 1))))
    #expect(interface.lines[0].contains("4 plays"))
  }

  @Test func tracksAreRatedOnTheQueueThePlayerAndInLists() {
    var interface = Interface.items("v")
    #expect(interface.promptTitle == "Rating" && interface.screen.contains(RatingMessages.none))
    interface.type("x11\r")
    #expect(interface.statusLine.contains("A rating is a whole number from 0 to 10.") && interface.calls == [])
    interface.press(.backspace)
    interface.press(.backspace)
    interface.type("8\r")
    #expect(interface.calls == [.rate(uri: "file:///music/0.flac", 8)] && interface.lines[0].hasPrefix(" Queue"))
    #expect(interface.statusLine.contains("The rating is 8 of 10."))
    interface.type("2v5\r")
    #expect(interface.calls.last == .rate(uri: "file:///music/0.flac", 5))
    #expect(interface.lines[0].hasPrefix(" Player"))
    interface.type("3v")
    #expect(interface.statusLine.contains("Only tracks can be rated."))
    interface.type("33v7\r")
    #expect(interface.calls.last == .rate(uri: "file:///music/1/1.flac", 7))
    interface.type("v")
    interface.press(.escape)
    #expect(interface.calls.count == 3 && interface.lines[0].contains("[Tracks]"))
  }

  @Test func aRatingIsKeptUnlessTheUserChangesIt() {
    var interface = Interface.items("333")
    interface.library.tracks[0].rating = 8
    interface.type("v")
    #expect(interface.screen.contains("From 0 to 10: 8") && interface.screen.contains("The rating is 8 of 10 now."))
    // Moving the cursor is no change, and a digit replaces the former rating.
    interface.press(.left)
    interface.press(.enter)
    #expect(interface.calls == [] && interface.lines[0].contains("[Tracks]"))
    interface.type("v")
    interface.press(.backspace)
    interface.press(.enter)
    #expect(interface.calls == [.rate(uri: "file:///music/1/1.flac", nil)])
    #expect(interface.statusLine.contains("The rating is removed."))
    interface.type("v10\r")
    #expect(interface.calls.last == .rate(uri: "file:///music/1/1.flac", 10))
  }

  // MARK: Playlists

  @Test func rowsAreAddedToAPlaylistThatIsChosenOrTyped() {
    var interface = Interface.items("3")
    interface.type(" W")
    interface.press(.down)
    interface.press(.enter)
    let call = DaemonCall.addToPlaylist(name: "Вечер", ["segue:album/1"])
    #expect(interface.calls == [call])
    interface.send(
      .response(call, .success(Interface.json(PlaylistResult(playlist: interface.library.playlists[0])))))
    #expect(interface.statusLine.contains("The playlist “Вечер” has 3 tracks now."))
    #expect(interface.lines[0].contains("[Albums]"))
    interface.type("1W")
    interface.type("new\r")
    #expect(interface.calls.last == .addToPlaylist(name: "new", ["file:///music/0.flac"]))
  }

  @Test func anAdditionToAPlaylistIsMadeOnceAndItsAnswerClosesNoOtherScreen() {
    var interface = Interface.items("3")
    interface.type("Wmix\r\r")
    let call = DaemonCall.addToPlaylist(name: "mix", ["segue:album/1"])
    #expect(interface.calls == [call] && interface.statusLine.contains(PlaylistMessages.pending))
    interface.press(.escape)
    interface.type("jWdan")
    let result = PlaylistResult(playlist: interface.library.playlists[0])
    interface.send(.response(call, .success(Interface.json(result))))
    interface.type("ce")
    #expect(interface.screen.contains("Name of the playlist: dance") && interface.calls == [call])
  }

  @Test func aRatingThatCannotBeSavedStaysOnTheScreen() {
    var interface = Interface.items("v7")
    interface.answering = { _ in .failing }
    interface.press(.enter)
    #expect(interface.calls == [.rate(uri: "file:///music/0.flac", 7)])
    #expect(interface.screen.contains("From 0 to 10: 7") && interface.statusLine.contains("!"))
  }

  @Test func aBurstOfRemovalsOfFavoritesWaitsForTheListThatTheUserSees() {
    var interface = Interface.items("")
    interface.library.favoriteAlbums = 0...3
    interface.type("7\t")
    interface.answering = { if case .setFavorite = $0 { .later } else { .atOnce } }
    interface.type("dd")
    #expect(interface.calls == [.setFavorite(["segue:album/1"], false)])
    interface.library.favoriteAlbums = 1...3
    interface.answerAll()
    #expect(
      interface.calls == [.setFavorite(["segue:album/1"], false), .setFavorite(["segue:album/2"], false)])
  }

  @Test(arguments: ["w", "W", "v"]) func aScreenWithATextFieldCanBeLeftByTheKeysOfPrograms(key: String) {
    var interface = Interface.items(key)
    interface.press(.character("z"), .control)
    interface.press(.character("c"), .control)
    #expect(interface.requests == [.suspend, .quit])
  }

  @Test func aPlaylistThatSomebodyElseHasChangedIsReadAgain() {
    var interface = Interface.items("8\r")
    interface.library.entryURIs = ["file:///music/2/1.flac"]
    interface.answering = { if case .removeFromPlaylist = $0 { .failing } else { .atOnce } }
    interface.type("dd")
    #expect(interface.statusLine.contains("!") && interface.lines[0].contains("1 track"))
  }

  @Test func aPlaylistIsRenamed() {
    var interface = Interface.items("8e")
    #expect(interface.screen.contains("Name of the playlist: Вечер"))
    interface.type("2\r")
    let call = DaemonCall.renamePlaylist(name: "Вечер", to: "Вечер2")
    #expect(interface.calls == [call])
    interface.send(.response(call, .failure(Self.failure)))
    #expect(interface.statusLine.contains("There is already a playlist “Вечер2”."))
    interface.send(.response(call, .success(Interface.json { _ in })))
    #expect(interface.statusLine.contains("The playlist is called “Вечер2” now."))
    #expect(interface.lines[0].hasPrefix(" Playlists  "))
  }

  @Test func theDetailsOfEveryItemAreShown() {
    var interface = Interface.items("i")
    #expect(interface.lines[0].hasPrefix(" Song") && interface.screen.contains("Miles Davis"))
    interface.type("q2i")
    #expect(interface.lines[0].hasPrefix(" Song"))
    interface.type("3i")
    #expect(interface.lines[0].hasPrefix(" Album") && interface.screen.contains("Blue Train"))
    interface.type("8i")
    #expect(interface.statusLine.contains("Only tracks, albums and artists have details."))
  }
}
