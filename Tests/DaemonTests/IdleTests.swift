import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// The idle contract: how often the daemon and its workers are woken. The seconds are the measurement.
@Suite(.disabled(if: Sanitizer.isOn, "a sanitizer has a thread of its own, which looks round"))
struct IdleTests {
  /// Watched at the same time, in every state in which nothing is to be heard, with the bars of three screens connected.
  @Test func nothingWakesUsWhileNothingIsHeard() throws {
    let houses = [
      try House("before the first track"), try House("stopped"), try House("paused"),
      try House("paused, and the sound server goes"), try House("released, and the sound server goes"),
    ]
    for house in houses.dropFirst() { try house.play() }
    for (house, method) in zip(houses.dropFirst(), ["stop", "pause", "pause", "pause"]) {
      try house.client.call(method)
    }
    houses[3].server.kill()
    for house in houses { try house.waitForRelease() }
    houses[4].server.kill()
    for house in houses { try Processes.waitForRest(of: try #require(house.daemon.pid)) }

    let before = houses.map(\.switches)
    // What is measured.
    sleep(30)
    for (house, before) in zip(houses, before) {
      #expect(house.switches - before == 0, "\(house.name)")
    }
    // Awake when it is asked.
    for house in houses { #expect(try house.status().state != .playing) }
  }

  /// Tracks of eight and of sixty seconds, with the bars of three screens connected.
  @Test func playingTakesFewWakeups() throws {
    let flac = try House("FLAC")
    let mp3 = try House("MP3")
    try flac.play(AudioFile.read(AudioFile.demo("02 Dawn.flac")), as: "long.flac")
    // Frames without a tag: so many of them are one long file.
    let frames = try AudioFile.read(AudioFile.fixture("long.untagged.mp3"))
    try mp3.play(Array(repeatElement(frames, count: 15).joined()), as: "long.mp3")

    let seconds = 15
    let before = [flac, mp3].map(\.wakeups)
    // What is measured.
    sleep(UInt32(seconds))
    for (house, before) in zip([flac, mp3], before) {
      let rate = Double(house.wakeups - before) / Double(seconds)
      print("\(house.name): \(rate) switches a second while it plays")
      #expect(rate <= 12, "\(house.name)")
      let status = try house.status()
      #expect(status.state == .playing)
      #expect(status.output.underruns == 0)
    }
  }

  /// A daemon with its sound server, a client, and the bars that are told of changes.
  private final class House {
    let name: String
    let server: PulseServer
    let daemon: DaemonProcess
    let client: SocketClient
    private let bars: [SocketClient]

    init(_ name: String) throws {
      self.name = name
      server = try PulseServer()
      daemon = try DaemonProcess(pulse: server, running: false)
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

    /// Plays, by default a minute of numbered frames, over and over, and returns when it sounds.
    func play(_ file: [UInt8]? = nil, as name: String = "long.wav") throws {
      let path = daemon.directory.appending(name)
      try AudioFile.write(file ?? AudioFile.wave(Signal.pcm(0..<(60 * Signal.rate))), to: path)
      try client.call("repeat", #"{"mode":"one"}"#)
      try client.call("queue.add", #"{"uris":[\#(quoted(FileURI.encode(path)))],"play":true}"#)
      _ = try bars[0].event(of: "player") { $0["rate"]?.int == 1 }
    }

    /// Waits until stream and workers are gone.
    func waitForRelease() throws {
      while try status().output.state != .idle { _ = try bars[1].event() }
      try Processes.waitForNoChildren(of: try #require(daemon.pid))
    }

    /// Switches to the daemon and its workers so far.
    var switches: Int { daemon.pid.map { Processes.switches(of: [$0] + Processes.children(of: $0)) } ?? 0 }

    /// Those of them that followed a sleep: being pushed aside by a busy neighbour and let back is not our doing.
    var wakeups: Int { daemon.pid.map { Processes.wakeups(of: [$0] + Processes.children(of: $0)) } ?? 0 }
  }
}
