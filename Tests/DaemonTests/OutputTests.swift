import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of the sound server: reconnection, outputs, volumes and stream properties.
@Suite struct OutputTests {
  let stage: Stage

  init() throws { stage = try Stage(.null("test"), configuration: "[Player]\nGracePeriod=1\n") }

  private func long() throws -> FilePath { try stage.track("long", 0..<(60 * Signal.rate)) }

  /// Returns the properties of the stream from pactl.
  private func inputs() throws -> String { try stage.server.control("list", "sink-inputs") }

  @Test func withoutAServerItWaitsAndStartsByItself() throws {
    stage.server.kill()
    try stage.add([try long()], play: true)
    let lost = try stage.wait { $0.output.state == .lost }
    #expect(lost.state == .playing)
    #expect(lost.position == .zero)
    #expect(lost.rate == 0)
    #expect(lost.output.error != nil)
    // The seek is kept.
    #expect(try stage.ask("seek", #"{"position":30}"#).position == .seconds(30))
    try stage.server.start()
    let playing = try stage.wait { $0.rate == 1 && $0.output.device != nil }
    #expect(playing.output.state == .open)
    #expect(playing.output.device == "test")
    let heard = Ear(try stage.server.record())
    try heard.listen(for: "the target") { $0.sound.contains { ($0.first ?? 0) >= 30 * Signal.rate } }
    #expect(!heard.score.sound.contains { ($0.first ?? 0) < 30 * Signal.rate })
  }

  @Test func aStoppedPlayerHasNoErrorOfTheOutput() throws {
    stage.server.kill()
    try stage.add([try long()], play: true)
    try stage.wait { $0.output.state == .lost && $0.output.error != nil }
    let stopped = try stage.ask("stop", "{}")
    #expect(stopped.state == .stopped)
    #expect(stopped.output.error == nil && stopped.output.errorKind == nil)
    #expect(try stage.ask("play", "{}").output.error != nil, "it is tried again")
  }

  @Test func aChosenSinkThatIsGoneGivesWayToTheDefault() throws {
    let stage = try Stage(.null("test"), configuration: "[Output]\nDevice=unplugged\n")
    try stage.add([try stage.track("long", 0..<(60 * Signal.rate))], play: true)
    let playing = try stage.wait { $0.rate == 1 && $0.output.device != nil }
    #expect(playing.output.device == "test")
    #expect(playing.output.error == nil)
  }

  @Test func aServerThatIsGoneIsWaitedForAtThePosition() throws {
    try stage.add([try long()], play: true)
    try stage.ear.listen(toFrame: 60_000)
    stage.server.kill()
    let lost = try stage.wait { $0.output.state == .lost }
    #expect(lost.state == .playing)
    #expect(lost.rate == 0)
    let end = try #require(stage.ear.score.sound.last).end
    let stopped = (lost.position ?? .zero).seconds
    #expect(abs(stopped - Double(end) / Double(Signal.rate)) < 0.3, "\(stopped) s, and \(end) frames were heard")
    #expect(try stage.status().position == lost.position, "it stands still")
    try stage.server.start()
    let back = try stage.wait { $0.rate == 1 }
    #expect(back.output.reconnects >= 1)
    #expect((back.position ?? .zero).seconds < stopped + 2)
    #expect((back.position ?? .zero).seconds >= stopped)
    let heard = Ear(try stage.server.record())
    try heard.listen(for: "more") { ($0.now ?? 0) > end }
  }

  @Test func pauseWhileItIsGoneIsKept() throws {
    try stage.add([try long()], play: true)
    try stage.ear.listen(toFrame: 30_000)
    stage.server.kill()
    try stage.wait { $0.output.state == .lost }
    let paused = try stage.ask("pause")
    #expect(paused.state == .paused)
    #expect(paused.output.state != .lost, "nothing is asked of it")
    try stage.server.start()
    let resumed = try stage.ask("play")
    #expect(resumed.state == .playing)
    let playing = try stage.wait { $0.rate == 1 }
    #expect((playing.position ?? .zero) >= (paused.position ?? .zero))
  }

  @Test func theVolumeIsSetInEveryStateAndFollowsTheServer() throws {
    #expect(try stage.client.call("volume", #"{"level":40}"#)["volume"]?.int == 40)
    try stage.add([try long()], play: true)
    try stage.wait { $0.output.state == .open }
    #expect(try inputs().contains(" 40% "), "set before there was a stream")
    #expect(try stage.client.call("volume", #"{"delta":15}"#)["volume"]?.int == 55)
    let index = try #require(try inputs().split(separator: "#").dropFirst().first?.prefix { $0.isNumber })
    try stage.server.control("set-sink-input-volume", String(index), "30%")
    #expect(try stage.wait { $0.volume == 30 }.muted == false)
    try stage.server.control("set-sink-input-mute", String(index), "1")
    #expect(try stage.wait { $0.muted }.volume == 30)
    try stage.client.call("volume", #"{"muted":false}"#)
    try stage.ask("pause")
    #expect(try stage.client.call("volume", #"{"level":66}"#)["volume"]?.int == 66)
    try stage.ask("stop")
    try stage.wait { $0.output.state == .idle }
    #expect(try stage.client.call("volume", #"{"level":20}"#)["volume"]?.int == 20)
    try stage.ask("play")
    try stage.wait { $0.output.state == .open }
    #expect(try inputs().contains(" 20% "))
    #expect(try inputs().contains("Mute: no"))
    #expect(try stage.client.refusal(of: "volume", #"{"level":101}"#).kind == "invalid_params")
  }

  @Test func sinksAreListedAndSwitched() throws {
    try stage.server.control("load-module", "module-null-sink", "sink_name=other", "rate=48000", "format=s32le")
    try stage.add([try long()], play: true)
    let before = try stage.wait { $0.rate == 1 && $0.output.device != nil }
    #expect(before.output.device == "test")
    let outputs = try stage.client.call("output.list")["outputs"]?.elements ?? []
    #expect(outputs.map { $0["name"]?.string } == ["test", "other"])
    #expect(outputs.first { $0["name"]?.string == "other" }?["sampleRate"]?.int == 48_000)
    try stage.client.call("output.set", #"{"device":"other"}"#)
    let moved = try stage.wait { $0.output.device == "other" }
    #expect(moved.state == .playing)
    let list = try stage.server.control("list", "short", "sink-inputs").split(separator: "\t")
    let sinks = try stage.server.control("list", "short", "sinks").split(separator: "\n")
    let other = try #require(sinks.first { $0.contains("other") }?.prefix { $0.isNumber })
    #expect(list.dropFirst().first == other)
    let playing = try stage.wait { $0.rate == 1 && ($0.position ?? .zero) > (before.position ?? .zero) }
    #expect(playing.output.state == .open)
    #expect(try stage.client.refusal(of: "output.set", #"{"device":"nowhere"}"#).kind == "not_found")
    try stage.client.call("output.set", #"{"device":null}"#)
    try stage.wait { $0.output.device == "test" }
  }

  @Test func theServerIsToldWhatPlays() throws {
    let flac = try AudioFile.read(Repository.fixture("a.flac"))
    let one = try stage.write("one.flac", AudioFile.tagged(flac, [("TITLE", "Первая"), ("ARTIST", "Кто-то")]))
    let two = try stage.write("two.flac", AudioFile.tagged(flac, [("TITLE", "Second"), ("ARTIST", "Another")]))
    try stage.ask("repeat", #"{"mode":"one"}"#)
    let ids = try stage.add([one, two], play: true)
    try stage.wait { $0.rate == 1 }
    let first = try inputs()
    #expect(first.contains("media.title = \"Первая\""))
    #expect(first.contains("media.artist = \"Кто-то\""))
    #expect(first.contains("media.role = \"music\""))
    #expect(first.contains("application.name = \"Segue\""))
    try stage.ask("play", #"{"id":\#(ids[1])}"#)
    try stage.wait { $0.rate == 1 && $0.track?.id == UInt64(ids[1]) }
    let second = try inputs()
    #expect(second.contains("media.title = \"Second\""))
    #expect(second.contains("media.artist = \"Another\""))
  }

  @Test func streamAndWorkerGoAfterTheGracePeriodAndComeBackWhereTheyWere() throws {
    try stage.add([try long()], play: true)
    try stage.ear.listen(toFrame: 40_000)
    try stage.ask("pause")
    try stage.ear.listen(for: "silence") { $0.silence > 2_000 }
    #expect(try inputs().contains("Corked: yes"), "kept for a while")
    let idle = try stage.wait { $0.output.state == .idle }
    #expect(idle.state == .paused)
    let end = try #require(stage.ear.score.sound.last).end
    #expect(abs((idle.position ?? .zero).seconds - Double(end) / Double(Signal.rate)) < 0.03)
    #expect(try inputs().isEmpty)
    try Processes.waitForNoChildren(of: try #require(stage.daemon.pid))
    try stage.ask("play")
    try stage.ear.listen(toFrame: end + 10_000)
    let start = try #require(stage.ear.score.sound.last?.first)
    #expect(abs(start - end) < 1_323, "goes on within 30 ms of where it was: \(stage.ear.score)")
  }
}
