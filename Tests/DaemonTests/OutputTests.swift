import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of the sound server: reconnection, outputs, volumes and stream properties.
@Suite struct OutputTests {
  let fixture: DaemonFixture

  init() throws { fixture = try DaemonFixture(.null("test"), configuration: "[Player]\nGracePeriod=1\n") }

  private func long() throws -> FilePath { try fixture.track("long", 0..<(60 * Signal.rate)) }

  /// Returns the properties of the stream from pactl.
  private func inputs() throws -> String { try fixture.server.pactl("list", "sink-inputs") }

  @Test func playbackStartsWhenAServerAppears() throws {
    fixture.server.kill()
    try fixture.add([try long()], play: true)
    let lost = try fixture.wait { $0.output.state == .lost }
    #expect(lost.state == .playing)
    #expect(lost.position == .zero)
    #expect(lost.rate == 0)
    #expect(lost.output.error != nil)
    // The seek is kept.
    #expect(try fixture.call("seek", #"{"position":30}"#).position == .seconds(30))
    try fixture.server.start()
    let playing = try fixture.wait { $0.rate == 1 && $0.output.device != nil }
    #expect(playing.output.state == .open)
    #expect(playing.output.device == "test")
    let recorded = OutputRecording(try fixture.server.record())
    try recorded.wait(for: "the target") { $0.sound.contains { ($0.first ?? 0) >= 30 * Signal.rate } }
    #expect(!recorded.recordedFrames.sound.contains { ($0.first ?? 0) < 30 * Signal.rate })
  }

  @Test func aStoppedPlayerReportsNoOutputError() throws {
    fixture.server.kill()
    try fixture.add([try long()], play: true)
    try fixture.wait { $0.output.state == .lost && $0.output.error != nil }
    let stopped = try fixture.call("stop", "{}")
    #expect(stopped.state == .stopped)
    #expect(stopped.output.error == nil && stopped.output.errorKind == nil)
    #expect(try fixture.call("play", "{}").output.error != nil, "play tries to connect again")
  }

  @Test func aMissingChosenOutputFallsBackToTheDefault() throws {
    let fixture = try DaemonFixture(.null("test"), configuration: "[Output]\nDevice=unplugged\n")
    try fixture.add([try fixture.track("long", 0..<(60 * Signal.rate))], play: true)
    let playing = try fixture.wait { $0.rate == 1 && $0.output.device != nil }
    #expect(playing.output.device == "test")
    #expect(playing.output.error == nil)
  }

  @Test func aLostServerIsAwaitedAtThePosition() throws {
    try fixture.add([try long()], play: true)
    try fixture.recording.wait(forFrame: 60_000)
    fixture.server.kill()
    let lost = try fixture.wait { $0.output.state == .lost }
    #expect(lost.state == .playing)
    #expect(lost.rate == 0)
    let end = try #require(fixture.recording.recordedFrames.sound.last).end
    let stopped = (lost.position ?? .zero).seconds
    #expect(
      abs(stopped - Double(end) / Double(Signal.rate)) < 0.3,
      "the position is \(stopped) s after \(end) recorded frames")
    #expect(try fixture.status().position == lost.position, "the position does not advance")
    try fixture.server.start()
    let back = try fixture.wait { $0.rate == 1 }
    #expect(back.output.reconnects >= 1)
    #expect((back.position ?? .zero).seconds < stopped + 2)
    #expect((back.position ?? .zero).seconds >= stopped)
    let recorded = OutputRecording(try fixture.server.record())
    try recorded.wait(for: "sound after the lost position") { ($0.lastFrame ?? 0) > end }
  }

  @Test func aPauseWhileTheServerIsLostIsKept() throws {
    try fixture.add([try long()], play: true)
    try fixture.recording.wait(forFrame: 30_000)
    fixture.server.kill()
    try fixture.wait { $0.output.state == .lost }
    let paused = try fixture.call("pause")
    #expect(paused.state == .paused)
    #expect(paused.output.state != .lost, "a paused player does not need the server")
    try fixture.server.start()
    let resumed = try fixture.call("play")
    #expect(resumed.state == .playing)
    let playing = try fixture.wait { $0.rate == 1 }
    #expect((playing.position ?? .zero) >= (paused.position ?? .zero))
  }

  @Test func theVolumeWorksInEveryStateAndFollowsTheServer() throws {
    #expect(try fixture.client.call("volume", #"{"level":40}"#)["volume"]?.int == 40)
    try fixture.add([try long()], play: true)
    try fixture.wait { $0.output.state == .open }
    #expect(try inputs().contains(" 40% "), "the volume was set before the stream existed")
    #expect(try fixture.client.call("volume", #"{"delta":15}"#)["volume"]?.int == 55)
    let index = try #require(try inputs().split(separator: "#").dropFirst().first?.prefix { $0.isNumber })
    try fixture.server.pactl("set-sink-input-volume", String(index), "30%")
    #expect(try fixture.wait { $0.volume == 30 }.muted == false)
    try fixture.server.pactl("set-sink-input-mute", String(index), "1")
    #expect(try fixture.wait { $0.muted }.volume == 30)
    try fixture.client.call("volume", #"{"muted":false}"#)
    try fixture.call("pause")
    #expect(try fixture.client.call("volume", #"{"level":66}"#)["volume"]?.int == 66)
    try fixture.call("stop")
    try fixture.wait { $0.output.state == .idle }
    #expect(try fixture.client.call("volume", #"{"level":20}"#)["volume"]?.int == 20)
    try fixture.call("play")
    try fixture.wait { $0.output.state == .open }
    #expect(try inputs().contains(" 20% "))
    #expect(try inputs().contains("Mute: no"))
    #expect(try fixture.client.errorResponse(to: "volume", #"{"level":101}"#).kind == "invalid_params")
  }

  /// Returns the server's number of the daemon's stream.
  private func input() throws -> String {
    String(try #require(try inputs().split(separator: "#").dropFirst().first?.prefix { $0.isNumber }))
  }

  /// The server executes both commands before it reports a change, and then has the volume that it reported before.
  @Test func theMixerIsFollowedAfterTwoChangesAtOnce() throws {
    try fixture.client.call("volume", #"{"level":50}"#)
    try fixture.add([try long()], play: true)
    try fixture.wait { $0.rate == 1 && $0.output.device != nil }
    fixture.server.freeze()
    #expect(try fixture.client.call("volume", #"{"level":60}"#)["volume"]?.int == 60)
    #expect(try fixture.client.call("volume", #"{"level":50}"#)["volume"]?.int == 50)
    fixture.server.thaw()
    try waitUntil("the volume is set") { try inputs().contains(" 50% ") }
    try fixture.server.pactl("set-sink-input-volume", try input(), "30%")
    try fixture.wait { $0.volume == 30 }
  }

  /// The mixer's change replaces that of the daemon before the daemon reads the volume.
  @Test(arguments: [30, 50]) func theMixerIsFollowedIfTheDaemonReadsOnlyItsChange(percent: Int) throws {
    let relay = try fixture.restartBehindRelay()
    try fixture.client.call("volume", #"{"level":50}"#)
    try fixture.add([try long()], play: true)
    try fixture.wait { $0.rate == 1 && $0.output.device != nil }
    relay.hold(.getSinkInputInfo)
    try fixture.client.call("volume", #"{"level":60}"#)
    try waitUntil("the daemon reads the volume") { relay.isHolding }
    try waitUntil("the volume is set") { try inputs().contains(" 60% ") }
    try fixture.server.pactl("set-sink-input-volume", try input(), "\(percent)%")
    relay.release()
    try fixture.wait { $0.volume == percent }
  }

  /// A server that remembers volumes decides on the volume of a stream for which the daemon has only set the mute.
  @Test func theVolumeOfTheServerIsAdoptedAfterAMuteWithoutAStream() throws {
    try fixture.server.pactl("load-module", "module-stream-restore")
    let other = try ChildProcess(
      ["pacat", "--raw", "--property=media.role=music", "/dev/zero"], environment: fixture.server.environment)
    try waitUntil("the other program plays") { try inputs().contains("Sink Input #") }
    try fixture.server.pactl("set-sink-input-volume", try input(), "74%")
    try waitUntil("its volume is set") { try inputs().contains(" 74% ") }
    other.end()
    try fixture.client.call("volume", #"{"muted":true}"#)
    try fixture.add([try long()], play: true)
    #expect(try fixture.wait { $0.volume == 74 }.muted)
    #expect(try inputs().contains(" 74% "))
    try fixture.server.pactl("set-sink-input-volume", try input(), "30%")
    try fixture.wait { $0.volume == 30 }
  }

  @Test func outputsAreListedAndSwitched() throws {
    try fixture.server.pactl("load-module", "module-null-sink", "sink_name=other", "rate=48000", "format=s32le")
    try fixture.add([try long()], play: true)
    let before = try fixture.wait { $0.rate == 1 && $0.output.device != nil }
    #expect(before.output.device == "test")
    let outputs = try fixture.client.call("output.list")["outputs"]?.elements ?? []
    #expect(outputs.map { $0["name"]?.string } == ["test", "other"])
    #expect(outputs.first { $0["name"]?.string == "other" }?["sampleRate"]?.int == 48_000)
    try fixture.client.call("output.set", #"{"device":"other"}"#)
    let moved = try fixture.wait { $0.output.device == "other" }
    #expect(moved.state == .playing)
    let list = try fixture.server.pactl("list", "short", "sink-inputs").split(separator: "\t")
    let sinks = try fixture.server.pactl("list", "short", "sinks").split(separator: "\n")
    let other = try #require(sinks.first { $0.contains("other") }?.prefix { $0.isNumber })
    #expect(list.dropFirst().first == other)
    let playing = try fixture.wait { $0.rate == 1 && ($0.position ?? .zero) > (before.position ?? .zero) }
    #expect(playing.output.state == .open)
    #expect(try fixture.client.errorResponse(to: "output.set", #"{"device":"nowhere"}"#).kind == "not_found")
    try fixture.client.call("output.set", #"{"device":null}"#)
    try fixture.wait { $0.output.device == "test" }
  }

  @Test func theStreamHasThePropertiesOfTheTrack() throws {
    let flac = try AudioFile.read(Repository.fixture("a.flac"))
    let one = try fixture.write("one.flac", FLACTags.replace(flac, [("TITLE", "Первая"), ("ARTIST", "Кто-то")]))
    let two = try fixture.write("two.flac", FLACTags.replace(flac, [("TITLE", "Second"), ("ARTIST", "Another")]))
    try fixture.call("repeat", #"{"mode":"one"}"#)
    let ids = try fixture.add([one, two], play: true)
    try fixture.wait { $0.rate == 1 }
    let first = try inputs()
    #expect(first.contains("media.title = \"Первая\""))
    #expect(first.contains("media.artist = \"Кто-то\""))
    #expect(first.contains("media.role = \"music\""))
    #expect(first.contains("application.name = \"Segue\""))
    try fixture.call("play", #"{"id":\#(ids[1])}"#)
    try fixture.wait { $0.rate == 1 && $0.track?.id == UInt64(ids[1]) }
    let second = try inputs()
    #expect(second.contains("media.title = \"Second\""))
    #expect(second.contains("media.artist = \"Another\""))
  }

  @Test func streamAndWorkerCloseAfterTheGracePeriodAndResume() throws {
    try fixture.add([try long()], play: true)
    try fixture.recording.wait(forFrame: 40_000)
    try fixture.call("pause")
    try fixture.recording.wait(for: "silence") { $0.silence > 2_000 }
    #expect(try inputs().contains("Corked: yes"), "the stream is kept during the grace period")
    let idle = try fixture.wait { $0.output.state == .idle }
    #expect(idle.state == .paused)
    let end = try #require(fixture.recording.recordedFrames.sound.last).end
    #expect(abs((idle.position ?? .zero).seconds - Double(end) / Double(Signal.rate)) < 0.03)
    #expect(try inputs().isEmpty)
    try Processes.waitForNoChildren(of: try #require(fixture.daemon.pid))
    try fixture.call("play")
    try fixture.recording.wait(forFrame: end + 10_000)
    let start = try #require(fixture.recording.recordedFrames.sound.last?.first)
    #expect(abs(start - end) < 1_323, "continues within 30 ms of the pause: \(fixture.recording.recordedFrames)")
  }
}
