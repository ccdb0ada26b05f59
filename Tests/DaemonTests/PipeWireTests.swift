import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Basic tests with the PulseAudio server of PipeWire.
@Suite(.enabled(if: PipeWireServer.isInstalled, "pipewire-pulse, wireplumber or dbus-daemon is not installed"))
struct PipeWireTests {
  /// Whether the missing frames may be whole cycles that a busy machine skipped.
  private func isCycles(_ frames: Int) -> Bool {
    (0...4).contains { frames == $0 * PipeWireServer.cycle }
  }

  @Test func playbackOnPipeWirePausesSeeksAndSurvivesTheServer() throws {
    let server = try PipeWireServer()
    let daemon = try DaemonProcess(environment: ["PULSE_SERVER": server.address])
    let client = try daemon.connect()
    let watcher = try daemon.connect()
    try watcher.call("subscribe")
    func call(_ method: String, _ params: String? = nil) throws -> Status { Status(try client.call(method, params)) }
    func wait(until condition: (Status) -> Bool) throws -> Status {
      while true {
        let status = try call("status")
        if condition(status) { return status }
        _ = try watcher.event()
      }
    }
    var recording = OutputRecording(try server.record())
    let path = daemon.directory.appending("long.wav")
    try AudioFile.write(AudioFile.wave(Signal.pcm(0..<(60 * Signal.rate))), to: path)
    try client.call("queue.add", #"{"uris":[\#(quoted(FileURI.encode(path)))],"play":true}"#)
    try recording.wait(forFrame: 30_000)
    #expect(try wait { $0.rate == 1 && $0.output.device != nil }.output.device == "test")

    // A pause loses no frames. A busy machine loses whole cycles, and not at each pause.
    let lost = try (0..<3).map { _ in
      try client.call("pause")
      try recording.wait(for: "silence") { $0.silence > 4_000 }
      let end = try #require(recording.recordedFrames.sound.last).end
      let count = recording.recordedFrames.runs.count
      #expect(try call("play").state == .playing)
      try recording.wait(forFrame: end + 20_000)
      return try #require(recording.recordedFrames.runs[count...].compactMap(\.first).first) - end
    }
    #expect(lost.contains(0), "\(lost)")
    #expect(lost.allSatisfy(isCycles), "\(lost)")

    // A seek plays from its target.
    let missed = try [20, 25, 30].map { second in
      try client.call("seek", #"{"position":\#(second)}"#)
      try recording.wait(forFrame: second * Signal.rate + 30_000)
      return try #require(recording.recordedFrames.sound.compactMap(\.first).first { $0 > (second - 1) * Signal.rate })
        - second * Signal.rate
    }
    #expect(missed.contains(0), "\(missed)")
    #expect(missed.allSatisfy(isCycles), "\(missed)")

    // The server exits and restarts.
    for round in 1...2 {
      let recorded = try #require(recording.recordedFrames.lastFrame)
      server.kill()
      let lost = try wait { $0.output.state == .lost }
      #expect(lost.state == .playing)
      #expect(lost.rate == 0)
      #expect(abs((lost.position ?? .zero).seconds - Double(recorded) / Double(Signal.rate)) < 1)
      try server.start()
      recording = OutputRecording(try server.record())
      try recording.wait(for: "playback to continue") { ($0.sound.last?.count ?? 0) > 10_000 }
      let back = try wait { $0.rate == 1 && $0.output.state == .open }
      #expect(back.output.reconnects >= round)
      #expect((back.position ?? .zero) >= (lost.position ?? .zero))
    }
    #expect(try call("stop").state == .stopped)
  }

  /// Returns a function that waits until playback advances on the output with the given name.
  private static func waiter(for daemon: DaemonProcess, _ client: SocketClient) throws -> (String) throws -> Void {
    let watcher = try daemon.connect()
    try watcher.call("subscribe")
    return { device in
      while true {
        let status = Status(try client.call("status"))
        if status.rate == 1, status.output.device == device { return }
        _ = try watcher.event()
      }
    }
  }

  @Test func playbackReturnsToTheChosenOutputWithoutALostFrame() throws {
    let server = try PipeWireServer()
    let daemon = try DaemonProcess(environment: ["PULSE_SERVER": server.address])
    let client = try daemon.connect()
    let waitUntilPlaying = try Self.waiter(for: daemon, client)
    let recording = OutputRecording(try server.record())
    let path = daemon.directory.appending("long.wav")
    try AudioFile.write(AudioFile.wave(Signal.pcm(0..<(120 * Signal.rate))), to: path)
    try client.call("queue.add", #"{"uris":[\#(quoted(FileURI.encode(path)))],"play":true}"#)
    try waitUntilPlaying("test")
    var (recorder, module) = try server.loadPipeSink("headset")
    try waitUntil("PipeWire lists the output") {
      try client.call("output.list")["outputs"]?.elements?.contains { $0["name"]?.string == "headset" } == true
    }
    try client.call("output.set", #"{"device":"headset"}"#)
    try waitUntilPlaying("headset")
    let missed = try (0..<3).map { _ in
      try server.pactl("unload-module", module)
      try waitUntilPlaying("test")
      let start = recording.recordedFrames.lastFrame ?? 0
      try recording.wait(for: "sound on the other output") { ($0.lastFrame ?? 0) > start + 20_000 }
      (recorder, module) = try server.loadPipeSink("headset")
      let headset = OutputRecording(recorder)
      try waitUntilPlaying("headset")
      try recording.wait(for: "silence on the other output") { $0.silence > 4_410 }
      let end = try #require(recording.recordedFrames.sound.last).end
      try headset.wait(for: "sound on the chosen output") { ($0.lastFrame ?? 0) > end + 20_000 }
      return try #require(headset.recordedFrames.sound.first?.first) - end
    }
    #expect(missed.contains(0), "\(missed)")
    #expect(missed.allSatisfy(isCycles), "\(missed)")
  }

  /// PipeWire responds before it has moved the stream.
  @Test func aChosenOutputIsMarkedAndUsedAtOnce() throws {
    let server = try PipeWireServer()
    try server.pactl("load-module", "module-null-sink", "sink_name=other", "rate=44100")
    let daemon = try DaemonProcess(environment: ["PULSE_SERVER": server.address])
    let client = try daemon.connect()
    let waitUntilPlaying = try Self.waiter(for: daemon, client)
    func marked(_ list: JSON) -> [String?] {
      (list["outputs"]?.elements ?? []).filter { $0["current"]?.bool == true }.map { $0["name"]?.string }
    }
    #expect(marked(try client.call("output.list")) == ["test"])
    let path = daemon.directory.appending("long.wav")
    try AudioFile.write(AudioFile.wave(Signal.pcm(0..<(60 * Signal.rate))), to: path)
    try client.call("queue.add", #"{"uris":[\#(quoted(FileURI.encode(path)))],"play":true}"#)
    try waitUntilPlaying("test")
    for number in 0..<30 {
      let device = number % 2 == 0 ? "other" : "test"
      #expect(marked(try client.call("output.set", #"{"device":"\#(device)"}"#)) == [device])
      try waitUntilPlaying(device)
      #expect(marked(try client.call("output.list")) == [device])
    }
  }
}
