import SegueClientKit
import SegueSystem
import SegueWire
import Testing

@testable import SegueTUI

/// Tests of lists whose requests fail.
@Suite struct ListFailureTests {
  private static func failing(_ kind: String) -> Interface {
    var interface = Interface()
    interface.library = FakeLibrary(albumCount: 2)
    interface.library.failure = ClientError(.failed, "it does not work", kind: kind)
    interface.type("3")
    return interface
  }

  @Test func anItemThatIsGoneIsNotRequestedAgain() {
    var interface = Interface.library(4)
    interface.press(.enter)
    #expect(interface.lines[2].contains("Blue Train, part 1"))
    interface.library.albums.removeFirst()
    interface.announceLibrary()
    #expect(interface.screen.contains(LibraryMessages.noContents) && !interface.screen.contains("part 1"))
    #expect(interface.model.nextTick == nil)
  }

  @Test func aPlaylistThatIsDeletedIsShownAsSuch() {
    var interface = Interface.items("8")
    interface.press(.enter)
    interface.library.failure = ClientError(.failed, "there is no playlist", kind: "not_found")
    interface.press(.function(5))
    #expect(interface.screen.contains(LibraryMessages.noContents) && interface.lines[0].contains("0 tracks"))
  }

  @Test func aListWhoseRequestsFailIsRequestedAtGrowingIntervals() throws {
    var interface = Self.failing("unavailable")
    for seconds: Double in [1, 2, 4, 8, 16, 32, 60, 60] {
      let delay = try #require(interface.model.nextTick) - interface.now
      #expect(delay == MediaTime(seconds: seconds))
      interface.wait(delay)
    }
    interface.library.failure = nil
    interface.wait(.seconds(60))
    #expect(interface.lines[2].contains("Blue Train") && interface.model.nextTick == nil)
  }

  @Test func aFailureThatTimeDoesNotRemedyIsRequestedAgainByAKey() {
    var interface = Self.failing("internal_error")
    #expect(interface.screen.contains("it does not work") && interface.model.nextTick == nil)
    interface.library.failure = nil
    interface.press(.function(5))
    #expect(interface.lines[2].contains("Blue Train"))
  }

  @Test func aFailureIsInTheStatusLineWhileOldRowsAreDisplayed() {
    var interface = Interface.library(4)
    interface.library.failure = ClientError(.failed, "the library is being repaired", kind: "unavailable")
    interface.press(.function(5))
    #expect(interface.lines[2].contains("Blue Train"))
    #expect(interface.screen.contains("! This is not available now: the library is being repaired."))
    interface.library.failure = nil
    interface.wait(.seconds(1))
    #expect(!interface.screen.contains("not available"))
  }
}
