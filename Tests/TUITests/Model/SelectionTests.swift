import SegueClientKit
import SegueSystem
import SegueWire
import Testing

@testable import SegueTUI

/// Tests of commands that apply to several items.
@Suite struct SelectionTests {
  @Test func theStarMakesFavoritesOfTheSelectedItemsWhateverRowIsFocused() {
    var interface = Interface.library(5)
    interface.library.favoriteAlbums = 3...3
    interface.press(.function(5))
    interface.type("   *")
    #expect(interface.calls == [.setFavorite((1...3).map { "segue:album/\($0)" }, true)])
  }

  @Test func theStarRemovesSelectedItemsThatAreAllFavorites() {
    var interface = Interface.library(5)
    interface.library.favoriteAlbums = 0...1
    interface.press(.function(5))
    interface.type("  *")
    #expect(interface.calls == [.setFavorite(["segue:album/1", "segue:album/2"], false)])
  }

  @Test func theStarOnTheQueueAppliesToTheSelectedTracks() {
    var interface = Interface()
    interface.type("  *")
    #expect(interface.calls == [.setFavorite(["file:///music/0.flac", "file:///music/1.flac"], true)])
    #expect(!interface.lines[0].contains("selected"))
  }

  @Test func theStarOnTheQueueAppliesToSelectedTracksThatAreNotLoadedAnyMore() {
    var interface = Interface(Interface.queue(3_000))
    interface.type("  ")
    for _ in 0..<60 { interface.press(.pageDown) }
    interface.type("*")
    #expect(interface.calls == [.setFavorite(["file:///music/0.flac", "file:///music/1.flac"], true)])
  }

  @Test func selectedTracksBecomeFavoritesAlthoughAFolderIsFocused() {
    var interface = Interface.items("")
    interface.library.tracks.append(
      ListedTrack(
        uri: "file:///music/single.flac", duration: .seconds(200), durationKind: .exact, metadata: Metadata()))
    interface.type("4G k")
    #expect(interface.focusedRow?.contains(" 4/") == true)
    interface.type("*")
    #expect(interface.calls == [.setFavorite(["file:///music/single.flac"], true)])
  }

  @Test func selectedPlaylistsAreDeletedTogetherAfterOneQuestion() {
    var interface = Interface.items("8")
    interface.type("  d")
    #expect(interface.screen.contains("Press the key again to delete 2 playlists. Their tracks are kept."))
    #expect(interface.calls == [])
    interface.type("d")
    #expect(interface.calls == [.deletePlaylist(name: "Вечер"), .deletePlaylist(name: "Morning")])
  }

  @Test func aCommandThatFailsKeepsTheSelection() {
    var interface = Interface.library(4)
    interface.answering = { if case .read = $0 { .atOnce } else { .failing } }
    for key in ["a", "A", "y", "*"] {
      interface.press(.escape)
      interface.type("3g  \(key)")
      #expect(interface.lines[0].contains("2 of 4 are selected"), "\(key)")
      interface.press(.escape)
    }
    interface.answering = { _ in .atOnce }
    interface.type("g  a")
    #expect(interface.calls.last == .add(["segue:album/1", "segue:album/2"], .end))
    #expect(!interface.lines[0].contains("selected"))
  }

  @Test func withoutADaemonTheSelectionIsKept() {
    var interface = Interface.library(4)
    interface.type("  ")
    interface.send(.disconnected(ClientError(.noDaemon, "gone")))
    interface.type("a")
    #expect(interface.calls == [] && interface.lines[0].contains("2 of 4 are selected"))
  }
}
