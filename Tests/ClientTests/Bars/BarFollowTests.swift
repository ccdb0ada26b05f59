import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// `segue status --follow`: a line whenever it is another one, whatever becomes of the daemon.
@Suite struct BarFollowTests {
  private func follow(
    _ daemon: StubDaemon, _ format: String = "{{status}} {{title}}", _ options: [String] = []
  ) throws -> ClientProcess {
    try ClientProcess(["status", "--follow", "--format", format] + options, environment: daemon.environment)
  }

  private func status(_ title: String, _ state: PlayState = .paused, change: (inout Status) -> Void = { _ in })
    -> Status
  {
    RecordedResponses.status(state, track: BarFixture.track(title), change: change)
  }

  @Test func theStateFirstThenEveryChangeAndNothingElse() throws {
    let daemon = try BarFixture.daemon(status("One"))
    let client = try follow(daemon)
    #expect(try client.readLine() == "Paused One")
    #expect(daemon.requests == [#"subscribe {"topics":["player"]}"#])
    daemon.send(BarFixture.event(status("One") { $0.volume = 3 }))
    daemon.send(BarFixture.event(status("One") { $0.position = .zero }))
    daemon.send(BarFixture.event(status("One", .playing)))
    #expect(try client.readLine() == "Playing One")
    daemon.send(BarFixture.event(status("Two", .playing)))
    #expect(try client.readLine() == "Playing Two")
    daemon.send(BarFixture.event(RecordedResponses.status(.stopped, track: nil)))
    #expect(try client.readLine() == "")
    client.closeOutput()
    let outcome = try client.finish()
    #expect(outcome.code == 0 && outcome.errors == [])
  }

  @Test func theDaemonGoesAndComesAgain() throws {
    let daemon = try BarFixture.daemon(status("One"))
    let client = try follow(daemon)
    #expect(try client.readLine() == "Paused One")
    for _ in 0..<3 {
      daemon.disconnect()
      #expect(try client.readLine() == "")
      #expect(try client.readLine() == "Paused One")
    }
    client.send(signal: SIGTERM)
    #expect(try client.finish().code == -SIGTERM)
  }

  /// One that is there and refuses is asked again, not for ever at once, and what it says is said once.
  @Test func aRefusalIsSaidOnce() throws {
    let daemon = try StubDaemon { _, _ in
      [.error(code: 8, kind: "too_many_clients", message: "that is enough"), .close]
    }
    let client = try follow(daemon)
    #expect(try client.readLine() == "")
    try waitUntil("it has asked four times") { daemon.requests.count >= 4 }
    client.closeOutput()
    let outcome = try client.finish()
    #expect(outcome.code == 0)
    #expect(outcome.errorText.components("that is enough") == 1, "\(outcome.errorText)")
  }

  @Test func whatIsNoAnswerIsNoReasonToEnd() throws {
    let daemon = try StubDaemon { _, _ in [.line("<html>"), .close] }
    let client = try follow(daemon)
    #expect(try client.readLine() == "")
    try waitUntil("it has asked again") { daemon.requests.count >= 2 }
    client.closeOutput()
    let outcome = try client.finish()
    #expect(outcome.code == 0 && outcome.errorText.components("not JSON") == 1)
  }

  @Test func itEndsWhenItsReaderGoesThoughNobodyListens() throws {
    let client = try ClientProcess(["status", "--follow"], environment: ["SEGUE_SOCKET": "/nonexistent/socket"])
    #expect(try client.readLine() == "")
    client.closeOutput()
    #expect(try client.finish().code == 0)
    let full = try ClientProcess.run(
      ["status", "--follow"], environment: ["SEGUE_SOCKET": "/nonexistent/socket"], on: .file("/dev/full"))
    #expect(full.code == 1 && full.errorText.contains("No space"))
  }

  @Test func aPathThatIsNoneIsAMistake() throws {
    let path = "/tmp/" + String(repeating: "x", count: 200)
    #expect(try ClientProcess.run(["status", "--follow", "--socket", path]).code == 2)
  }

  // MARK: Time

  /// At whole seconds of the position, until it is over.
  @Test func itTicksWhereTheTemplateHasThePosition() throws {
    let track = BarFixture.track("One") { $0.duration = .seconds(14.5) }
    let playing = RecordedResponses.status(track: track, position: 9.4, rate: 1)
    let daemon = try BarFixture.daemon(playing)
    let client = try follow(daemon, "{{position}}")
    var positions: [Int] = []
    while positions.last != 14_500_000 {
      let line = try #require(try client.readLine())
      positions.append(try #require(Int(line)))
    }
    let seconds = positions.map { $0 / 1_000_000 }
    // The last, where it stands, is of the same second as the one before it.
    #expect(Array(seconds.dropLast()) == Array(seconds[0]..<15))
    // It sleeps to where a second begins, as far as the machine lets it.
    let late = try #require(positions.dropFirst().dropLast().map { $0 % 1_000_000 }.min())
    #expect(late < 200_000, "\(positions)")
    daemon.send(BarFixture.event(RecordedResponses.status(.paused, track: track, position: 3)))
    #expect(try client.readLine() == "3000000")
  }

  /// A sleeping process is switched to for nothing.
  @Test(
    .disabled(if: Sanitizer.isOn, "a sanitizer has a thread of its own, which looks round"),
    arguments: [
      (PlayState.playing, "{{title}}"), (.paused, "{{title}} {{duration(position)}}"), (.stopped, "{{position}}"),
    ])
  func otherwiseNothingWakesIt(state: PlayState, format: String) throws {
    let daemon = try BarFixture.daemon(
      RecordedResponses.status(state, track: BarFixture.track("One"), rate: state == .playing ? 1 : 0))
    let client = try follow(daemon, format)
    _ = try client.readLine()
    try client.waitForRest()
    let before = client.wakeups
    // What is measured.
    sleep(4)
    #expect(client.wakeups == before)
  }

  /// Nor when there is no daemon: after a few seconds it only waits for the socket's name.
  @Test(.disabled(if: Sanitizer.isOn, "a sanitizer has a thread of its own, which looks round"))
  func nothingWakesItWithoutADaemon() throws {
    let folder = try TemporaryFolder()
    let client = try ClientProcess(
      ["status", "--follow"], environment: ["SEGUE_SOCKET": "\(folder.path)/run/segue/socket"])
    #expect(try client.readLine() == "")
    // It looks again after 10, 20, 40… milliseconds, at most eight times.
    try client.waitForRest(seconds: 3)
    let before = client.wakeups
    sleep(4)
    #expect(client.wakeups == before)
  }
}

extension String {
  /// How often `part` is in it.
  fileprivate func components(_ part: String) -> Int { ranges(of: part).count }
}

extension ClientProcess {
  /// How often it went to sleep.
  fileprivate var wakeups: Int {
    guard let file = fopen("/proc/\(pid)/status", "re") else { return -1 }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 14)
    let text = String(decoding: bytes[..<fread(&bytes, 1, bytes.count, file)], as: UTF8.self)
    let line = text.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") }
    return line.flatMap { Int($0.split(separator: "\t").last ?? "") } ?? -1
  }

  /// Waits until it has done what it had to do: until nothing woke it for so long.
  fileprivate func waitForRest(seconds: Double = 0.2) throws {
    var last = -1
    try waitUntil("it comes to rest", every: MediaTime(seconds: seconds)) {
      let before = last
      last = wakeups
      return last == before && last > 0
    }
  }
}
