import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of how often the daemon and its workers wake up. The sleep is the measured interval.
@Suite(.disabled(if: Sanitizer.isOn, "sanitizers have a thread of their own, which wakes up"))
struct IdleTests {
  /// All states are measured at the same time, each with three connected status bars: every state without playback, and
  /// playback of tracks of eight and of sixty seconds.
  @Test func theDaemonDoesNotWakeWhileStoppedAndSeldomDuringPlayback() throws {
    let silent = [
      try MeasuredDaemon("before the first track"), try MeasuredDaemon("stopped"), try MeasuredDaemon("paused"),
      try MeasuredDaemon("paused, then the sound server exits"),
      try MeasuredDaemon("stream closed, then the sound server exits"),
      try MeasuredDaemon("paused, then the session bus exits"),
      try MeasuredDaemon("paused, with a subscriber to the sound", topics: #"{"topics":["player","sound"]}"#),
    ]
    for daemon in silent.dropFirst() { try daemon.play() }
    for (daemon, method) in zip(silent.dropFirst(), ["stop", "pause", "pause", "pause", "pause", "pause"]) {
      try daemon.client.call(method)
    }
    silent[3].server.kill()
    silent[5].bus.kill()
    for daemon in silent { try daemon.waitForRelease() }
    silent[4].server.kill()
    let playing = [try MeasuredDaemon("FLAC"), try MeasuredDaemon("MP3")]
    try playing[0].play(AudioFile.read(AudioFile.demo("02 Dawn.flac")), as: "long.flac")
    // MP3 frames without a tag can be concatenated to a long file.
    let frames = try AudioFile.read(Repository.fixture("long.untagged.mp3"))
    try playing[1].play(Array(repeatElement(frames, count: 15).joined()), as: "long.mp3")
    for daemon in silent { try Processes.waitForRest(of: try #require(daemon.process.pid)) }

    let seconds = 30
    let before = (silent: silent.map(\.switches), playing: playing.map(\.wakeups))
    // This is the measured interval.
    sleep(UInt32(seconds))
    for (daemon, before) in zip(silent, before.silent) {
      #expect(daemon.switches - before == 0, "\(daemon.name)")
    }
    for (daemon, before) in zip(playing, before.playing) {
      let rate = Double(daemon.wakeups - before) / Double(seconds)
      print("\(daemon.name): \(rate) wakeups per second during playback")
      #expect(rate <= 12, "\(daemon.name)")
      let status = try daemon.status()
      #expect(status.state == .playing)
      #expect(status.output.underruns == 0)
    }
    // A request wakes the daemon.
    for daemon in silent { #expect(try daemon.status().state != .playing) }
  }

  /// A daemon with a sound server, a session bus, a client and subscribed status bars.
  private final class MeasuredDaemon {
    let name: String
    let server: PulseServer
    let bus: SessionBus
    let process: DaemonProcess
    let client: SocketClient
    private let bars: [SocketClient]

    /// - Parameter topics: The topics of the status bars; by default, the standard ones.
    init(_ name: String, topics: String? = nil) throws {
      self.name = name
      server = try PulseServer()
      process = try DaemonProcess(pulse: server, running: false)
      bus = try SessionBus(at: process.runtimeFolder.appending("bus"))
      for path in ["home/.config", "home/.config/segue"] {
        process.directory.appending(path).withCString { _ = mkdir($0, 0o700) }
      }
      try AudioFile.write(
        Array("[Player]\nGracePeriod=1\n".utf8), to: process.directory.appending("home/.config/segue/segue.conf"))
      try process.start()
      client = try process.connect()
      let process = process
      bars = try (0..<3).map { _ in
        let bar = try process.connect()
        try bar.call("subscribe", topics)
        return bar
      }
    }

    func status() throws -> Status { Status(try client.call("status")) }

    /// Plays a track repeatedly, by default a minute of numbered frames, and returns when it is audible.
    func play(_ file: [UInt8]? = nil, as name: String = "long.wav") throws {
      let path = process.directory.appending(name)
      try AudioFile.write(file ?? AudioFile.wave(Signal.pcm(0..<(60 * Signal.rate))), to: path)
      try client.call("repeat", #"{"mode":"one"}"#)
      try client.call("queue.add", #"{"uris":[\#(quoted(FileURI.encode(path)))],"play":true}"#)
      _ = try bars[0].event(of: "player") { $0["rate"]?.int == 1 }
    }

    /// Waits until the stream is closed and the workers have exited.
    func waitForRelease() throws {
      while try status().output.state != .idle { _ = try bars[1].event() }
      try Processes.waitForNoChildren(of: try #require(process.pid))
    }

    /// The context switches of the process and its workers so far.
    var switches: Int { process.pid.map { Processes.switches(of: [$0] + Processes.children(of: $0)) } ?? 0 }

    /// The voluntary context switches. Involuntary switches are caused by other processes.
    var wakeups: Int { process.pid.map { Processes.wakeups(of: [$0] + Processes.children(of: $0)) } ?? 0 }
  }
}
