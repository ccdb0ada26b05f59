import SegueClientKit
import SegueSystem
import SegueWire
import Testing

@testable import SegueTUI

/// Tests of questions that a second press of a key confirms.
@Suite struct ConfirmationTests {
  private static func playlists(_ count: Int) -> Interface {
    var interface = Interface.items("", rows: 12)
    interface.library.playlists = (1...count).map {
      PlaylistInfo(
        name: "List \($0)", uri: "segue:playlist/\($0)", trackCount: 3, duration: .seconds(600),
        modified: UnixTime(nanoseconds: 1_700_000_000_000_000_000))
    }
    interface.type("8")
    return interface
  }

  @Test func theWheelBetweenThePressesDoesNotDeleteAnotherPlaylist() {
    var interface = Self.playlists(40)
    interface.type("d")
    #expect(interface.statusLine.contains("delete the playlist “List 1”"))
    interface.mouse(.wheelDown, row: 5, column: 5)
    interface.type("d")
    #expect(interface.calls == [])
    #expect(interface.screen.contains("delete the playlist “List 6”"))
    interface.type("d")
    #expect(interface.calls == [.deletePlaylist(name: "List 6")])
  }

  @Test func aNameThatIsTypedOnReplacesNoPlaylistWithoutAQuestion() {
    var interface = Self.playlists(2)
    interface.type("wfoo\r")
    let call = DaemonCall.savePlaylist(name: "foo", replace: false)
    let failure = ClientError(.failed, "there is a playlist of this name", kind: "exists")
    interface.type("x")
    interface.send(.response(call, .failure(failure)))
    #expect(interface.screen.contains("There is already a playlist “foo”."))
    interface.press(.enter)
    #expect(interface.calls.last == .savePlaylist(name: "foox", replace: false))
    interface.send(.response(.savePlaylist(name: "foox", replace: false), .failure(failure)))
    interface.send(.input(.paste("y")))
    interface.press(.enter)
    #expect(interface.calls.last == .savePlaylist(name: "fooxy", replace: false))
  }

  @Test func aPlaylistThatChangesBetweenThePressesLosesNoOtherEntry() {
    var interface = Interface.items("8")
    interface.press(.enter)
    interface.type("jd")
    #expect(interface.statusLine.contains("Press the key again to remove one track from the playlist."))
    interface.library.tracks.removeFirst()
    interface.announceLibrary()
    interface.type("d")
    #expect(interface.calls == [])
    interface.type("d")
    #expect(interface.calls == [.removeFromPlaylist(name: "Вечер", indices: [1], uris: ["file:///music/1/3.flac"])])
  }

  @Test func aQueueThatGrowsBetweenThePressesIsNotCleared() {
    var interface = Interface()
    interface.type("c")
    #expect(interface.statusLine.contains("all 5 tracks"))
    interface.replaceQueue(Interface.queue(300))
    interface.type("c")
    #expect(interface.calls == [] && interface.statusLine.contains("all 300 tracks"))
    interface.type("c")
    #expect(interface.calls == [.clear])
  }
}
