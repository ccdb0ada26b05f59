import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Measures how often the daemon and its workers wake up. The test sleeps because it measures.
@Suite(.disabled(if: Sanitizer.isOn, "a sanitizer has a thread of its own, which looks round"))
struct IdleTests {
  /// All states are measured at the same time, each with three connected status bars: every state without playback, and
  /// playback of tracks of eight and of sixty seconds.
  @Test func theDaemonDoesNotWakeWhileStoppedAndSeldomDuringPlayback() throws {
    let silent = [
      try MeasuredDaemon("before the first track"), try MeasuredDaemon("stopped"), try MeasuredDaemon("paused"),
      try MeasuredDaemon("paused, and the sound server goes"),
      try MeasuredDaemon("released, and the sound server goes"),
      try MeasuredDaemon("paused, and the session bus goes"),
    ]
    for measured in silent.dropFirst() { try measured.play() }
    for (measured, method) in zip(silent.dropFirst(), ["stop", "pause", "pause", "pause", "pause"]) {
      try measured.client.call(method)
    }
    silent[3].server.kill()
    silent[5].bus.kill()
    for measured in silent { try measured.waitForRelease() }
    silent[4].server.kill()
    let playing = [try MeasuredDaemon("FLAC"), try MeasuredDaemon("MP3")]
    try playing[0].play(AudioFile.read(AudioFile.demo("02 Dawn.flac")), as: "long.flac")
    // Frames without a tag can be concatenated to a long file.
    let frames = try AudioFile.read(Repository.fixture("long.untagged.mp3"))
    try playing[1].play(Array(repeatElement(frames, count: 15).joined()), as: "long.mp3")
    for measured in silent { try Processes.waitForRest(of: try #require(measured.daemon.pid)) }

    let seconds = 30
    let before = (silent: silent.map(\.switches), playing: playing.map(\.wakeups))
    // The measurement.
    sleep(UInt32(seconds))
    for (measured, before) in zip(silent, before.silent) {
      #expect(measured.switches - before == 0, "\(measured.name)")
    }
    for (measured, before) in zip(playing, before.playing) {
      let rate = Double(measured.wakeups - before) / Double(seconds)
      print("\(measured.name): \(rate) switches a second while it plays")
      #expect(rate <= 12, "\(measured.name)")
      let status = try measured.status()
      #expect(status.state == .playing)
      #expect(status.output.underruns == 0)
    }
    // A request wakes the daemon.
    for measured in silent { #expect(try measured.status().state != .playing) }
  }

  /// A daemon with a sound server, a session bus, a client and subscribed status bars.
  private final class MeasuredDaemon {
    let name: String
    let server: PulseServer
    let bus: SessionBus
    let daemon: DaemonProcess
    let client: SocketClient
    private let bars: [SocketClient]

    init(_ name: String) throws {
      self.name = name
      server = try PulseServer()
      daemon = try DaemonProcess(pulse: server, running: false)
      bus = try SessionBus(at: daemon.runtimeFolder.appending("bus"))
      for path in ["home/.config", "home/.config/segue"] {
        daemon.directory.appending(path).withCString { _ = mkdir($0, 0o700) }
      }
      try AudioFile.write(
        Array("[Player]\nGracePeriod=1\n".utf8), to: daemon.directory.appending("home/.config/segue/segue.conf"))
      try daemon.start()
      client = try daemon.connect()
      let daemon = daemon
      bars = try (0..<3).map { _ in
        let bar = try daemon.connect()
        try bar.call("subscribe")
        return bar
      }
    }

    func status() throws -> Status { Status(try client.call("status")) }

    /// Plays a track repeatedly, by default a minute of numbered frames, and returns when it is audible.
    func play(_ file: [UInt8]? = nil, as name: String = "long.wav") throws {
      let path = daemon.directory.appending(name)
      try AudioFile.write(file ?? AudioFile.wave(Signal.pcm(0..<(60 * Signal.rate))), to: path)
      try client.call("repeat", #"{"mode":"one"}"#)
      try client.call("queue.add", #"{"uris":[\#(quoted(FileURI.encode(path)))],"play":true}"#)
      _ = try bars[0].event(of: "player") { $0["rate"]?.int == 1 }
    }

    /// Waits until the stream and the workers have ended.
    func waitForRelease() throws {
      while try status().output.state != .idle { _ = try bars[1].event() }
      try Processes.waitForNoChildren(of: try #require(daemon.pid))
    }

    /// The context switches of the daemon and its workers so far.
    var switches: Int { daemon.pid.map { Processes.switches(of: [$0] + Processes.children(of: $0)) } ?? 0 }

    /// The voluntary ones. Involuntary switches are caused by other processes.
    var wakeups: Int { daemon.pid.map { Processes.wakeups(of: [$0] + Processes.children(of: $0)) } ?? 0 }
  }
}
