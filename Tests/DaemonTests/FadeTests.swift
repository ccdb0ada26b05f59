import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of the fade on pause and stop with a daemon.
@Suite struct FadeTests {
  private static let loud: Int16 = 16_000

  /// Returns a WAVE file with a constant level. Each of its recorded frames is a run of its own.
  private func level(_ seconds: Int) -> [UInt8] {
    let pcm = [Int16](repeating: Self.loud.littleEndian, count: seconds * Signal.rate * 2).withUnsafeBytes(Array.init)
    return AudioFile.wave(pcm)
  }

  /// Returns the levels of a recording in order, without repetitions.
  private func levels(_ bytes: [UInt8]) -> [Int16] {
    var levels: [Int16] = []
    bytes.withUnsafeBytes { raw in
      for sample in raw.bindMemory(to: Int16.self) where sample != levels.last { levels.append(sample) }
    }
    return levels
  }

  /// Returns whether the level fell gradually to silence.
  private func hasFadedOut(_ levels: [Int16]) -> Bool {
    guard let loudest = levels.lastIndex(of: Self.loud), let silence = levels[loudest...].firstIndex(of: 0) else {
      return false
    }
    let ramp = levels[loudest...silence]
    return ramp.count > 500 && zip(ramp, ramp.dropFirst()).allSatisfy { $0 > $1 }
  }

  @Test func aFadedPauseReportsAndSavesThePosition() throws {
    let fixture = try DaemonFixture(configuration: "[Player]\nFade=500\n")
    try fixture.add([try fixture.write("long.wav", level(20))], play: true)
    try fixture.recording.wait(for: "half a second") { $0.runs.count > 22_050 }
    let response = try fixture.call("pause")
    #expect(response.state == .paused && response.rate == 0)
    try fixture.recording.wait(for: "silence") { $0.silence > 10_000 }
    #expect(hasFadedOut(levels(fixture.recording.bytes)))
    let place = try #require(try fixture.status().position)
    // The recording up to the silence, including the ramp.
    let recorded = fixture.recording.recordedFrames.sound.reduce(0) { $0 + $1.count }
    #expect(
      abs(place.seconds - Double(recorded) / Double(Signal.rate)) < 0.05,
      "the position is \(place) after \(recorded) recorded frames")
    _ = try fixture.watcher.event(of: "player") { Status($0).state == .paused && Status($0).position == place }
    fixture.daemon.kill()
    try fixture.daemon.start()
    try fixture.reconnect()
    #expect(try fixture.status().position == place)
  }

  @Test func aStopFadesAlthoughTheQueueIsCleared() throws {
    let fixture = try DaemonFixture()
    try fixture.client.call("settings.set", #"{"name":"player.fade","value":300}"#)
    try fixture.client.call("settings.set", #"{"name":"player.gracePeriod","value":0}"#)
    try fixture.add([try fixture.write("long.wav", level(20))], play: true)
    try fixture.recording.wait(for: "half a second") { $0.runs.count > 22_050 }
    #expect(try fixture.call("stop").state == .stopped)
    try fixture.wait { $0.output.state == .idle }
    try fixture.recording.wait(for: "silence") { $0.silence > 10_000 }
    #expect(hasFadedOut(levels(fixture.recording.bytes)))
    #expect(Processes.children(of: fixture.daemon.pid ?? 0).filter(Processes.hasRing).isEmpty)
  }

  /// A fade that is set during playback applies to frames that are written afterwards.
  @Test func theFadeCanBeSetDuringPlayback() throws {
    let fixture = try DaemonFixture()
    try fixture.add([try fixture.write("long.wav", level(20))], play: true)
    try fixture.recording.wait(for: "a second") { $0.runs.count > 44_100 }
    try fixture.client.call("settings.set", #"{"name":"player.fade","value":300}"#)
    try fixture.recording.wait(for: "four seconds") { $0.runs.count > 4 * 44_100 }
    try fixture.call("pause")
    try fixture.recording.wait(for: "silence") { $0.silence > 10_000 }
    #expect(hasFadedOut(levels(fixture.recording.bytes)))
    try fixture.client.call("settings.set", #"{"name":"player.fade","value":0}"#)
    try fixture.call("play")
    fixture.recording.discard()
    try fixture.recording.wait(for: "sound after resuming") { $0.runs.count > 30_000 }
    try fixture.call("pause")
    try fixture.recording.wait(for: "silence") { $0.silence > 10_000 }
    #expect(
      Array(levels(fixture.recording.bytes).suffix(2)) == [Self.loud, 0], "without a fade, the level falls at once")
  }

  @Test func commandsDuringAFadeAreExecuted() throws {
    let fixture = try DaemonFixture(configuration: "[Player]\nFade=1000\n")
    let ids = try fixture.add(
      [try fixture.track("a", 0..<400_000), try fixture.track("b", 400_000..<800_000)], play: true)
    try fixture.recording.wait(forFrame: 20_000)
    try fixture.call("pause")
    try fixture.call("seek", #"{"position":4}"#)
    #expect(try fixture.status().position == .seconds(4))
    try fixture.call("play")
    try fixture.recording.wait(forFrame: 4 * Signal.rate + 10_000)
    try fixture.call("pause")
    #expect(try fixture.call("next").state == .paused)
    #expect(try fixture.status().track?.id == UInt64(ids[1]))
    try fixture.call("play")
    try fixture.recording.wait(forFrame: 410_000)
    try fixture.call("stop")
    try fixture.call("play")
    try fixture.wait { $0.rate == 1 }
    try fixture.call("pause")
    #expect(fixture.daemon.stop() == 0)
  }

  @Test(.enabled(if: PipeWireServer.isInstalled, "pipewire-pulse, wireplumber or dbus-daemon is not installed"))
  func fadesWorkWithPipeWire() throws {
    let server = try PipeWireServer()
    let daemon = try DaemonProcess(environment: ["PULSE_SERVER": server.address])
    let client = try daemon.connect()
    try client.call("settings.set", #"{"name":"player.fade","value":300}"#)
    let recording = OutputRecording(try server.record())
    let path = daemon.directory.appending("long.wav")
    try AudioFile.write(level(20), to: path)
    try client.call("queue.add", #"{"uris":[\#(quoted(FileURI.encode(path)))],"play":true}"#)
    try recording.wait(for: "half a second") { $0.runs.count > 22_050 }
    for verb in ["pause", "play", "stop"] {
      recording.discard()
      try client.call(verb)
      try recording.wait(for: "what \(verb) makes") {
        verb == "play" ? $0.silence == 0 && $0.runs.count > 500 : $0.silence > 10_000
      }
    }
    let levels = levels(recording.bytes)
    let steps = zip(levels, levels.dropFirst()).map { abs(Int($0) - Int($1)) }
    #expect(steps.count { $0 < 20 } > 1_500, "three ramps: down, up and down")
  }
}
