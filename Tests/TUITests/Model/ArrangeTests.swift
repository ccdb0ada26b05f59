import SegueClientKit
import SegueSystem
import SegueWire
import Testing

@testable import SegueTUI

/// Tests of the menu of what can be done with the whole queue.
@Suite struct ArrangeTests {
  private static func call(_ request: some ProtocolRequest<QueueSummary>) -> DaemonCall {
    .changeQueue(.init(request: request))
  }

  @Test(arguments: [
    ("t", call(QueueSortRequest(by: .title))), ("T", call(QueueSortRequest(by: .title, order: .descending))),
    ("y", call(QueueSortRequest(by: .date))), ("z", call(QueueShuffleNowRequest())),
    ("d", call(QueueDedupeRequest())), ("c", call(QueueCropRequest())), ("е", call(QueueSortRequest(by: .title))),
  ])
  func aLetterChangesTheQueueAndLeadsBack(letter: String, call: DaemonCall) {
    var interface = Interface(playing: 0)
    interface.type("E")
    #expect(interface.promptTitle == "Arrange the queue")
    #expect(interface.screen.contains(" z  shuffle the queue itself, the current track first (Z)"))
    interface.type(letter)
    #expect(interface.calls == [call] && interface.lines[0].hasPrefix(" Queue"))
  }

  @Test func enterChoosesALine() {
    var interface = Interface(playing: 0)
    interface.type("E")
    interface.press(.down)
    interface.press(.enter)
    #expect(interface.calls == [Self.call(QueueSortRequest(by: .title))])
    #expect(interface.statusLine.contains("The queue is sorted. “Undo” (u) takes that back."))
  }

  @Test func theSelectedTracksStay() {
    var interface = Interface(playing: 0)
    interface.type("  E")
    #expect(interface.screen.contains("remove all tracks but the 2 selected ones"))
    interface.type("c")
    #expect(interface.calls == [Self.call(QueueCropRequest(ids: [100, 101]))])
  }

  @Test func randomTracksAreAddedAtTheEnd() {
    var interface = Interface(playing: 0)
    interface.answering = { if case .randomTracks = $0 { .later } else { .atOnce } }
    interface.type("En")
    #expect(interface.delayed == [.randomTracks(50)])
    interface.answer(with: TrackList(tracks: [ListedTrack(uri: "file:///a"), ListedTrack(uri: "file:///b")]))
    #expect(interface.calls.last == .add(["file:///a", "file:///b"], .end) && interface.lines[0].hasPrefix(" Queue"))
  }

  @Test func withoutTracksOrWithAnotherKeyNothingHappens() {
    var interface = Interface([], playing: nil)
    interface.type("Et")
    #expect(interface.calls == [] && interface.statusLine.contains("The queue is empty."))
    interface.type("k")
    #expect(interface.screen.contains("Press one of the letters"))
    interface.press(.escape)
    #expect(interface.lines[0].hasPrefix(" Queue") && interface.calls == [])
  }
}
