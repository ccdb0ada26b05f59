import SegueClientKit
import SegueSystem
import SegueWire
import Testing

@testable import SegueTUI

/// Tests of favorites on the queue, the player and the lists.
@Suite struct FavoriteTests {
  @Test func theStarOnTheQueueRemovesAFavoriteThatItHasAdded() {
    var interface = Interface()
    interface.type("j*")
    interface.setFavorite(1, true)
    #expect(interface.lines[3].contains("♥"))
    interface.type("*")
    #expect(
      interface.calls == [.setFavorite(["file:///music/1.flac"], true), .setFavorite(["file:///music/1.flac"], false)])
    interface.setFavorite(1, false)
    #expect(!interface.lines[3].contains("♥"))
  }

  @Test func thePlayerShowsWhetherTheTrackIsAFavorite() {
    var interface = Interface(playing: 0)
    interface.type("2")
    #expect(!interface.screen.contains("♥"))
    interface.change { $0.track?.favorite = true }
    #expect(interface.screen.contains("♥ So What"))
  }

  @Test func aFavoriteOfAnotherClientAppearsInTheLibrary() {
    var interface = Interface.library(4)
    #expect(!interface.lines[2].contains("♥"))
    interface.library.albums[0].favorite = true
    interface.send(.changed(.favorites(ListVersion(version: 1))))
    #expect(interface.lines[2].contains("♥"))
  }

  @Test func aChangeOfTheQueueReadsNothingTwice() {
    var interface = Interface(Interface.queue(50))
    let before = interface.pagesRead
    interface.type("d")
    #expect(interface.calls == [.remove([100])] && interface.pagesRead == before + 1)
    interface.type("J")
    #expect(interface.pagesRead == before + 2)
  }

  @Test func factsOfThePagesThatArriveAfterAChangeOfFactsAreReadAgain() {
    var interface = Interface(Interface.queue(50))
    interface.answering = { if case .read = $0 { .later } else { .atOnce } }
    interface.setFavorite(0, true)
    interface.setFavorite(0, true)
    #expect(interface.delayed.count == 1)
    interface.answer()
    #expect(interface.delayed.count == 1)
    interface.answerAll()
    #expect(interface.lines[2].contains("♥"))
  }
}
