import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests with a sound server that crashes, hangs and restarts. Recordings show where playback continued.
@Suite struct SoundServerTests {
  /// The audio that may be repeated or lost with the buffer of the server.
  static let seam = Signal.rate * 2 / 5

  private func frame(_ position: MediaTime?) -> Int {
    Int(((position ?? .zero).seconds * Double(Signal.rate)).rounded())
  }

  private func play(_ stage: Stage, seconds: Int = 30) throws {
    try stage.add([try stage.track("long", 0..<(seconds * Signal.rate))], play: true)
  }

  /// Waits for the loss of the server, expects that the position stands still, and returns its frame.
  private func standing(_ stage: Stage, at location: SourceLocation = #_sourceLocation) throws -> Int {
    let lost = try stage.wait { $0.output.state == .lost }
    #expect(lost.output.errorKind != nil, sourceLocation: location)
    #expect(lost.state == .playing, sourceLocation: location)
    #expect(lost.rate == 0, sourceLocation: location)
    #expect(lost.output.error != nil, sourceLocation: location)
    #expect(try stage.status().position == lost.position, "it stands", sourceLocation: location)
    return frame(lost.position)
  }

  /// Restarts the server. Returns the recording from its first frame on, and the time until the first sound.
  private func restart(_ stage: Stage) throws -> (ear: Ear, after: MediaTime) {
    try stage.server.start()
    let started = MonotonicTime.now
    let ear = Ear(try stage.server.readFIFO("test"))
    try ear.listen(for: "the music to go on") { ($0.sound.last?.count ?? 0) > 2_000 }
    return (ear, (ear.marks.last?.time ?? .now) - started)
  }

  @Test func itMayDieTwentyTimesOver() throws {
    let stage = try Stage()
    try play(stage, seconds: 60)
    var random = SystemRandomNumberGenerator()
    var ear = stage.ear
    var slowest = MediaTime.zero
    try ear.listen(toFrame: 8_000)
    for round in 1...20 {
      // The crash may happen during the start, the handshake or the first responses.
      usleep(UInt32.random(in: 0..<300_000, using: &random))
      stage.server.kill(round % 2 == 0 ? SIGKILL : SIGTERM)
      let stood = try standing(stage)
      try ear.listenUntilItDies()
      let end = try #require(ear.score.sound.last).end
      #expect(abs(stood - end) < Self.seam, "round \(round): lost at \(stood), heard to \(end)")
      let (next, after) = try restart(stage)
      slowest = max(slowest, after)
      let first = try #require(next.score.sound.first?.first)
      #expect(abs(first - stood) <= 1, "round \(round): lost at \(stood), went on at \(first)")
      ear = next
    }
    print("slowest return of the sound after the server's: \(slowest.seconds) s")
    let status = try stage.wait { $0.rate == 1 }
    #expect(status.output.state == .open)
    #expect(status.output.reconnects == 20)
    #expect(status.output.error == nil)
  }

  /// A restart of an unused server does not wake the daemon.
  @Test(.disabled(if: Sanitizer.isOn, "it has a thread of its own"), arguments: ["pause", "stop"])
  func whileNothingPlaysItIsNotLookedFor(method: String) throws {
    let stage = try Stage(configuration: "[Player]\nGracePeriod=0\n")
    try play(stage)
    try stage.ear.listen(toFrame: 20_000)
    try stage.ask(method)
    try stage.ear.listen(for: "silence") { $0.silence > 2_000 }
    let end = try #require(stage.ear.score.sound.last).end
    let pid = try #require(stage.daemon.pid)
    stage.server.kill()
    try Processes.waitForNoChildren(of: pid)
    let standing = try stage.wait { $0.output.state == .idle }
    // The library closes its idle connections after a second.
    try Processes.waitForRest(of: pid, lasting: 1.5)
    let before = Processes.switches(of: [pid])
    // The time of two attempts, if there were any.
    sleep(2)
    #expect(Processes.switches(of: [pid]) == before, "no timer runs, nothing is tried")
    #expect(try stage.status().output.state == .idle)
    try stage.server.start()
    let ear = Ear(try stage.server.readFIFO("test"))
    #expect(try stage.ask("play").state == .playing)
    try ear.listen(for: "the music") { ($0.sound.last?.count ?? 0) > 2_000 }
    let first = try #require(ear.score.sound.first?.first)
    #expect(abs(first - frame(standing.position)) <= 1)
    #expect(method == "stop" ? first == 0 : abs(first - end) < Self.seam)
  }

  /// The stream stays open for some time after a pause, but the new server does not have it.
  @Test func itDiesUnderAStreamThatIsPaused() throws {
    let stage = try Stage()
    try play(stage)
    try stage.ear.listen(toFrame: 20_000)
    let paused = try stage.ask("pause")
    stage.server.kill()
    try stage.ear.listenUntilItDies()
    let status = try stage.wait { $0.output.state == .idle }
    #expect(status.state == .paused)
    #expect(abs(frame(status.position) - frame(paused.position)) < 2_000)
    try stage.server.start()
    let ear = Ear(try stage.server.readFIFO("test"))
    #expect(try stage.status().state == .paused, "paused stays paused")
    try stage.ask("play")
    try ear.listen(for: "the music") { ($0.sound.last?.count ?? 0) > 2_000 }
    #expect(abs(try #require(ear.score.sound.first?.first) - frame(status.position)) <= 1)
  }

  @Test func aSeekIsKeptWhenItDiesOfIt() throws {
    let stage = try Stage()
    try play(stage)
    var ear = stage.ear
    for target in [20, 10, 25] {
      try ear.listen(for: "sound") { ($0.sound.last?.count ?? 0) > 2_000 }
      let id = try stage.client.begin("seek", #"{"position":\#(target)}"#)
      // The crash happens at a random time of the seek.
      usleep(UInt32.random(in: 0..<20_000))
      stage.server.kill()
      _ = try stage.client.answer(to: id)
      // The target may have been reached already.
      let stood = try standing(stage)
      #expect((target * Signal.rate..<(target + 1) * Signal.rate).contains(stood), "\(target) s, and \(stood)")
      ear = try restart(stage).ear
      #expect(abs(try #require(ear.score.sound.first?.first) - stood) <= 1)
    }
  }

  @Test func itIsNotThereWhenTheDaemonStarts() throws {
    let stage = try Stage(configuration: "[Player]\nRestore=resume\n")
    try play(stage)
    try stage.ear.listen(toFrame: 30_000)
    stage.server.kill()
    let stood = try standing(stage)
    stage.daemon.kill()
    try stage.daemon.start()
    try stage.reconnect()
    #expect(abs(try standing(stage) - stood) <= 5 * Signal.rate, "five seconds at most after a crash")
    let again = try standing(stage)
    let (ear, _) = try restart(stage)
    #expect(abs(try #require(ear.score.sound.first?.first) - again) <= 1)
    #expect(try stage.wait { $0.rate == 1 }.output.reconnects == 1)
  }

  /// Libpulse 16.1 never comes back from one of about three such crashes, if it may share memory.
  @Test func itDiesWhileSharedMemoryIsAgreedOn() throws {
    let stage = try Stage()
    stage.server.kill()
    let dying = try CrashingPulseServer(at: stage.server.socket)
    try play(stage)
    try waitUntil("it has died often enough") { dying.crashes >= 30 }
    dying.end()
    let (ear, _) = try restart(stage)
    #expect(abs(try #require(ear.score.sound.first?.first)) <= 1)
    #expect(try stage.wait { $0.rate == 1 }.output.error == nil)
  }

  @Test func theUsersOwnClientConfigurationHoldsButForSharedMemory() throws {
    let stage = try Stage()
    stage.daemon.kill()
    stage.daemon.environment["PULSE_SERVER"] = nil
    let folder = stage.daemon.directory.appending("home/.config/pulse")
    for path in [folder, folder.appending("client.conf.d")] { path.withCString { _ = mkdir($0, 0o700) } }
    try AudioFile.write(Array("default-server = unix:/nowhere\n".utf8), to: folder.appending("client.conf"))
    try AudioFile.write(
      Array("enable-shm = yes\ndefault-server = \(stage.server.address)\n".utf8),
      to: folder.appending("client.conf.d/home.conf"))
    try stage.daemon.start()
    try stage.reconnect()
    try play(stage)
    try stage.ear.listen(toFrame: 20_000)
    let pid = try #require(stage.daemon.pid)
    #expect(Processes.maps("libpulse", pid))
    #expect(!Processes.maps("memfd:pulseaudio", pid))
  }

  // MARK: Outputs

  @Test func theSinkGoesAndTheSoundMovesOn() throws {
    let stage = try Stage(.null("test"))
    let server = stage.server
    try server.control("load-module", "module-null-sink", "sink_name=other")
    let other = Ear(try server.record("other.monitor"))
    try play(stage)
    try stage.ear.listen(toFrame: 30_000)
    try server.control("unload-module", "module-null-sink")
    // Both outputs belonged to the module, so the server has no output now.
    let stood = try standing(stage)
    #expect(abs(stood - (try #require(stage.ear.score.sound.last).end)) < Signal.rate)
    #expect(other.score.sound.isEmpty)
    let pid = try #require(stage.daemon.pid)
    // The daemon waits for an output without retrying.
    try Processes.waitForRest(of: pid)
    try server.control("load-module", "module-null-sink", "sink_name=one")
    let playing = try stage.wait { $0.rate == 1 && $0.output.device == "one" }
    #expect(playing.output.reconnects == 1)
    #expect(frame(playing.position) >= stood && frame(playing.position) < stood + 2 * Signal.rate)
    // With another output, playback continues without a loss.
    try server.control("load-module", "module-null-sink", "sink_name=two")
    let two = Ear(try server.record("two.monitor"))
    let modules = try server.control("list", "short", "modules").split(separator: "\n")
    let one = try #require(modules.first { $0.contains("sink_name=one") }?.prefix { $0.isNumber })
    try server.control("unload-module", String(one))
    let moved = try stage.wait { $0.output.device == "two" }
    #expect(moved.state == .playing)
    #expect(moved.output.state == .open)
    try two.listen(for: "the music on the other sink") { ($0.sound.last?.count ?? 0) > Signal.rate / 2 }
    let status = try stage.wait { $0.rate == 1 }
    #expect(status.output.reconnects == 1)
    #expect(status.output.underruns == 0)
  }

  @Test func aServerWithoutASinkIsToldFromNoServer() throws {
    let stage = try Stage(.null("test"))
    try stage.server.control("unload-module", "module-null-sink")
    try play(stage)
    let sinkless = try stage.wait { $0.output.state == .lost }.output
    #expect(sinkless.errorKind == .noSink)
    #expect(sinkless.error?.contains("no output device") == true)
    // The same holds for further requests.
    for _ in 0..<6 {
      let output = Status(try stage.watcher.event(of: "player")).output
      #expect(output.state == .lost && output.errorKind == .noSink && output.error == sinkless.error)
    }
    stage.server.kill()
    let serverless = try stage.wait { $0.output.errorKind == .noServer }.output
    #expect(serverless.state == .lost && serverless.error != sinkless.error)
    try stage.server.start()
    let playing = try stage.wait { $0.rate == 1 }.output
    #expect(playing.errorKind == nil && playing.error == nil)
  }

  @Test func somebodyMovesTheStream() throws {
    let stage = try Stage(.null("test"))
    try stage.server.control("load-module", "module-null-sink", "sink_name=other")
    let other = Ear(try stage.server.record("other.monitor"))
    try play(stage)
    try stage.ear.listen(toFrame: 30_000)
    let input = try stage.server.control("list", "short", "sink-inputs").prefix { $0.isNumber }
    try stage.server.control("move-sink-input", String(input), "other")
    let moved = try stage.wait { $0.output.device == "other" }
    #expect(moved.output.state == .open)
    try other.listen(for: "the music there") { ($0.sound.last?.count ?? 0) > 20_000 }
    let (end, first) = (stage.ear.score.sound.last?.end ?? 0, try #require(other.score.sound.first?.first))
    #expect(abs(first - end) < Self.seam, "left at \(end), came at \(first)")
    #expect(try stage.wait { $0.rate == 1 }.output.reconnects == 0)
  }

  @Test func theSinkIsSuspendedAndResumed() throws {
    let stage = try Stage(.null("test"))
    try play(stage)
    try stage.ear.listen(toFrame: 30_000)
    try stage.server.control("suspend-sink", "test", "1")
    // There is no event for this, so the test requests the position.
    var status = try stage.status()
    try waitUntil("no sound is said to be heard") {
      status = try stage.status()
      return status.rate != 1
    }
    #expect(status.state == .playing)
    #expect(status.output.state == .open, "the server is there")
    // In this time an advancing position would change.
    usleep(300_000)
    #expect(try stage.status().position == status.position, "no sound, no position")
    let end = try #require(stage.ear.score.sound.last).end
    #expect(abs(frame(status.position) - end) < Self.seam)
    // A seek during the suspension is kept.
    #expect(try stage.ask("seek", #"{"position":20}"#).position == .seconds(20))
    stage.ear.forget()
    try stage.server.control("suspend-sink", "test", "0")
    try stage.ear.listen(for: "the target") { ($0.sound.last?.count ?? 0) > 20_000 }
    let first = try #require(stage.ear.score.sound.last?.first)
    // A null sink may omit 20 ms at the start of a stream.
    #expect((0...1_000).contains(first - 20 * Signal.rate), "\(first)")
    try stage.wait { $0.rate == 1 && ($0.position ?? .zero) > .seconds(20) }
  }

  // MARK: A server that hangs

  @Test func itHangsAndGoesOn() throws {
    // A null sink catches up after a hang, for which a pipe has no room.
    let stage = try Stage(.null("test"))
    try play(stage)
    try stage.ear.listen(toFrame: 60_000)
    stage.server.freeze()
    let stood = try standing(stage)
    #expect(try stage.status().output.errorKind == .noAnswer)
    let end = try #require(stage.ear.score.sound.last).end
    #expect(abs(stood - end) < 2 * Signal.rate, "stands at \(stood), heard to \(end)")
    stage.server.thaw()
    let back = try stage.wait { $0.output.state == .open && $0.rate == 1 }
    #expect(back.output.error == nil)
    #expect(back.output.reconnects == 0)
    try stage.ear.listen(for: "the music to go on") { ($0.sound.last?.end ?? 0) > end + 60_000 }
    // A null sink that wakes late may skip some milliseconds, but repeats nothing.
    let lost = zip(stage.ear.score.joined, stage.ear.score.joined.dropFirst()).map { $1.lowerBound - $0.upperBound }
    #expect(lost.allSatisfy { (0...1_000).contains($0) }, "\(stage.ear.score)")
    // A hanging server may execute requests later, and crash.
    stage.server.freeze()
    _ = try standing(stage)
    #expect(try stage.ask("seek", #"{"position":20}"#).position == .seconds(20))
    stage.server.kill()
    #expect(try standing(stage) == 20 * Signal.rate)
    try stage.server.start()
    let ear = Ear(try stage.server.record())
    try ear.listen(for: "the target") { ($0.sound.last?.first ?? 0) >= 20 * Signal.rate }
  }

  @Test func itHangsBeforeAnythingPlays() throws {
    let stage = try Stage()
    stage.server.freeze()
    try play(stage)
    #expect(try standing(stage) == 0)
    // Requests to the hanging server have a timeout.
    #expect(try stage.client.refusal(of: "output.list").kind == "unavailable")
    stage.server.thaw()
    try stage.ear.listen(toFrame: 20_000)
    #expect(stage.ear.score.joined.first?.lowerBound == 0)
    #expect(try stage.wait { $0.rate == 1 }.output.state == .open)
  }
}
