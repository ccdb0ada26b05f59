import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of the frames that are played after seek, pause and resume.
@Suite struct PlaybackSeekTests {
  let fixture: DaemonFixture
  static let length = 20 * Signal.rate

  init() throws {
    fixture = try DaemonFixture()
    try fixture.add([try fixture.track("long", 0..<Self.length)], play: true)
    try fixture.recording.wait(forFrame: 4_000)
  }

  /// Returns the frame of a position.
  private func frame(_ position: MediaTime?) -> Int {
    Int(((position ?? .zero).seconds * Double(Signal.rate)).rounded())
  }

  @Test func aSeekIsExactToTheFrame() throws {
    let status = try fixture.call("seek", #"{"position":12.5}"#)
    #expect(status.position == .seconds(12.5))
    #expect(status.state == .playing)
    let target = Signal.rate * 25 / 2
    try fixture.recording.wait(forFrame: target + 4_000)
    let sound = fixture.recording.recordedFrames.sound
    #expect(sound.count == 2, "frames from before the seek follow it: \(fixture.recording.recordedFrames)")
    #expect(sound.first?.first == 0)
    #expect(sound.last?.first == target)
  }

  @Test func aBackwardSeekIsExact() throws {
    try fixture.call("seek", #"{"position":15}"#)
    try fixture.recording.wait(forFrame: 15 * Signal.rate + 30_000)
    try fixture.call("seek", #"{"position":1.0000227}"#)
    try fixture.recording.wait(forFrame: 1 * Signal.rate + 4_000)
    #expect(fixture.recording.recordedFrames.sound.count == 3, "\(fixture.recording.recordedFrames)")
    #expect(fixture.recording.recordedFrames.sound.last?.first == Signal.rate + 1)
  }

  @Test func aSeekWhilePausedTakesEffectOnResume() throws {
    try fixture.call("pause")
    let sought = try fixture.call("seek", #"{"position":7}"#)
    #expect(sought.state == .paused)
    #expect(sought.position == .seconds(7))
    #expect(sought.rate == 0)
    try fixture.recording.wait(for: "silence") { $0.silence > 10_000 }
    let recorded = fixture.recording.recordedFrames.sound.count
    #expect(recorded == 1)
    #expect(try fixture.call("play").state == .playing)
    try fixture.recording.wait(forFrame: 7 * Signal.rate + 4_000)
    #expect(fixture.recording.recordedFrames.sound.count == 2, "\(fixture.recording.recordedFrames)")
    #expect(fixture.recording.recordedFrames.sound.last?.first == 7 * Signal.rate)
  }

  @Test func relativeAndFractionalSeeksReachTheReportedPosition() throws {
    let forward = try fixture.call("seek", #"{"offset":5}"#)
    try fixture.recording.wait(forFrame: frame(forward.position) + 2_000)
    #expect(fixture.recording.recordedFrames.sound.last?.first == frame(forward.position))
    #expect((forward.position ?? .zero).seconds > 5)

    let half = try fixture.call("seek", #"{"fraction":0.5}"#)
    #expect(half.position == .seconds(10))
    try fixture.recording.wait(forFrame: Self.length / 2 + 2_000)
    #expect(fixture.recording.recordedFrames.sound.last?.first == Self.length / 2)

    let start = try fixture.call("seek", #"{"offset":-1000}"#)
    #expect(start.position == .zero)
    fixture.recording.discard()
    try fixture.recording.wait(forFrame: 2_000)
  }

  @Test func seeksOutsideTheTrackAreRejectedOrPlayTheNextTrack() throws {
    for position in ["-0.1", "20.1", "1e9", "1e300", "-1e300"] {
      let error = try fixture.client.errorResponse(to: "seek", #"{"position":\#(position)}"#)
      #expect(error.kind == "out_of_range")
      #expect(error.message == "position out of range: it must be from 0 to 20 seconds")
    }
    let next = try fixture.add([try fixture.track("next", 900_000..<944_100)])
    let status = try fixture.call("seek", #"{"offset":30}"#)
    #expect(status.track?.id == next.first.map(UInt64.init))
    try fixture.recording.wait(forFrame: 902_000)
    #expect(fixture.recording.recordedFrames.sound.map(\.first) == [0, 900_000])
  }

  @Test func theLastOfManySeeksWins() throws {
    let last = 17 * Signal.rate
    let requests = try (0..<50).map { try fixture.client.sendRequest("seek", #"{"position":\#(($0 * 7) % 15 + 2)}"#) }
    for request in requests { _ = try fixture.client.response(to: request) }
    try fixture.call("seek", #"{"position":17}"#)
    try fixture.recording.wait(forFrame: last + 20_000)
    let run = try #require(fixture.recording.recordedFrames.sound.last)
    #expect(run.first == last)
  }

  @Test func pausingLosesAndRepeatsNoFrames() throws {
    for turn in 1...4 {
      let paused = try fixture.call("pause")
      #expect(paused.state == .paused)
      try fixture.recording.wait(for: "silence") { $0.silence > 3_000 }
      let status = try fixture.status()
      #expect(status.rate == 0)
      #expect(try status.position == fixture.status().position)
      #expect(try fixture.call(turn % 2 == 0 ? "play" : "toggle").state == .playing)
      let end = fixture.recording.recordedFrames.sound.last?.end ?? 0
      try fixture.recording.wait(forFrame: end + 8_000)
    }
    #expect(fixture.recording.recordedFrames.joined.count == 1, "\(fixture.recording.recordedFrames)")
    #expect(fixture.recording.recordedFrames.sound.count == 5)
  }

  @Test func playingTheCurrentTrackHasNoEffect() throws {
    let id = try #require(try fixture.ids().first)
    try fixture.call("play", #"{"id":\#(id)}"#)
    try fixture.call("play", #"{"index":0}"#)
    try fixture.call("play")
    try fixture.recording.wait(forFrame: 40_000)
    #expect(fixture.recording.recordedFrames.sound.count == 1, "\(fixture.recording.recordedFrames)")
  }

  @Test func stopReturnsToTheStartOfTheTrack() throws {
    let stopped = try fixture.call("stop")
    #expect(stopped.state == .stopped)
    #expect(stopped.position == .zero)
    #expect(stopped.track != nil)
    try fixture.recording.wait(for: "silence") { $0.silence > 10_000 }
    try fixture.call("play")
    try fixture.recording.wait(for: "the start again") { $0.sound.count > 1 && ($0.lastFrame ?? 0) > 4_000 }
    #expect(fixture.recording.recordedFrames.sound.map(\.first) == [0, 0])
  }
}
