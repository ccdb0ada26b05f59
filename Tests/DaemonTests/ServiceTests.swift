import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of the installed units under a real `systemd --user`.
@Suite(.enabled(if: UserManager.isAllowed, "only root may start a separate service manager")) struct ServiceTests {
  /// Plays the demo album with a private sound server.
  private func play(_ manager: UserManager) throws {
    let flac = try manager.write(AudioFile.read(AudioFile.demo("01 Before Dawn.flac")), to: "dawn.flac")
    let uri = quoted(FileURI.encode(flac))
    try manager.connect().call("queue.add", #"{"uris":[\#(uri)],"play":true}"#)
    try manager.connect().call("repeat", #"{"mode":"one"}"#)
  }

  @Test func theFirstClientStartsTheService() throws {
    let manager = try UserManager()
    try manager.systemctl("enable", "--now", "segued.socket")
    #expect(try manager.property("SubState", of: "segued.socket") == "listening")
    #expect(try manager.property("ActiveState") == "inactive")
    #expect(mode(of: manager.socket) == 0o600)
    #expect(mode(of: manager.socket.parent) == 0o700)
    let client = try manager.connect()
    #expect(try client.call("status")["state"]?.string == "stopped")
    // The daemon reports READY before its first response, but systemd may process it later.
    try manager.wait(for: "ActiveState", "active")
    try manager.wait(for: "StatusText", "stopped")
  }

  @Test func systemdShowsTheCurrentTrack() throws {
    let server = try PulseServer([.null("test")])
    let manager = try UserManager(pulse: server)
    try manager.systemctl("start", "segued.service")
    try play(manager)
    try manager.wait(for: "StatusText", "playing: The Oscillators – Before Dawn")
    try manager.connect().call("pause")
    try manager.wait(for: "StatusText", "paused: The Oscillators – Before Dawn")
    // The unit does not affect the sandbox of the worker.
    let lacks = try manager.connect().call("daemon.stats")["sandboxLacks"]?.elements
    #expect(lacks?.isEmpty == true, "\(String(describing: lacks))")
    try manager.systemctl("stop", "segued.service")
    #expect(try manager.property("Result") == "success")
  }

  /// Settings that a user's service manager cannot apply would keep the service from starting.
  @Test func theLimitsOfTheUnitApply() throws {
    let manager = try UserManager()
    try manager.systemctl("start", "segued.service")
    let process = try manager.mainProcess()
    #expect(try manager.property("OOMPolicy") == "continue")
    #expect(try manager.property("TasksMax") == "128")
    let limits = try manager.run("cat", "/proc/\(process)/limits").split(separator: "\n")
    #expect(limits.contains { $0.split(separator: " ").starts(with: ["Max", "core", "file", "size", "0", "0"]) })
    let status = try manager.run("cat", "/proc/\(process)/status").split(separator: "\n")
    #expect(status.contains("NoNewPrivs:\t1"))
    #expect(status.contains("Seccomp:\t2"))
    #expect(status.contains("CapEff:\t0000000000000000"))
  }

  /// Adding a file starts a worker, and the scan of the music folder starts others.
  @Test func workersRunUnderTheRestrictionsOfTheUnit() throws {
    let manager = try UserManager()
    let wave = AudioFile.wave(Signal.pcm(0..<4_000))
    let track = try manager.write(wave, to: "elsewhere/song.wav")
    try manager.write(wave, to: "Music/song.wav")
    try manager.systemctl("start", "segued.service")
    let client = try manager.connect()
    let response = try client.call("queue.add", #"{"uris":[\#(quoted(FileURI.encode(track)))]}"#)
    #expect(response["failed"]?.count == 0, "\(response)")
    try waitUntil("the music folder was scanned") {
      try client.call("library.status")["tracks"]?.int == 1
    }
    let counters = try client.call("daemon.stats")
    #expect(counters["sandboxLacks"]?.elements?.isEmpty == true, "\(counters)")
    #expect(counters["workersLost"]?.int == 0)
    #expect(counters["saveError"]?.isNull == true)
  }

  @Test func aReloadKeepsTheProcess() throws {
    let server = try PulseServer([.null("test"), .null("other")])
    let manager = try UserManager(pulse: server)
    try manager.systemctl("start", "segued.service")
    let process = try manager.mainProcess()
    try manager.write(Array("[Output]\nDevice=other\n".utf8), to: ".config/segue/segue.conf")
    try manager.systemctl("reload", "segued.service")
    try play(manager)
    try waitUntil("the new process plays") {
      try manager.connect().call("status")["output"]?["device"]?.string == "other"
    }
    #expect(try manager.mainProcess() == process)
    #expect(try manager.property("ActiveState") == "active")
  }

  /// Requests between two daemons are answered by the next one. Earlier connections are closed.
  @Test func clientsWaitInTheSocketWhileItRestarts() throws {
    let manager = try UserManager()
    try manager.systemctl("enable", "--now", "segued.socket")
    _ = try manager.connect().call("status")
    let process = try manager.mainProcess()
    try manager.systemctl("stop", "segued.service")
    // The kernel accepts connections meanwhile.
    let waiting = try (0..<20).map { _ in try manager.connect() }
    let requests = try waiting.map { try $0.sendRequest("status") }
    for (client, request) in zip(waiting, requests) {
      #expect(try client.response(to: request)["state"]?.string == "stopped")
    }
    #expect(try manager.mainProcess() != process)
    try manager.systemctl("restart", "segued.service")
    #expect(try manager.connect().call("status")["state"]?.string == "stopped")
    #expect(try manager.property("SubState", of: "segued.socket") == "running")
  }

  /// Requests before the shutdown are answered by the old or the new daemon.
  @Test func requestsBeforeARestartAreAnswered() throws {
    let manager = try UserManager()
    try manager.systemctl("enable", "--now", "segued.socket")
    let before = try manager.connect()
    _ = try before.call("status")
    let process = try manager.mainProcess()
    try manager.systemctl("kill", "--signal=STOP", "--kill-whom=main", "segued.service")
    // The request is read together with the signal, which wakes the daemon.
    let request = try before.sendRequest("status")
    let waiting = try (0..<20).map { _ in try manager.connect() }
    let requests = try waiting.map { try $0.sendRequest("status") }
    try manager.systemctl("restart", "segued.service")
    #expect(try manager.mainProcess() != process)
    #expect(try before.response(to: request)["state"]?.string == "stopped")
    for (client, request) in zip(waiting, requests) {
      #expect(try client.response(to: request)["state"]?.string == "stopped")
    }
  }

  @Test func systemdRestartsTheDaemonAfterACrash() throws {
    let manager = try UserManager()
    try manager.systemctl("start", "segued.service")
    try manager.connect().call("volume", #"{"level":42}"#)
    let process = try manager.mainProcess()
    try manager.systemctl("kill", "--signal=KILL", "--kill-whom=main", "segued.service")
    try manager.wait(for: "NRestarts", "1")
    try manager.wait(for: "ActiveState", "active")
    #expect(try manager.mainProcess() != process)
    #expect(try manager.connect().call("status")["volume"]?.int == 42)
  }

  @Test func systemdRestartsADaemonThatHangsDuringPlayback() throws {
    let server = try PulseServer([.null("test")])
    let manager = try UserManager(pulse: server)
    try manager.override("[Service]\nWatchdogSec=2\nTimeoutAbortSec=1\n")
    try manager.systemctl("start", "segued.service")
    #expect(try manager.property("WatchdogUSec") == "0", "the watchdog is off while stopped")
    try play(manager)
    try manager.wait(for: "WatchdogUSec", "2s")
    try manager.connect().call("pause")
    try manager.wait(for: "WatchdogUSec", "0")
    try manager.connect().call("play")
    try manager.wait(for: "WatchdogUSec", "2s")
    let process = try manager.mainProcess()
    try manager.systemctl("kill", "--signal=STOP", "--kill-whom=main", "segued.service")
    try manager.wait(for: "NRestarts", "1")
    try manager.wait(for: "ActiveState", "active")
    #expect(try manager.mainProcess() != process)
  }
}
