import SegueClientKit
import SegueSystem
import SegueWire
import Testing

@testable import SegueTUI

/// Tests of changes of the queue while the daemon answers late, and of a queue that others change.
@Suite struct QueueChangeTests {
  /// Returns an interface whose daemon answers when the test says so.
  private static func slow(_ count: Int = 50) -> Interface {
    var interface = Interface(Interface.queue(count))
    interface.answering = { _ in .later }
    return interface
  }

  @Test func aRemovalIsAnnouncedOnceTheDaemonHasPerformedIt() {
    var interface = Self.slow()
    interface.type("d")
    #expect(!interface.statusLine.contains("removed"))
    interface.answer()
    #expect(interface.statusLine.contains("One track is removed from the queue."))
    interface.answerAll()
    interface.type("cc")
    #expect(!interface.statusLine.contains("cleared"))
    interface.answer()
    #expect(interface.statusLine.contains(ListMessages.cleared(interface.model.state)))
  }

  @Test func aRemovalThatFailsKeepsTheSelection() {
    var interface = Interface()
    interface.answering = { _ in .failing }
    interface.type("  d")
    #expect(interface.statusLine.contains("The request has failed: busy."))
    #expect(interface.lines[0].contains("2 of 5 tracks are selected"))
  }

  @Test func aBurstOfRemovalsRemovesTheRowsThatTheUserSees() {
    var interface = Self.slow()
    interface.type("jddd")
    #expect(interface.calls == [.remove([101])])
    interface.answerAll()
    #expect(interface.calls == [.remove([101]), .remove([102]), .remove([103])])
    #expect(interface.focusedRow?.contains("Track 5 ") == true)
  }

  @Test func aBurstOfRemovalsInAFilterRemovesTheRowsThatTheUserSees() {
    var interface = Interface(Interface.queue(50))
    interface.type("/track 4\r")
    interface.answering = { _ in .later }
    interface.type("dd")
    interface.answerAll()
    #expect(interface.calls == [.remove([103]), .remove([104])])
  }

  @Test func aBurstOfMovesMovesTheTrackRowByRow() {
    var interface = Self.slow()
    interface.type("JJJK")
    interface.answerAll()
    #expect(interface.calls == [.move([100], to: 1), .move([100], to: 2), .move([100], to: 3), .move([100], to: 2)])
  }

  @Test func keysThatWaitKeepTheirOrder() {
    var interface = Self.slow()
    interface.type("djd>")
    #expect(interface.calls == [.remove([100])])
    interface.answerAll()
    #expect(interface.calls == [.remove([100]), .remove([102]), .next])
  }

  @Test func aTrackMovesFromThePlaceWhereTheUserSeesIt() {
    var interface = Interface(Interface.queue(50))
    interface.type("jjj")
    interface.answering = { _ in .later }
    interface.removeFirst(2)
    interface.type("J")
    #expect(interface.calls == [])
    interface.answerAll()
    #expect(interface.calls == [.move([103], to: 2)])
  }

  @Test func keysAreDiscardedWithAMessageIfTheirListDoesNotArrive() {
    var interface = Self.slow()
    interface.type("dd")
    #expect(interface.model.nextTick == interface.now + .seconds(2))
    interface.wait(.seconds(2))
    #expect(interface.screen.contains("The list does not show the last change yet."))
    interface.answerAll()
    #expect(interface.calls == [.remove([100])])
  }

  @Test func escapeDiscardsTheKeysThatWait() {
    var interface = Self.slow()
    interface.type("ddd")
    interface.press(.escape)
    interface.answerAll()
    #expect(interface.calls == [.remove([100])])
  }

  @Test func controlCQuitsAlsoWhileKeysWait() {
    var interface = Self.slow()
    interface.type("dd\u{3}")
    #expect(interface.requests == [.quit])
  }

  @Test func aDaemonThatDoesNotAnswerIsNamedUntilItDoes() {
    var interface = Interface(playing: 0)
    interface.change { ($0.state, $0.rate) = (.paused, 0) }
    interface.answering = { _ in .later }
    interface.type(">")
    #expect(interface.model.nextTick == interface.now + .seconds(3))
    interface.wait(.milliseconds(2_999))
    #expect(!interface.screen.contains("has not answered"))
    interface.wait(.milliseconds(1))
    #expect(interface.screen.contains("The daemon has not answered for some seconds."))
    #expect(interface.model.nextTick == nil)
    interface.answerAll()
    #expect(!interface.screen.contains("has not answered"))
  }

  @Test func lyricsMayTakeLong() {
    var interface = Interface(playing: 0)
    interface.answering = { _ in .later }
    interface.press(.enter)
    let uri = "file:///music/0.flac"
    #expect(interface.delayed == [.lyrics(uri: uri), .chapters(uri: uri)])
    interface.wait(.seconds(30))
    #expect(!interface.screen.contains("has not answered"))
  }

  @Test func aFilterIsCompleteAlthoughTheQueueChangesAllTheTime() {
    var interface = Interface(Interface.queue(2_000))
    interface.answering = { if case .read(_, .filterPage) = $0 { .later } else { .atOnce } }
    interface.type("/track")
    for _ in 0..<4 {
      #expect(interface.lines[0].contains("searching"))
      interface.removeFirst(1)
      interface.wait(.milliseconds(10))
      interface.answer()
    }
    #expect(interface.lines[0].contains(" of 1996") && !interface.lines[0].contains("searching"))
    // The queue is read for half of the time: the first reading took 40 milliseconds.
    #expect(interface.delayed == [] && interface.model.nextTick == interface.now + .milliseconds(40))
    interface.wait(.milliseconds(40))
    interface.answerAll()
    #expect(interface.lines[0].contains("1996 of 1996"))
    #expect(interface.model.nextTick == nil)
  }

  @Test func tracksThatLeaveALongQueueAreDeselected() {
    var interface = Interface(Interface.queue(3_000))
    interface.type("   G")
    #expect(interface.lines[0].contains("3 of 3000 tracks are selected"))
    interface.removeFirst(2)
    #expect(interface.lines[0].contains("1 of 2998 tracks are selected"))
    // There is at most one check in a second.
    interface.removeFirst(1)
    #expect(interface.lines[0].contains("1 of 2997 tracks are selected"))
    interface.wait(.seconds(1))
    #expect(interface.lines[0].contains("2997 tracks") && !interface.lines[0].contains("selected"))
    #expect(interface.model.nextTick == nil)
  }
}
