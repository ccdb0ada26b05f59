import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests with a sound server that crashes, hangs and restarts. Recordings show where playback continued.
@Suite struct SoundServerTests {
  /// The number of frames that may be repeated or lost with the buffer of the server.
  static let maximumGap = Signal.rate * 2 / 5

  private func frame(_ position: MediaTime?) -> Int {
    Int(((position ?? .zero).seconds * Double(Signal.rate)).rounded())
  }

  private func play(_ fixture: DaemonFixture, seconds: Int = 30) throws {
    try fixture.add([try fixture.track("long", 0..<(seconds * Signal.rate))], play: true)
  }

  /// Waits until the server is lost, expects that the position does not advance, and returns its frame.
  private func waitForLoss(_ fixture: DaemonFixture, at location: SourceLocation = #_sourceLocation) throws -> Int {
    let lost = try fixture.wait { $0.output.state == .lost }
    #expect(lost.output.errorKind != nil, sourceLocation: location)
    #expect(lost.state == .playing, sourceLocation: location)
    #expect(lost.rate == 0, sourceLocation: location)
    #expect(lost.output.error != nil, sourceLocation: location)
    #expect(try fixture.status().position == lost.position, "the position does not advance", sourceLocation: location)
    return frame(lost.position)
  }

  /// Restarts the server. Returns the recording from its first frame on, and the time until the first sound.
  private func restart(_ fixture: DaemonFixture) throws -> (recording: OutputRecording, after: MediaTime) {
    try fixture.server.start()
    let started = MonotonicTime.now
    let recording = OutputRecording(try fixture.server.readFIFO("test"))
    try recording.wait(for: "playback to continue") { ($0.sound.last?.count ?? 0) > 2_000 }
    return (recording, (recording.arrivals.last?.time ?? .now) - started)
  }

  @Test func twentyServerCrashesAreSurvived() throws {
    let fixture = try DaemonFixture()
    try play(fixture, seconds: 60)
    var recording = fixture.recording
    var slowest = MediaTime.zero
    try recording.wait(forFrame: 8_000)
    for round in 1...20 {
      // The crash may happen during the start, the handshake or the first responses.
      waitRandomly(within: .milliseconds(300))
      fixture.server.kill(round % 2 == 0 ? SIGKILL : SIGTERM)
      let lostFrame = try waitForLoss(fixture)
      try recording.waitForEndOfStream()
      let end = try #require(recording.recordedFrames.sound.last).end
      #expect(
        abs(lostFrame - end) < Self.maximumGap,
        "round \(round): position \(lostFrame) after the crash, last recorded frame \(end)")
      let (next, after) = try restart(fixture)
      slowest = max(slowest, after)
      let first = try #require(next.recordedFrames.sound.first?.first)
      #expect(
        abs(first - lostFrame) <= 1, "round \(round): position \(lostFrame) after the crash, continued at \(first)")
      recording = next
    }
    print("longest time from the start of the server to sound: \(slowest.seconds) s")
    let status = try fixture.wait { $0.rate == 1 }
    #expect(status.output.state == .open)
    #expect(status.output.reconnects == 20)
    #expect(status.output.error == nil)
  }

  /// A restart of an unused server does not wake the daemon.
  @Test(
    .disabled(if: Sanitizer.isOn, "sanitizers have a thread of their own, which wakes up"),
    arguments: ["pause", "stop"])
  func theServerIsNotContactedWhileStopped(method: String) throws {
    let fixture = try DaemonFixture(configuration: "[Player]\nGracePeriod=0\n")
    try play(fixture)
    try fixture.recording.wait(forFrame: 20_000)
    try fixture.call(method)
    try fixture.recording.wait(for: "silence") { $0.silence > 2_000 }
    let end = try #require(fixture.recording.recordedFrames.sound.last).end
    let pid = try #require(fixture.daemon.pid)
    fixture.server.kill()
    try Processes.waitForNoChildren(of: pid)
    let idle = try fixture.wait { $0.output.state == .idle }
    // The library closes its idle connections after a second.
    try Processes.waitForRest(of: pid, lasting: 1.5)
    let before = Processes.switches(of: [pid])
    // This is the measured interval, in which there would be two attempts to connect.
    sleep(2)
    #expect(Processes.switches(of: [pid]) == before, "the daemon has no timer and does not try to connect")
    #expect(try fixture.status().output.state == .idle)
    try fixture.server.start()
    let recording = OutputRecording(try fixture.server.readFIFO("test"))
    #expect(try fixture.call("play").state == .playing)
    try recording.wait(for: "sound") { ($0.sound.last?.count ?? 0) > 2_000 }
    let first = try #require(recording.recordedFrames.sound.first?.first)
    #expect(abs(first - frame(idle.position)) <= 1)
    #expect(method == "stop" ? first == 0 : abs(first - end) < Self.maximumGap)
  }

  /// The stream stays open for some time after a pause, but the new server does not have it.
  @Test func aServerCrashDuringAPauseIsSurvived() throws {
    let fixture = try DaemonFixture()
    try play(fixture)
    try fixture.recording.wait(forFrame: 20_000)
    let paused = try fixture.call("pause")
    fixture.server.kill()
    try fixture.recording.waitForEndOfStream()
    let status = try fixture.wait { $0.output.state == .idle }
    #expect(status.state == .paused)
    #expect(abs(frame(status.position) - frame(paused.position)) < 2_000)
    try fixture.server.start()
    let recording = OutputRecording(try fixture.server.readFIFO("test"))
    #expect(try fixture.status().state == .paused, "a paused player stays paused")
    try fixture.call("play")
    try recording.wait(for: "sound") { ($0.sound.last?.count ?? 0) > 2_000 }
    let first = try #require(recording.recordedFrames.sound.first?.first)
    #expect(
      abs(first - frame(status.position)) <= 1,
      "paused at \(frame(paused.position)), recorded \(fixture.recording.recordedFrames)")
  }

  @Test func aSeekSurvivesACrashOfTheServer() throws {
    let fixture = try DaemonFixture()
    try play(fixture)
    var recording = fixture.recording
    for target in [20, 10, 25] {
      try recording.wait(for: "sound") { ($0.sound.last?.count ?? 0) > 2_000 }
      let id = try fixture.client.sendRequest("seek", #"{"position":\#(target)}"#)
      // The crash happens at a random time of the seek.
      waitRandomly(within: .milliseconds(20))
      fixture.server.kill()
      _ = try fixture.client.response(to: id)
      // The target may have been reached already.
      let lostFrame = try waitForLoss(fixture)
      #expect(
        (target * Signal.rate..<(target + 1) * Signal.rate).contains(lostFrame),
        "seeked to \(target) s, position \(lostFrame)")
      recording = try restart(fixture).recording
      #expect(abs(try #require(recording.recordedFrames.sound.first?.first) - lostFrame) <= 1)
    }
  }

  @Test func theDaemonStartsWithoutAServer() throws {
    let fixture = try DaemonFixture(configuration: "[Player]\nRestore=resume\n")
    try play(fixture)
    try fixture.recording.wait(forFrame: 30_000)
    fixture.server.kill()
    let lostFrame = try waitForLoss(fixture)
    fixture.daemon.kill()
    try fixture.daemon.start()
    try fixture.reconnect()
    #expect(
      abs(try waitForLoss(fixture) - lostFrame) <= 5 * Signal.rate,
      "after a crash, the position is at most five seconds old")
    let again = try waitForLoss(fixture)
    let (recording, _) = try restart(fixture)
    #expect(abs(try #require(recording.recordedFrames.sound.first?.first) - again) <= 1)
    #expect(try fixture.wait { $0.rate == 1 }.output.reconnects == 1)
  }

  /// Libpulse 16.1 never recovers from about one in three such crashes if it may use shared memory.
  @Test func aServerCrashDuringTheSharedMemoryHandshakeIsSurvived() throws {
    let fixture = try DaemonFixture()
    fixture.server.kill()
    let crashing = try CrashingPulseServer(at: fixture.server.socket)
    try play(fixture)
    try waitUntil("the server has crashed thirty times") { crashing.crashes >= 30 }
    crashing.end()
    let (recording, _) = try restart(fixture)
    #expect(abs(try #require(recording.recordedFrames.sound.first?.first)) <= 1)
    #expect(try fixture.wait { $0.rate == 1 }.output.error == nil)
  }

  @Test func theClientConfigurationAppliesExceptForSharedMemory() throws {
    let fixture = try DaemonFixture()
    fixture.daemon.kill()
    fixture.daemon.environment["PULSE_SERVER"] = nil
    let folder = fixture.daemon.directory.appending("home/.config/pulse")
    for path in [folder, folder.appending("client.conf.d")] { path.withCString { _ = mkdir($0, 0o700) } }
    try AudioFile.write(Array("default-server = unix:/nowhere\n".utf8), to: folder.appending("client.conf"))
    try AudioFile.write(
      Array("enable-shm = yes\ndefault-server = \(fixture.server.address)\n".utf8),
      to: folder.appending("client.conf.d/home.conf"))
    try fixture.daemon.start()
    try fixture.reconnect()
    try play(fixture)
    try fixture.recording.wait(forFrame: 20_000)
    let pid = try #require(fixture.daemon.pid)
    #expect(Processes.maps("libpulse", pid))
    #expect(!Processes.maps("memfd:pulseaudio", pid))
  }

  // MARK: Outputs

  @Test func playbackMovesToAnotherOutputWhenItsOutputDisappears() throws {
    let fixture = try DaemonFixture(.null("test"))
    let server = fixture.server
    try server.pactl("load-module", "module-null-sink", "sink_name=other")
    let other = OutputRecording(try server.record("other.monitor"))
    try play(fixture)
    try fixture.recording.wait(forFrame: 30_000)
    try server.pactl("unload-module", "module-null-sink")
    // Both outputs belonged to the module, so the server has no output now.
    let lostFrame = try waitForLoss(fixture)
    #expect(abs(lostFrame - (try #require(fixture.recording.recordedFrames.sound.last).end)) < Signal.rate)
    #expect(other.recordedFrames.sound.isEmpty)
    let pid = try #require(fixture.daemon.pid)
    // The daemon waits for an output without retrying.
    try Processes.waitForRest(of: pid)
    try server.pactl("load-module", "module-null-sink", "sink_name=one")
    let playing = try fixture.wait { $0.rate == 1 && $0.output.device == "one" }
    #expect(playing.output.reconnects == 1)
    #expect(frame(playing.position) >= lostFrame && frame(playing.position) < lostFrame + 2 * Signal.rate)
    // With another output, playback continues without a loss.
    try server.pactl("load-module", "module-null-sink", "sink_name=two")
    let two = OutputRecording(try server.record("two.monitor"))
    let modules = try server.pactl("list", "short", "modules").split(separator: "\n")
    let one = try #require(modules.first { $0.contains("sink_name=one") }?.prefix { $0.isNumber })
    try server.pactl("unload-module", String(one))
    let moved = try fixture.wait { $0.output.device == "two" }
    #expect(moved.state == .playing)
    #expect(moved.output.state == .open)
    try two.wait(for: "sound on the other sink") { ($0.sound.last?.count ?? 0) > Signal.rate / 2 }
    let status = try fixture.wait { $0.rate == 1 }
    #expect(status.output.reconnects == 1)
    #expect(status.output.underruns == 0)
  }

  @Test func aServerWithoutAnOutputIsDistinguishedFromNoServer() throws {
    let fixture = try DaemonFixture(.null("test"))
    try fixture.server.pactl("unload-module", "module-null-sink")
    try play(fixture)
    let withoutSink = try fixture.wait { $0.output.state == .lost }.output
    #expect(withoutSink.errorKind == .noSink)
    #expect(withoutSink.error?.text.contains("no output device") == true)
    // The same holds for further requests, after the events from before the loss.
    _ = try fixture.watcher.event(of: "player") { Status($0).output.errorKind == .noSink }
    for _ in 0..<6 {
      let status = Status(try fixture.watcher.event(of: "player"))
      let output = status.output
      #expect(
        output.state == .lost && output.errorKind == .noSink && output.error == withoutSink.error,
        "\(status.state), \(status.track?.error?.text ?? "no error"), \(output)")
    }
    fixture.server.kill()
    let withoutServer = try fixture.wait { $0.output.errorKind == .noServer }.output
    #expect(withoutServer.state == .lost && withoutServer.error != withoutSink.error)
    try fixture.server.start()
    let playing = try fixture.wait { $0.rate == 1 }.output
    #expect(playing.errorKind == nil && playing.error == nil)
  }

  @Test func aStreamMovedByTheUserKeepsPlaying() throws {
    let fixture = try DaemonFixture(.null("test"))
    try fixture.server.pactl("load-module", "module-null-sink", "sink_name=other")
    let other = OutputRecording(try fixture.server.record("other.monitor"))
    try play(fixture)
    try fixture.recording.wait(forFrame: 30_000)
    let input = try fixture.server.pactl("list", "short", "sink-inputs").prefix { $0.isNumber }
    try fixture.server.pactl("move-sink-input", String(input), "other")
    let moved = try fixture.wait { $0.output.device == "other" }
    #expect(moved.output.state == .open)
    try other.wait(for: "sound on the other sink") { ($0.sound.last?.count ?? 0) > 20_000 }
    let (end, first) = (
      fixture.recording.recordedFrames.sound.last?.end ?? 0, try #require(other.recordedFrames.sound.first?.first)
    )
    #expect(
      abs(first - end) < Self.maximumGap, "last frame \(end) on the first sink, first frame \(first) on the second")
    #expect(try fixture.wait { $0.rate == 1 }.output.reconnects == 0)
  }

  @Test func aSuspendedOutputStopsThePosition() throws {
    let fixture = try DaemonFixture(.null("test"))
    try play(fixture)
    try fixture.recording.wait(forFrame: 30_000)
    try fixture.server.pactl("suspend-sink", "test", "1")
    // There is no event for this, so the test requests the position.
    var status = try fixture.status()
    try waitUntil("status reports that the position does not advance") {
      status = try fixture.status()
      return status.rate != 1
    }
    #expect(status.state == .playing)
    #expect(status.output.state == .open, "the stream stays open")
    // This is the measured interval, in which an advancing position would change.
    usleep(300_000)
    #expect(
      try fixture.status().position == status.position, "the position does not advance while the output is suspended")
    let end = try #require(fixture.recording.recordedFrames.sound.last).end
    #expect(abs(frame(status.position) - end) < Self.maximumGap)
    // A seek during the suspension is kept.
    #expect(try fixture.call("seek", #"{"position":20}"#).position == .seconds(20))
    fixture.recording.discard()
    try fixture.server.pactl("suspend-sink", "test", "0")
    try fixture.recording.wait(for: "the target") { ($0.sound.last?.count ?? 0) > 20_000 }
    let first = try #require(fixture.recording.recordedFrames.sound.last?.first)
    // A null sink may omit 20 ms at the start of a stream.
    #expect((0...1_000).contains(first - 20 * Signal.rate), "\(first)")
    try fixture.wait { $0.rate == 1 && ($0.position ?? .zero) > .seconds(20) }
  }

  // MARK: A server that hangs

  @Test func playbackContinuesAfterAHangOfTheServer() throws {
    // A null sink catches up after a hang, for which a pipe has no room.
    let fixture = try DaemonFixture(.null("test"))
    try play(fixture)
    try fixture.recording.wait(forFrame: 60_000)
    fixture.server.freeze()
    let lostFrame = try waitForLoss(fixture)
    #expect(try fixture.status().output.errorKind == .noAnswer)
    let end = try #require(fixture.recording.recordedFrames.sound.last).end
    #expect(abs(lostFrame - end) < 2 * Signal.rate, "position \(lostFrame), last recorded frame \(end)")
    fixture.server.thaw()
    let back = try fixture.wait { $0.output.state == .open && $0.rate == 1 }
    #expect(back.output.error == nil)
    #expect(back.output.reconnects == 0)
    try fixture.recording.wait(for: "playback to continue") { ($0.sound.last?.end ?? 0) > end + 60_000 }
    // A null sink that wakes late may skip some milliseconds, but repeats nothing.
    let lost = zip(fixture.recording.recordedFrames.joined, fixture.recording.recordedFrames.joined.dropFirst()).map {
      $1.lowerBound - $0.upperBound
    }
    #expect(lost.allSatisfy { (0...1_000).contains($0) }, "\(fixture.recording.recordedFrames)")
    // A hanging server may execute requests later, and crash.
    fixture.server.freeze()
    _ = try waitForLoss(fixture)
    #expect(try fixture.call("seek", #"{"position":20}"#).position == .seconds(20))
    fixture.server.kill()
    #expect(try waitForLoss(fixture) == 20 * Signal.rate)
    try fixture.server.start()
    let recording = OutputRecording(try fixture.server.record())
    try recording.wait(for: "the target") { ($0.sound.last?.first ?? 0) >= 20 * Signal.rate }
  }

  /// The stream is ready, but the server hangs before it describes the sink.
  @Test func theOutputIsOpenAfterAHangDuringItsOpening() throws {
    let fixture = try DaemonFixture(.null("test"))
    let relay = try fixture.restartBehindRelay()
    relay.hold(.getSinkInfo)
    try play(fixture)
    try fixture.wait { $0.output.errorKind == .noAnswer }
    #expect(relay.isHolding)
    relay.release()
    try fixture.recording.wait(forFrame: 60_000)
    let output = try fixture.status().output
    #expect(output.state == .open)
    #expect(output.device == "test" && output.error == nil && output.errorKind == nil)
  }

  @Test func aServerThatHangsBeforePlaybackIsReported() throws {
    let fixture = try DaemonFixture()
    fixture.server.freeze()
    try play(fixture)
    #expect(try waitForLoss(fixture) == 0)
    // Requests to the hanging server have a timeout.
    #expect(try fixture.client.errorResponse(to: "output.list").kind == "unavailable")
    fixture.server.thaw()
    try fixture.recording.wait(forFrame: 20_000)
    #expect(fixture.recording.recordedFrames.joined.first?.lowerBound == 0)
    #expect(try fixture.wait { $0.rate == 1 }.output.state == .open)
  }
}
