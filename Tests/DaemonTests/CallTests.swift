import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of calls, during which module-role-cork of PulseAudio mutes music and requests a pause.
@Suite struct CallTests {
  let fixture: DaemonFixture

  init() throws {
    fixture = try DaemonFixture(.null("test"), configuration: "[Player]\nGracePeriod=1\nRestore=resume\n")
    try fixture.server.pactl("load-module", "module-role-cork")
  }

  private func long() throws -> FilePath { try fixture.track("long", 0..<(60 * Signal.rate)) }

  /// Returns a track that needs another stream than `long`, with the frames from 100 s on.
  private func wide() throws -> FilePath {
    let frames = (100 * Signal.rate)..<(160 * Signal.rate)
    return try fixture.write("wide.wav", AudioFile.wave(Signal.widePCM(frames), bytes: 4))
  }

  /// Starts a call, which makes no sound.
  private func startCall() throws -> ChildProcess {
    try ChildProcess(
      ["pacat", "--raw", "--latency-msec=20", "--property=media.role=phone", "/dev/zero"],
      environment: fixture.server.environment)
  }

  /// Starts a call, and waits until it has paused playback.
  private func interrupt() throws -> ChildProcess {
    let call = try startCall()
    try fixture.wait { $0.state == .paused }
    return call
  }

  private func inputs() throws -> String { try fixture.server.pactl("list", "sink-inputs") }

  /// Waits until playback is audible after `frame`, and checks that it is not muted.
  private func expectSound(after frame: Int, at location: SourceLocation = #_sourceLocation) throws {
    try fixture.recording.wait(for: "sound after frame \(frame)", at: location) { frames in
      frames.sound.contains { ($0.first ?? 0) >= frame && $0.count > 5_000 }
    }
    let status = try fixture.wait { $0.rate == 1 }
    #expect(!status.muted, sourceLocation: location)
  }

  @Test func playbackContinuesWithSoundAfterACallThatOutlastsTheGracePeriod() throws {
    try fixture.add([try long()], play: true)
    try fixture.recording.wait(forFrame: 30_000)
    let call = try interrupt()
    #expect(try !fixture.status().muted, "the mute of the call is not the user's")
    try Processes.waitForNoChildren(of: try #require(fixture.daemon.pid))
    #expect(try fixture.status().state == .paused)
    try fixture.recording.wait(for: "silence") { $0.silence > 2_000 }
    let end = try #require(fixture.recording.recordedFrames.sound.last).end
    call.end()
    try expectSound(after: end - 4_410)
    let first = try #require(fixture.recording.recordedFrames.sound.last?.first)
    #expect(abs(first - end) < 4_410, "\(fixture.recording.recordedFrames)")
    #expect(try !inputs().contains("Mute: yes"))
  }

  @Test func aStopDuringACallLeavesNoMute() throws {
    try fixture.add([try long()], play: true)
    try fixture.recording.wait(forFrame: 30_000)
    let call = try interrupt()
    try fixture.call("stop")
    try fixture.wait { $0.output.state == .idle }
    call.end()
    #expect(try fixture.status().state == .stopped)
    try fixture.call("play")
    try expectSound(after: 0)
    #expect(try !inputs().contains("Mute: yes"))
  }

  @Test func aTrackOfAnotherFormatThatStartsDuringACallPlaysAfterIt() throws {
    let ids = try fixture.add([try long(), try wide()], play: true)
    try fixture.recording.wait(forFrame: 30_000)
    let call = try interrupt()
    try fixture.call("next")
    try fixture.call("play")
    // The new stream is interrupted as well.
    try fixture.wait { $0.state == .paused && $0.track?.id == UInt64(ids[1]) }
    call.end()
    try expectSound(after: 100 * Signal.rate)
    #expect(try !inputs().contains("Mute: yes"))
  }

  @Test func playbackThatIsStartedDuringACallContinuesAfterIt() throws {
    let call = try startCall()
    try waitUntil("the call is there") { try inputs().contains("phone") }
    try fixture.add([try long()], play: true)
    try fixture.wait { $0.state == .paused }
    try Processes.waitForNoChildren(of: try #require(fixture.daemon.pid))
    call.end()
    try expectSound(after: 0)
  }

  @Test(arguments: [SIGTERM, SIGKILL]) func playbackContinuesIfTheDaemonIsRestartedDuringACall(signal: Int32) throws {
    try fixture.add([try long()], play: true)
    try fixture.recording.wait(forFrame: 30_000)
    let call = try interrupt()
    fixture.daemon.stop(signal)
    try fixture.daemon.start()
    try fixture.reconnect()
    try fixture.wait { $0.state == .paused && $0.output.device != nil }
    call.end()
    try expectSound(after: 0)
    #expect(try !inputs().contains("Mute: yes"))
  }

  @Test func playbackContinuesIfTheServerIsRestartedDuringACall() throws {
    try fixture.add([try long()], play: true)
    try fixture.recording.wait(forFrame: 30_000)
    let call = try interrupt()
    try Processes.waitForNoChildren(of: try #require(fixture.daemon.pid))
    fixture.server.kill()
    call.end(SIGKILL)
    try fixture.wait { $0.output.state == .lost && $0.state == .playing }
    try fixture.server.start()
    let recording = OutputRecording(try fixture.server.record())
    try recording.wait(for: "sound") { ($0.sound.last?.count ?? 0) > 5_000 }
    #expect(try !fixture.status().muted)
  }

  /// A headset changes its profile for a call: its sink vanishes, and the server moves the streams and forgets the
  /// mute.
  @Test func playbackContinuesAfterACallDuringWhichTheSinkVanished() throws {
    let module = try fixture.server.pactl("load-module", "module-null-sink", "sink_name=headset").prefix { $0.isNumber }
    try fixture.server.pactl("set-default-sink", "headset")
    let headset = OutputRecording(try fixture.server.record("headset.monitor"))
    try fixture.add([try long()], play: true)
    try headset.wait(forFrame: 30_000)
    let call = try interrupt()
    try fixture.server.pactl("unload-module", String(module))
    try fixture.wait { $0.output.device == "test" }
    // The call lasts: playback is paused again.
    try waitUntil("playback is paused") { try fixture.status().state == .paused && inputs().contains("Mute: yes") }
    #expect(fixture.recording.recordedFrames.sound.reduce(0) { $0 + $1.count } < 4_410)
    call.end()
    try expectSound(after: 0)
    #expect(try !inputs().contains("Mute: yes"))
  }

  @Test func aMuteAndAVolumeThatAreSetDuringACallStayAfterIt() throws {
    try fixture.add([try long()], play: true)
    try fixture.recording.wait(forFrame: 30_000)
    let call = try interrupt()
    try fixture.client.call("volume", #"{"level":40,"muted":true}"#)
    call.end()
    #expect(try fixture.wait { $0.rate == 1 }.muted)
    try waitUntil("the stream is muted") { try inputs().contains("Mute: yes") && inputs().contains(" 40% ") }
    try fixture.client.call("volume", #"{"muted":false}"#)
    try expectSound(after: 0)
  }

  @Test(arguments: [false, true]) func playbackContinuesAfterACallThatEndsBeforeTheStreamIsCorked(muted: Bool) throws {
    let relay = try fixture.restartBehindRelay()
    try fixture.add([try long()], play: true)
    try fixture.recording.wait(forFrame: 30_000)
    relay.hold(.corkPlaybackStream)
    let call = try interrupt()
    if muted { try fixture.client.call("volume", #"{"muted":true}"#) }
    try waitUntil("the daemon requests a cork") { relay.isHolding }
    call.end()
    try waitUntil("the call has ended") { try !inputs().contains("phone") && !inputs().contains("Mute: yes") }
    relay.release()
    #expect(try fixture.wait { $0.rate == 1 }.muted == muted)
    if muted {
      try waitUntil("the stream is muted") { try inputs().contains("Mute: yes") }
      try fixture.client.call("volume", #"{"muted":false}"#)
    }
    try expectSound(after: 0)
  }

  /// The module requests a cork for each call, but does not mute a stream again that a user has unmuted meanwhile.
  @Test func aSecondCallInterruptsPlaybackThatWasResumedDuringTheFirst() throws {
    try fixture.add([try long()], play: true)
    try fixture.recording.wait(forFrame: 30_000)
    let first = try interrupt()
    try fixture.client.call("volume", #"{"muted":false}"#)
    fixture.recording.discard()
    try fixture.call("play")
    try expectSound(after: 0)
    let second = try interrupt()
    try fixture.recording.wait(for: "silence") { $0.silence > 20_000 }
    #expect(try fixture.status().state == .paused)
    first.end()
    second.end()
    fixture.recording.discard()
    try expectSound(after: 0)
  }

  @Test func aRequestToPlayAndUnmuteDuringACallIsObeyed() throws {
    try fixture.add([try long()], play: true)
    try fixture.recording.wait(forFrame: 30_000)
    let call = try interrupt()
    try fixture.client.call("volume", #"{"muted":false}"#)
    fixture.recording.discard()
    try fixture.call("play")
    try expectSound(after: 0)
    call.end()
    try waitUntil("the call has ended") { try !inputs().contains("phone") }
    #expect(try fixture.status().state == .playing)
  }

  @Test func twoCallsAtOnceInterruptPlaybackUntilTheSecondEnds() throws {
    try fixture.add([try long()], play: true)
    try fixture.recording.wait(forFrame: 30_000)
    let (first, second) = (try interrupt(), try startCall())
    try waitUntil("the second call is there") { try inputs().split(separator: "\"phone\"").count == 3 }
    first.end()
    try waitUntil("the first call has ended") { try inputs().split(separator: "\"phone\"").count == 2 }
    #expect(try fixture.status().state == .paused)
    second.end()
    try expectSound(after: 0)
  }

  @Test func aPauseOfTheUserOutlastsACall() throws {
    try fixture.add([try long()], play: true)
    try fixture.recording.wait(forFrame: 30_000)
    try fixture.call("pause")
    let call = try startCall()
    try waitUntil("the call is there") { try inputs().contains("phone") }
    call.end()
    try fixture.wait { $0.output.state == .idle }
    #expect(try fixture.status().state == .paused)
    try fixture.call("play")
    try expectSound(after: 0)
  }

  /// The module removes the mute at the end of the call. The daemon has requested a report before it sets the mute
  /// again, and the server makes the report in between.
  @Test func aMuteOfTheUserStaysIfTheServerReportsAfterTheEndOfACall() throws {
    let relay = try fixture.restartBehindRelay()
    try fixture.add([try long()], play: true)
    try fixture.recording.wait(forFrame: 30_000)
    let call = try interrupt()
    try fixture.client.call("volume", #"{"muted":true}"#)
    relay.hold(.getSinkInputInfo)
    try fixture.client.call("volume", #"{"level":40}"#)
    try waitUntil("the daemon requests a report") { relay.isHolding }
    call.end()
    try fixture.wait { $0.state == .playing }
    // The next report is requested after the first one was handled.
    relay.hold(.getSinkInputInfo)
    try waitUntil("the daemon requests another report") { relay.isHolding }
    #expect(try fixture.status().muted)
    relay.release()
    #expect(try fixture.wait { $0.rate == 1 }.muted)
    try waitUntil("the stream is muted") { try inputs().contains("Mute: yes") }
  }

  /// A request with which a user takes over from the call.
  enum Takeover: CaseIterable { case pause, seek, next }

  /// Playback does not resume after the call then, and the stream is not needed for that.
  @Test(arguments: Takeover.allCases)
  func aRequestOfAUserDuringACallThatOutlastsTheGracePeriodLetsTheStreamBeClosed(takeover: Takeover) throws {
    try fixture.add([try long(), try wide()], play: true)
    try fixture.recording.wait(forFrame: 30_000)
    let call = try interrupt()
    try Processes.waitForNoChildren(of: try #require(fixture.daemon.pid))
    switch takeover {
    case .pause: try fixture.call("pause")
    case .seek: try fixture.call("seek", #"{"position":5}"#)
    case .next: try fixture.call("next")
    }
    try fixture.wait { $0.output.state == .idle }
    #expect(try fixture.status().state == .paused)
    #expect(try !inputs().contains(#"application.id = "segue""#), "the call is the only stream that is left")
    call.end()
    try waitUntil("the call has ended") { try !inputs().contains("phone") }
    #expect(try fixture.status().state == .paused)
    fixture.recording.discard()
    try fixture.call("play")
    try expectSound(after: 0)
  }
}
