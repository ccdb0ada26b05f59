import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// How often the daemon and its workers are woken. The ten seconds are the measurement.
@Suite struct IdleTests {
  static let seconds: UInt32 = 10

  /// Switches of daemon and workers in ten seconds.
  private func switches(_ daemon: DaemonProcess) throws -> Int {
    let pid = try #require(daemon.pid)
    let pids = [pid] + Processes.children(of: pid)
    let before = Processes.switches(of: pids)
    sleep(Self.seconds)
    return Processes.switches(of: pids) - before
  }

  /// Waits until everything that follows a request has been done: two answers with no switch between them but their own.
  private func settle(_ daemon: DaemonProcess) throws {
    let pid = try #require(daemon.pid)
    for _ in 0..<200 {
      let before = Processes.switches(of: [pid])
      usleep(100_000)
      if Processes.switches(of: [pid]) == before { return }
    }
    Issue.record("it never comes to rest")
  }

  @Test func nothingHappensBeforeTheFirstTrack() throws {
    let server = try PulseServer()
    let daemon = try DaemonProcess(pulse: server)
    let client = try daemon.connect()
    try client.call("status")
    try settle(daemon)
    #expect(try switches(daemon) == 0)
    withExtendedLifetime(server) {}
  }

  @Test(arguments: ["pause", "stop"]) func nothingHappensOnceThatIsReleased(method: String) throws {
    let server = try PulseServer()
    let daemon = try DaemonProcess(pulse: server, running: false)
    try configure(daemon)
    try daemon.start()
    let (client, watcher) = try play(daemon)
    try client.call(method)
    while Status(try client.call("status")).output.state != .idle { _ = try watcher.event() }
    try Processes.waitForNoChildren(of: try #require(daemon.pid))
    try settle(daemon)
    #expect(try switches(daemon) == 0)
    withExtendedLifetime(server) {}
  }

  @Test func playingTakesFewWakeups() throws {
    let server = try PulseServer()
    let daemon = try DaemonProcess(pulse: server, running: false)
    try configure(daemon)
    try daemon.start()
    let (client, watcher) = try play(daemon)
    let count = try switches(daemon)
    let status = Status(try client.call("status"))
    #expect(status.state == .playing)
    #expect(status.output.underruns == 0)
    print("switches a second while playing: \(Double(count) / Double(Self.seconds))")
    #expect(count <= 12 * Int(Self.seconds))
    withExtendedLifetime((server, watcher)) {}
  }

  private func configure(_ daemon: DaemonProcess) throws {
    for path in ["home/.config", "home/.config/segue"] {
      daemon.directory.appending(path).withCString { _ = mkdir($0, 0o700) }
    }
    try AudioFile.write(
      Array("[Player]\nGracePeriod=1\n".utf8), to: daemon.directory.appending("home/.config/segue/segue.conf"))
  }

  /// Plays a minute of music, and returns when it sounds.
  private func play(_ daemon: DaemonProcess) throws -> (client: SocketClient, watcher: SocketClient) {
    let client = try daemon.connect()
    let watcher = try daemon.connect()
    try watcher.call("subscribe")
    let path = daemon.directory.appending("long.wav")
    try AudioFile.write(AudioFile.wave(Signal.pcm(0..<(60 * Signal.rate))), to: path)
    try client.call("queue.add", #"{"uris":[\#(quoted(FileURI.encode(path)))],"play":true}"#)
    _ = try watcher.event(of: "player") { $0["rate"]?.int == 1 }
    return (client, watcher)
  }
}
