import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of `play`, which returns when playback starts or fails.
@Suite struct PlayTests {
  private static let subscription = #"subscribe {"topics":["player"]}"#

  private static func event(_ status: Status) -> StubDaemon.Step {
    .line(
      #"{"jsonrpc":"2.0","method":"event","params":{"topic":"player","seq":1,"data":\#(RecordedResponses.json(status))}}"#
    )
  }

  /// Creates a daemon whose response to `play` is a track that has not started yet. It sends `states` after a
  /// subscription.
  private static func daemon(
    then states: [Status], list: [StubDaemon.Step] = [.result(RecordedResponses.page([], total: 0))]
  ) throws -> StubDaemon {
    try StubDaemon { method, _ in
      switch method {
      case "subscribe":
        [.result(#"{"seq":0,"status":\#(RecordedResponses.json(RecordedResponses.status()))}"#)] + states.map(event)
      case "list": list
      default: [.result(RecordedResponses.json(RecordedResponses.status()))]
      }
    }
  }

  private func play(_ daemon: StubDaemon, _ words: [String] = []) throws -> ClientProcess.Outcome {
    try ClientProcess.run(["play"] + words, environment: daemon.environment)
  }

  @Test func playReturnsWhenPlaybackStarts() throws {
    let daemon = try Self.daemon(then: [
      RecordedResponses.status(position: 84), RecordedResponses.status(position: 90, rate: 1),
    ])
    let outcome = try play(daemon)
    #expect(outcome.code == 0 && outcome.errors == [])
    #expect(outcome.lines == ["playing So What — Miles Davis  1:30 / 3:21"])
    #expect(daemon.requests == ["play", Self.subscription])
  }

  @Test func playOfAPlayingTrackDoesNotSubscribe() throws {
    let daemon = try StubDaemon { _, _ in [.result(RecordedResponses.json(RecordedResponses.status(rate: 1)))] }
    #expect(try play(daemon, ["3"]).code == 0)
    #expect(daemon.requests == [#"play {"index":2}"#])
  }

  @Test func playPrintsTheLastStateAsJSON() throws {
    let playing = RecordedResponses.status(position: 90, rate: 1)
    let daemon = try Self.daemon(then: [playing])
    #expect(try play(daemon, ["--json"]).lines == [RecordedResponses.json(playing)])
  }

  @Test func playOfASkippedTrackFailsWithItsError() throws {
    let next = RecordedResponses.status(track: RecordedResponses.track(3, "Freddie"), position: 0, rate: 1)
    let broken = RecordedResponses.track(2, "So What", error: "no audio\u{1B}[2J in it")
    let daemon = try Self.daemon(then: [next], list: [.result(RecordedResponses.page([broken], total: 5, offset: 2))])
    let outcome = try play(daemon)
    #expect(outcome.code == 1)
    #expect(outcome.lines == ["playing Freddie  0:00 / 3:21"])
    #expect(outcome.errorText == "segue: So What: no audio^[[2J in it (unplayable)\n")
    #expect(daemon.requests == ["play", Self.subscription, #"list {"limit":1,"id":102}"#])
  }

  @Test func playSucceedsIfTheTrackEndedBeforeTheNextState() throws {
    let next = RecordedResponses.status(track: RecordedResponses.track(3, "Freddie"), rate: 1)
    let good = RecordedResponses.track(2, "So What")
    let daemon = try Self.daemon(then: [next], list: [.result(RecordedResponses.page([good], total: 5, offset: 2))])
    #expect(try play(daemon).code == 0)
  }

  @Test func playSucceedsIfTheTrackWasRemovedMeanwhile() throws {
    let next = RecordedResponses.status(track: RecordedResponses.track(3, "Freddie"), rate: 1)
    let daemon = try Self.daemon(
      then: [next], list: [.error(code: 1, kind: "no_such_track", message: "no track with id 102 in the queue")])
    let outcome = try play(daemon)
    #expect(outcome.code == 0 && outcome.errors == [])
  }

  @Test func playOfAnUnplayableLastTrackFailsWithItsError() throws {
    let stopped = RecordedResponses.status(
      .stopped, track: RecordedResponses.track(2, "So What", error: "no audio in it"))
    let outcome = try play(try Self.daemon(then: [stopped]))
    #expect(outcome.code == 1)
    #expect(outcome.errorText == "segue: So What: no audio in it (unplayable)\n")
  }

  @Test(arguments: Output.ErrorKind.allCases) func playWithoutAnOutputFailsWithTheReason(
    kind: Output.ErrorKind
  ) throws {
    let (error, remark, message) =
      switch kind {
      case .noServer:
        (
          "Connection refused", "no sound server",
          "no sound server (Connection refused): playback starts when one is available"
        )
      case .noAnswer:
        ("the sound server does not answer", "the sound server does not answer", "the sound server does not answer")
      case .noSink:
        (
          "the sound server has no output device (sink)", "no output device",
          "the sound server has no output device (sink)"
        )
      case .sinkStalled:
        ("the output device does not play", "the output device does not play", "the output device does not play")
      case .noStream:
        (
          "Access denied", "the sound server does not open a stream",
          "the sound server does not open a stream (Access denied): playback starts when it accepts one"
        )
      }
    let lost = RecordedResponses.status {
      $0.output.state = .lost
      ($0.output.error, $0.output.errorKind) = (.plain(error), kind)
    }
    let outcome = try play(try Self.daemon(then: [lost]))
    #expect(outcome.code == 1)
    #expect(outcome.lines == ["playing So What — Miles Davis  1:23 / 3:21  (\(remark))"])
    #expect(outcome.errorText.hasPrefix("segue: \(message) (unavailable)\n"))
  }

  @Test func playWithoutADecoderFailsWithTheReason() throws {
    let paused = RecordedResponses.status(.paused) { $0.output.error = "no decoder comes up: ended by signal 9" }
    let outcome = try play(try Self.daemon(then: [paused]))
    #expect(outcome.code == 1)
    #expect(outcome.errorText.hasPrefix("segue: nothing can be played: no decoder comes up: ended by signal 9"))
  }

  @Test func playSucceedsIfPlaybackIsPausedMeanwhile() throws {
    let outcome = try play(try Self.daemon(then: [RecordedResponses.status(.paused)]))
    #expect(outcome.code == 0 && outcome.errors == [])
  }

  @Test func playReturnsAfterTwoSecondsWithoutSound() throws {
    let outcome = try play(try Self.daemon(then: []))
    #expect(outcome.code == 0 && outcome.errors == [])
    #expect(outcome.lines == ["playing So What — Miles Davis  1:23 / 3:21  (no sound yet)"])
  }

  @Test func playFailsIfTheDaemonStopsMeanwhile() throws {
    let daemon = try StubDaemon { method, _ in
      [.result(method == "subscribe" ? "{}" : RecordedResponses.json(RecordedResponses.status()))]
        + (method == "subscribe" ? [.close] : [])
    }
    #expect(try play(daemon).code == 3)
  }
}
