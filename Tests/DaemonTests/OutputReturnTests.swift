import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of a chosen output that vanishes and returns, as a USB or Bluetooth device does.
@Suite struct OutputReturnTests {
  let fixture: DaemonFixture
  private let headset: OutputRecording
  private let module: String

  init() throws {
    fixture = try DaemonFixture(.null("test"), configuration: "[Output]\nDevice=headset\n[Player]\nGracePeriod=1\n")
    module = try Self.plugIn(fixture.server)
    headset = OutputRecording(try fixture.server.record("headset.monitor"))
    try fixture.server.pactl("set-default-sink", "test")
  }

  /// Makes the sink appear, and returns the number of its module.
  @discardableResult
  private static func plugIn(_ server: PulseServer, _ name: String = "headset") throws -> String {
    String(try server.pactl("load-module", "module-null-sink", "sink_name=\(name)").prefix { $0.isNumber })
  }

  private func play() throws {
    try fixture.add([try fixture.track("long", 0..<(60 * Signal.rate))], play: true)
    try headset.wait(forFrame: 30_000)
  }

  /// Both outputs write to FIFOs, from which the test gets everything from the first frame on.
  @Test func playbackMovesToAChosenOutputThatAppears_withoutALostFrame() throws {
    let fixture = try DaemonFixture(.pipe("test"), configuration: "[Output]\nDevice=headset\n")
    try fixture.add([try fixture.track("long", 0..<(60 * Signal.rate))], play: true)
    try fixture.recording.wait(forFrame: 30_000)
    let fifo = fixture.server.fifo("headset")
    try checked("mkfifo", fifo) { mkfifo(fifo, 0o600) }
    let headset = OutputRecording(try fixture.server.readFIFO("headset"))
    try fixture.server.pactl(
      "load-module", "module-pipe-sink", "sink_name=headset", "file=\(fifo)", "use_system_clock_for_timing=yes")
    try fixture.wait { $0.output.device == "headset" && $0.rate == 1 }
    try fixture.recording.wait(for: "silence on the other output") { $0.silence > 4_410 }
    let end = try #require(fixture.recording.recordedFrames.sound.last).end
    try headset.wait(for: "sound on the chosen output") { ($0.lastFrame ?? 0) > end + 20_000 }
    let first = try #require(headset.recordedFrames.sound.first?.first)
    #expect(first == end, "\(fixture.recording.recordedFrames), then \(headset.recordedFrames)")
    let status = try fixture.status()
    #expect(status.output.underruns == 0 && status.output.reconnects == 0 && status.output.error == nil)
  }

  /// PulseAudio moves the stream of a sink that returns by itself, and drops what the sink has rendered.
  @Test func playbackReturnsToTheChosenOutput() throws {
    try play()
    try fixture.server.pactl("unload-module", module)
    try fixture.wait { $0.output.device == "test" }
    try fixture.recording.wait(for: "sound on the other output") { ($0.sound.last?.count ?? 0) > 20_000 }
    let list = try fixture.client.call("output.list")
    #expect(list["chosen"]?.string == "headset")
    #expect(list["outputs"]?.elements?.map { $0["name"]?.string } == ["test"])
    // A sink that writes to a FIFO: the test gets everything from the first frame on.
    let fifo = fixture.server.fifo("headset")
    try checked("mkfifo", fifo) { mkfifo(fifo, 0o600) }
    let returned = OutputRecording(try fixture.server.readFIFO("headset"))
    try fixture.server.pactl(
      "load-module", "module-pipe-sink", "sink_name=headset", "file=\(fifo)", "use_system_clock_for_timing=yes")
    try fixture.wait { $0.output.device == "headset" }
    try returned.wait(for: "sound on the chosen output") { ($0.sound.last?.count ?? 0) > 20_000 }
    try fixture.recording.wait(for: "silence on the other output") { $0.silence > 4_410 }
    let end = try #require(fixture.recording.recordedFrames.sound.last).end
    let first = try #require(returned.recordedFrames.sound.first?.first)
    // A null sink drops up to 20 ms of what it has rendered when a stream leaves it.
    #expect(first <= end + 1_000, "the other output played up to \(end), the chosen one from \(first)")
    #expect(returned.recordedFrames.sound.count == 1, "\(returned.recordedFrames)")
    let status = try fixture.wait { $0.rate == 1 }
    #expect(status.output.underruns == 0 && status.output.reconnects == 0 && status.output.error == nil)
  }

  @Test func playbackMovesToAChosenOutputThatWasMissingAtTheStart() throws {
    try fixture.server.pactl("unload-module", module)
    try fixture.add([try fixture.track("long", 0..<(60 * Signal.rate))], play: true)
    try fixture.wait { $0.output.device == "test" && $0.rate == 1 }
    try Self.plugIn(fixture.server)
    try fixture.wait { $0.output.device == "headset" && $0.rate == 1 }
  }

  @Test func aPausedStreamReturnsToTheChosenOutput() throws {
    try play()
    try fixture.daemon.configure("[Output]\nDevice=headset\n")
    try fixture.call("pause")
    try fixture.server.pactl("unload-module", module)
    try fixture.wait { $0.output.device == "test" }
    try Self.plugIn(fixture.server)
    try fixture.wait { $0.output.device == "headset" }
    #expect(try fixture.call("play").state == .playing)
  }

  @Test func aStreamThatAUserHasMovedStaysThere() throws {
    try play()
    let wide = try fixture.write("wide.wav", AudioFile.wave(Signal.widePCM(0..<(60 * Signal.rate)), bytes: 4))
    try fixture.add([wide])
    let input = try fixture.server.pactl("list", "short", "sink-inputs").prefix { $0.isNumber }
    try fixture.server.pactl("move-sink-input", String(input), "test")
    try fixture.wait { $0.output.device == "test" }
    // The chosen output vanishes and returns meanwhile.
    try fixture.server.pactl("unload-module", module)
    try Self.plugIn(fixture.server)
    for _ in 0..<3 { try fixture.client.call("output.list") }
    #expect(try fixture.status().output.device == "test")
    // The next stream plays there, too.
    try fixture.call("next")
    try fixture.wait { $0.index == 1 && $0.rate == 1 }
    #expect(try fixture.wait { $0.output.device != nil }.output.device == "test")
    try fixture.client.call("output.set", #"{"device":"headset"}"#)
    try fixture.wait { $0.output.device == "headset" }
  }

  /// The sink to which the server moves a stream can change with the default. That is no choice of a user.
  @Test func playbackReturnsAfterAChangeOfTheDefault() throws {
    try play()
    try fixture.server.pactl("unload-module", module)
    try fixture.wait { $0.output.device == "test" }
    try Self.plugIn(fixture.server, "speaker")
    try fixture.server.pactl("set-default-sink", "speaker")
    try fixture.wait { $0.output.device == "speaker" }
    try Self.plugIn(fixture.server)
    try fixture.wait { $0.output.device == "headset" && $0.rate == 1 }
  }
}
