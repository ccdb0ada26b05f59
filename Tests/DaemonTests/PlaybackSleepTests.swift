import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of the sleep timer.
@Suite struct PlaybackSleepTests {
  let fixture: DaemonFixture

  init() throws {
    fixture = try DaemonFixture()
    try fixture.call("repeat", #"{"mode":"all"}"#)
  }

  @Test func theSleepTimerStopsAfterTheTrack() throws {
    try fixture.add(try fixture.album([60_000, 60_000]), play: true)
    try fixture.recording.wait(forFrame: 4_000)
    #expect(try fixture.call("sleep", #"{"after":"track"}"#).sleep == .after(.track))
    try fixture.recording.waitForSilence()
    #expect(fixture.recording.recordedFrames.sound == [RecordedFrames.Run(first: 0, count: 60_000)])
    let status = try fixture.waitForStop()
    #expect(status.sleep == nil, "the timer is off after it has stopped playback")
  }

  @Test func theSleepTimerStopsAfterTheAlbum() throws {
    let paths = try ["a/1", "a/2", "b/1"].enumerated().map {
      try fixture.track($1, ($0 * 30_000)..<($0 * 30_000 + 30_000))
    }
    try fixture.add(paths, play: true)
    try fixture.call("sleep", #"{"after":"album"}"#)
    try fixture.recording.waitForSilence()
    #expect(fixture.recording.recordedFrames.sound == [RecordedFrames.Run(first: 0, count: 60_000)])
    #expect(try fixture.waitForStop().sleep == nil)
  }

  @Test func theSleepTimerStopsAfterTheQueue() throws {
    try fixture.add(try fixture.album([30_000, 30_000]), play: true)
    try fixture.call("sleep", #"{"after":"queue"}"#)
    try fixture.recording.waitForSilence()
    #expect(fixture.recording.recordedFrames.sound == [RecordedFrames.Run(first: 0, count: 60_000)])
    #expect(try fixture.waitForStop().sleep == nil)
  }

  /// The end of the queue is found with consume and with shuffle as well.
  @Test(arguments: [("consume", #"{"on":true}"#), ("shuffle", #"{"mode":"tracks"}"#)])
  func theSleepTimerStopsAfterTheQueue(with verb: String, _ params: String) throws {
    try fixture.call(verb, params)
    try fixture.add(try fixture.album([15_000, 15_000, 15_000, 15_000, 15_000, 15_000]), play: true)
    try fixture.call("sleep", #"{"after":"queue"}"#)
    try fixture.recording.waitForSilence()
    let recorded = fixture.recording.recordedFrames.sound.flatMap { run in
      stride(from: run.first ?? 0, to: run.end, by: 15_000)
    }
    #expect(recorded.sorted() == (0..<6).map { $0 * 15_000 })
    #expect(try fixture.waitForStop().sleep == nil)
  }

  @Test func theSleepTimerStopsAfterSeconds() throws {
    try fixture.add(try fixture.album([900_000]), play: true)
    try fixture.recording.wait(forFrame: 1_000)
    guard case .seconds(let left) = try fixture.call("sleep", #"{"seconds":1}"#).sleep else {
      throw Unexpected("the sleep timer has no remaining time")
    }
    #expect(left <= .seconds(1))
    let status = try fixture.waitForStop()
    #expect(status.sleep == nil)
    try fixture.recording.waitForSilence()
    let recorded = try #require(fixture.recording.recordedFrames.sound.last).end
    #expect((30_000..<90_000).contains(recorded), "expected about a second, recorded \(recorded) frames")
  }

  @Test func theSleepTimerCanBeCancelled() throws {
    try fixture.add(try fixture.album([60_000, 30_000]), play: true)
    try fixture.call("sleep", #"{"after":"track"}"#)
    try fixture.recording.wait(forFrame: 8_000)
    #expect(try fixture.call("sleep", #"{"off":true}"#).sleep == nil)
    try fixture.recording.wait(for: "the second round") { $0.sound.count == 2 }
    #expect(fixture.recording.recordedFrames.sound.first == RecordedFrames.Run(first: 0, count: 90_000))
  }
}
