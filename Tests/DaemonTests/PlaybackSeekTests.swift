import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of the frames that are played after seek, pause and resume.
@Suite struct PlaybackSeekTests {
  let stage: Stage
  static let length = 20 * Signal.rate

  init() throws {
    stage = try Stage()
    try stage.add([try stage.track("long", 0..<Self.length)], play: true)
    try stage.ear.listen(toFrame: 4_000)
  }

  /// Returns the frame of a position.
  private func frame(_ position: MediaTime?) -> Int {
    Int(((position ?? .zero).seconds * Double(Signal.rate)).rounded())
  }

  @Test func aSeekIsHeardFromItsVeryFrame() throws {
    let status = try stage.ask("seek", #"{"position":12.5}"#)
    #expect(status.position == .seconds(12.5))
    #expect(status.state == .playing)
    let target = Signal.rate * 25 / 2
    try stage.ear.listen(toFrame: target + 4_000)
    let sound = stage.ear.score.sound
    #expect(sound.count == 2, "nothing old after the new: \(stage.ear.score)")
    #expect(sound.first?.first == 0)
    #expect(sound.last?.first == target)
  }

  @Test func aSeekBackIsAsExact() throws {
    try stage.ask("seek", #"{"position":15}"#)
    try stage.ear.listen(toFrame: 15 * Signal.rate + 30_000)
    try stage.ask("seek", #"{"position":1.0000227}"#)
    try stage.ear.listen(toFrame: 1 * Signal.rate + 4_000)
    #expect(stage.ear.score.sound.count == 3, "\(stage.ear.score)")
    #expect(stage.ear.score.sound.last?.first == Signal.rate + 1)
  }

  @Test func aSeekWhilePausedIsHeardWhenItPlaysOn() throws {
    try stage.ask("pause")
    let sought = try stage.ask("seek", #"{"position":7}"#)
    #expect(sought.state == .paused)
    #expect(sought.position == .seconds(7))
    #expect(sought.rate == 0)
    try stage.ear.listen(for: "silence") { $0.silence > 10_000 }
    let heard = stage.ear.score.sound.count
    #expect(heard == 1)
    #expect(try stage.ask("play").state == .playing)
    try stage.ear.listen(toFrame: 7 * Signal.rate + 4_000)
    #expect(stage.ear.score.sound.count == 2, "\(stage.ear.score)")
    #expect(stage.ear.score.sound.last?.first == 7 * Signal.rate)
  }

  @Test func relativeAndFractionalSeeksLandOnWhatTheyAnswer() throws {
    let forward = try stage.ask("seek", #"{"offset":5}"#)
    try stage.ear.listen(toFrame: frame(forward.position) + 2_000)
    #expect(stage.ear.score.sound.last?.first == frame(forward.position))
    #expect((forward.position ?? .zero).seconds > 5)

    let half = try stage.ask("seek", #"{"fraction":0.5}"#)
    #expect(half.position == .seconds(10))
    try stage.ear.listen(toFrame: Self.length / 2 + 2_000)
    #expect(stage.ear.score.sound.last?.first == Self.length / 2)

    let start = try stage.ask("seek", #"{"offset":-1000}"#)
    #expect(start.position == .zero)
    stage.ear.forget()
    try stage.ear.listen(toFrame: 2_000)
  }

  @Test func outsideTheTrackIsRefusedAndPastTheEndIsNext() throws {
    for position in ["-0.1", "20.1", "1e9", "1e300", "-1e300"] {
      let refusal = try stage.client.refusal(of: "seek", #"{"position":\#(position)}"#)
      #expect(refusal.kind == "out_of_range")
      #expect(refusal.message == "position out of range: it must be from 0 to 20.0 seconds")
    }
    let next = try stage.add([try stage.track("next", 900_000..<944_100)])
    let status = try stage.ask("seek", #"{"offset":30}"#)
    #expect(status.track?.id == next.first.map(UInt64.init))
    try stage.ear.listen(toFrame: 902_000)
    #expect(stage.ear.score.sound.map(\.first) == [0, 900_000])
  }

  @Test func theLastOfManySeeksIsHeard() throws {
    let last = 17 * Signal.rate
    let requests = try (0..<50).map { try stage.client.begin("seek", #"{"position":\#(($0 * 7) % 15 + 2)}"#) }
    for request in requests { _ = try stage.client.answer(to: request) }
    try stage.ask("seek", #"{"position":17}"#)
    try stage.ear.listen(toFrame: last + 20_000)
    let run = try #require(stage.ear.score.sound.last)
    #expect(run.first == last)
  }

  @Test func pausingLosesAndRepeatsNothing() throws {
    for turn in 1...4 {
      let paused = try stage.ask("pause")
      #expect(paused.state == .paused)
      try stage.ear.listen(for: "silence") { $0.silence > 3_000 }
      let still = try stage.status()
      #expect(still.rate == 0)
      #expect(still.position == (try stage.status()).position)
      #expect(try stage.ask(turn % 2 == 0 ? "play" : "toggle").state == .playing)
      let goal = stage.ear.score.sound.last?.end ?? 0
      try stage.ear.listen(toFrame: goal + 8_000)
    }
    #expect(stage.ear.score.joined.count == 1, "\(stage.ear.score)")
    #expect(stage.ear.score.sound.count == 5)
  }

  @Test func playingWhatPlaysChangesNothing() throws {
    let id = try #require(try stage.ids().first)
    try stage.ask("play", #"{"id":\#(id)}"#)
    try stage.ask("play", #"{"index":0}"#)
    try stage.ask("play")
    try stage.ear.listen(toFrame: 40_000)
    #expect(stage.ear.score.sound.count == 1, "\(stage.ear.score)")
  }

  @Test func stopReturnsToTheStart() throws {
    let stopped = try stage.ask("stop")
    #expect(stopped.state == .stopped)
    #expect(stopped.position == .zero)
    #expect(stopped.track != nil)
    try stage.ear.listen(for: "silence") { $0.silence > 10_000 }
    try stage.ask("play")
    try stage.ear.listen(for: "the start again") { $0.sound.count > 1 && ($0.now ?? 0) > 4_000 }
    #expect(stage.ear.score.sound.map(\.first) == [0, 0])
  }
}
