import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of signals during large additions and with invalid configurations.
@Suite struct SignalTests {
  /// A playlist with more tracks than one batch.
  private func long(_ daemon: DaemonProcess) throws -> String {
    try AudioFile.write(AudioFile.wave(Signal.pcm(0..<441)), to: daemon.directory.appending("1.wav"))
    let list = daemon.directory.appending("long.m3u8")
    try AudioFile.write(Array(String(repeating: "1.wav\n", count: 8_000).utf8), to: list)
    return quoted(FileURI.encode(list))
  }

  /// An unconfirmed addition may be saved completely, partly or not at all, but the ids that clients have seen stay
  /// valid.
  @Test(arguments: [SIGTERM, SIGKILL]) func aShutdownDuringALargeAdditionIsClean(signal: Int32) throws {
    let daemon = try DaemonProcess()
    let uri = try long(daemon)
    for portions in [1, 4] {
      let client = try daemon.connect()
      let watcher = try daemon.connect()
      let before = try watcher.call("subscribe")["queue"]?["length"]?.int ?? 0
      _ = try client.sendRequest("queue.add", #"{"uris":[\#(uri)]}"#)
      _ = try watcher.event(of: "queue") { ($0["length"]?.int ?? 0) >= before + portions * 1_000 }
      let length = try watcher.call("status")["length"]?.int ?? 0
      let seen = try watcher.call("list", #"{"offset":\#(length - 1)}"#)["tracks"]?.elements?.last?["id"]?.int ?? 0
      let code = daemon.stop(signal)
      #expect(code == (signal == SIGTERM ? 0 : nil))
      try daemon.start()
      let again = try daemon.connect()
      let kept = try again.call("status")["length"]?.int ?? 0
      #expect(kept >= before)
      if signal == SIGTERM { #expect(kept >= length, "a clean exit saves all entries that clients have seen") }
      let one = quoted(FileURI.encode(daemon.directory.appending("1.wav")))
      let fresh = try again.call("queue.add", #"{"uris":[\#(one)]}"#)["added"]?.elements?.first?.int ?? 0
      #expect(fresh > seen, "id \(fresh) was assigned after id \(seen)")
    }
  }

  @Test func anInvalidConfigurationChangesNothing() throws {
    let fixture = try DaemonFixture(.null("test"), configuration: "[Output]\nDevice=test\n")
    try fixture.server.pactl("load-module", "module-null-sink", "sink_name=other")
    try fixture.add([try fixture.track("long", 0..<(60 * Signal.rate))], play: true)
    try fixture.wait { $0.output.device == "test" }
    try reload(fixture, "[Output]\nDevice=other\n[Player]\nGracePeriod=soon\n")
    #expect(fixture.daemon.errors.contains("segue.conf:4: GracePeriod=soon"))
    #expect(fixture.daemon.errors.contains("was not reloaded"))
    // The response to `list` comes after the move has finished.
    try fixture.client.call("output.list")
    #expect(try fixture.status().output.device == "test")
    try reload(fixture, "[Output]\nDevice=other\n[Player]\nGracePeriod=2\n")
    try fixture.wait { $0.output.device == "other" }
  }

  /// Makes the daemon read this configuration.
  private func reload(_ fixture: DaemonFixture, _ configuration: String) throws {
    let path = fixture.daemon.directory.appending("home/.config/segue/segue.conf")
    try AudioFile.write(Array(configuration.utf8), to: path)
    fixture.daemon.signal(SIGHUP)
    _ = try fixture.daemon.notification { $0.contains("RELOADING=1") }
    _ = try fixture.daemon.notification { $0.contains("READY=1") }
  }

  @Test func anOutputOfANewConfigurationOverridesAChosenOne() throws {
    let fixture = try DaemonFixture(.null("test"))
    try fixture.server.pactl("load-module", "module-null-sink", "sink_name=other")
    try fixture.client.call("output.set", #"{"device":"other"}"#)
    try fixture.add([try fixture.track("long", 0..<(60 * Signal.rate))], play: true)
    try fixture.wait { $0.output.device == "other" }
    try reload(fixture, "[Output]\nDevice=test\n")
    try fixture.wait { $0.output.device == "test" }
    // The same holds after a restart.
    #expect(fixture.daemon.stop() == 0)
    try fixture.daemon.start()
    try fixture.reconnect()
    try fixture.call("play")
    #expect(try fixture.wait { $0.output.device != nil }.output.device == "test")
  }

  enum Obstacle: CaseIterable { case folder, fifo, garbage }

  /// If the position file cannot be written, the position is saved in the database. The content of the file is
  /// validated.
  @Test(arguments: Obstacle.allCases) func aFolderAtThePathOfThePositionFileIsReported(_ obstacle: Obstacle) throws {
    let fixture = try DaemonFixture(.null("test"))
    try fixture.add([try fixture.track("long", 0..<(60 * Signal.rate))], play: true)
    let file = fixture.daemon.runtimeFolder.appending("segue/position")
    switch obstacle {
    case .folder: FilePath("\(file).new").withCString { _ = mkdir($0, 0o700) }
    case .fifo: FilePath("\(file).new").withCString { _ = mkfifo($0, 0o600) }
    case .garbage: break
    }
    try fixture.call("seek", #"{"position":33}"#)
    try fixture.call("pause")
    // This response comes after everything that was saved before.
    try fixture.client.call("volume", #"{"level":50}"#)
    fixture.daemon.kill()
    if obstacle == .garbage {
      try AudioFile.write(Array(#"{"entry":1,"position":"far","time":9e99}"#.utf8), to: file)
    }
    try fixture.daemon.start()
    try fixture.reconnect()
    let status = try fixture.status()
    #expect(status.state == .paused)
    #expect(abs((status.position ?? .zero).seconds - 33) < 1)
    if obstacle != .garbage { #expect(fixture.daemon.errors.contains("storing it on disk")) }
  }

  @Test func aStoppedDaemonIsReportedAndContinues() throws {
    let daemon = try DaemonProcess()
    daemon.signal(SIGSTOP)
    let environment = ["SEGUE_SOCKET": "\(daemon.socket)"]
    let outcome = try ClientProcess.run(["volume", "20"], environment: environment)
    #expect(outcome.code == 3)
    #expect(outcome.errorText.contains("the daemon at \(daemon.socket) does not respond"))
    daemon.signal(SIGCONT)
    #expect(try ClientProcess.run(["volume"], environment: environment).code == 0)
  }
}
