import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Long tracks resume where they were left. In these tests, a track of a minute is long.
@Suite struct BookmarkTests {
  private static let seconds = 75

  private func fixture(_ configuration: String = "BookmarkAfter=1") throws -> (fixture: DaemonFixture, long: FilePath) {
    let fixture = try DaemonFixture(configuration: "[Player]\n\(configuration)\n")
    try fixture.client.call("repeat", #"{"mode":"all"}"#)
    let long = try fixture.track("long", 0..<(Self.seconds * Signal.rate))
    try fixture.add([long, try fixture.track("short", 0..<(20 * Signal.rate))])
    return (fixture, long)
  }

  /// Plays the first track from `position` until it is audible.
  private func play(_ fixture: DaemonFixture, from seconds: Int) throws {
    try fixture.call("play", #"{"index":0}"#)
    try fixture.wait { $0.rate == 1 }
    try fixture.call("seek", #"{"position":\#(seconds)}"#)
    try fixture.recording.wait(forFrame: seconds * Signal.rate)
    try fixture.wait { $0.rate == 1 && ($0.position ?? .zero) >= MediaTime(seconds: Double(seconds)) }
  }

  private func isNear(_ position: MediaTime?, _ seconds: Int) -> Bool {
    let now = (position ?? .zero).seconds
    return now >= Double(seconds) && now < Double(Self.seconds - 15)
  }

  @Test func aLongTrackResumesAtItsBookmark() throws {
    let (fixture, _) = try fixture()
    try play(fixture, from: 30)
    #expect(try fixture.call("play", #"{"index":1}"#).position == .zero)
    fixture.recording.discard()
    let again = try fixture.call("play", #"{"index":0}"#)
    #expect(isNear(again.position, 30))
    try fixture.recording.wait(for: "the bookmarked position") { recordedFrames in
      recordedFrames.sound.contains { $0.first.map { $0 >= 30 * Signal.rate } == true }
    }
    let stopped = try fixture.call("stop")
    #expect(stopped.state == .stopped && isNear(stopped.position, 30), "status shows the bookmark")
    #expect(try fixture.call("play").position == stopped.position, "stopping saved the bookmark")
    #expect(isNear(try fixture.call("next").position, 0))
    #expect(isNear(try fixture.call("prev").position, 30), "prev resumes at the bookmark, as play does")
    let start = try fixture.call("prev")
    #expect(start.index == 0)
    #expect(start.position == .zero, "prev in the middle of a long track returns to its start")
    #expect(try fixture.call("prev").index == 1, "prev at the start of a track plays the previous one")
  }

  @Test func aBookmarkAppliesWhenTheQueueReachesTheTrack() throws {
    let (fixture, _) = try fixture()
    try play(fixture, from: 30)
    try fixture.call("play", #"{"index":1}"#)
    try fixture.call("seek", #"{"position":18}"#)
    let next = try fixture.wait { $0.index == 0 }
    #expect(isNear(next.position, 30))
    fixture.recording.discard()
    try fixture.recording.wait(for: "the bookmarked position") { recordedFrames in
      recordedFrames.sound.contains { $0.first.map { $0 >= 30 * Signal.rate } == true }
    }
    // After the end, the track starts at its beginning, although it was resumed in the middle.
    try fixture.client.call("repeat", #"{"mode":"one"}"#)
    try fixture.call("seek", #"{"position":\#(Self.seconds - 1)}"#)
    try fixture.wait { $0.index == 0 && ($0.position ?? .zero) < .seconds(20) }
  }

  @Test func aTrackPlayedToItsEndHasNoBookmark() throws {
    let (fixture, _) = try fixture()
    try play(fixture, from: 30)
    try fixture.call("seek", #"{"position":\#(Self.seconds - 10)}"#)
    try fixture.wait { $0.rate == 1 }
    try fixture.call("play", #"{"index":1}"#)
    #expect(try fixture.call("play", #"{"index":0}"#).position == .zero)
    try play(fixture, from: 30)
    try fixture.call("pause")
    try fixture.call("play")
    try fixture.call("seek", #"{"position":\#(Self.seconds - 1)}"#)
    try fixture.wait { $0.index == 1 }
    #expect(try fixture.call("play", #"{"index":0}"#).position == .zero)
  }

  @Test(arguments: [true, false]) func aBookmarkIsSavedWhenTheDaemonExits(isOrderly: Bool) throws {
    let (fixture, long) = try fixture()
    // A crash loses at most the last five seconds.
    try play(fixture, from: isOrderly ? 25 : 20)
    try fixture.recording.wait(forFrame: 27 * Signal.rate)
    if isOrderly { #expect(fixture.daemon.stop() == 0) } else { fixture.daemon.kill() }
    try fixture.daemon.start()
    try fixture.reconnect()
    // The bookmark belongs to the file and not to the queue entry.
    try fixture.client.call("queue.clear")
    try fixture.add([long])
    let again = try fixture.call("play", #"{"index":0}"#)
    #expect(isNear(again.position, isOrderly ? 26 : 21))
  }

  @Test func aBookmarkIsOnDiskAfterAPause() throws {
    let (fixture, long) = try fixture("BookmarkAfter=1\nRestore=stopped")
    try play(fixture, from: 40)
    try fixture.call("pause")
    try fixture.call("play", #"{"index":1}"#)
    // Responses to changes of the library come in order.
    try fixture.client.call("favorites.add", #"{"uris":[\#(quoted(FileURI.encode(long)))]}"#)
    fixture.daemon.kill()
    try fixture.daemon.start()
    try fixture.reconnect()
    #expect(isNear(try fixture.call("play", #"{"index":0}"#).position, 40))
  }

  @Test func aRestartedDaemonReportsTheBookmarkOfALongTrack() throws {
    let (fixture, _) = try fixture()
    try play(fixture, from: 30)
    let stopped = try fixture.call("stop")
    #expect(fixture.daemon.stop() == 0)
    try fixture.daemon.start()
    try fixture.reconnect()
    let status = try fixture.wait { $0.position != .zero }
    #expect(status.state == .stopped && status.position == stopped.position)
  }

  @Test(arguments: ["BookmarkAfter=2", "BookmarkAfter=0"]) func shortTracksStartAtTheBeginning(_ configuration: String)
    throws
  {
    let (fixture, _) = try fixture(configuration)
    try play(fixture, from: 30)
    try fixture.call("play", #"{"index":1}"#)
    #expect(try fixture.call("play", #"{"index":0}"#).position == .zero)
    try play(fixture, from: 30)
    #expect(try fixture.call("prev").index == 1)
    #expect(try fixture.call("stop").position == .zero)
  }
}
