import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of `status --follow`, which prints a line after every change and reconnects to the daemon.
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

  @Test func followPrintsTheStateAndThenOnlyChanges() throws {
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

  @Test func followReconnectsAfterTheConnectionEnds() throws {
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

  /// The client retries with a backoff if the daemon returns an error, and prints the error only once.
  @Test func repeatedErrorIsPrintedOnce() throws {
    let daemon = try StubDaemon { _, _ in
      [.error(code: 8, kind: "too_many_clients", message: "that is enough"), .close]
    }
    let client = try follow(daemon)
    #expect(try client.readLine() == "")
    try waitUntil("the client has sent four requests") { daemon.requests.count >= 4 }
    client.closeOutput()
    let outcome = try client.finish()
    #expect(outcome.code == 0)
    #expect(outcome.errorText.occurrences(of: "that is enough") == 1, "\(outcome.errorText)")
  }

  @Test func followContinuesAfterAnInvalidResponse() throws {
    let daemon = try StubDaemon { _, _ in [.line("<html>"), .close] }
    let client = try follow(daemon)
    #expect(try client.readLine() == "")
    try waitUntil("the client has sent another request") { daemon.requests.count >= 2 }
    client.closeOutput()
    let outcome = try client.finish()
    #expect(outcome.code == 0 && outcome.errorText.occurrences(of: "not JSON") == 1)
  }

  @Test func followEndsWhenStandardOutputIsClosedWithoutADaemon() throws {
    let client = try ClientProcess(["status", "--follow"], environment: ["SEGUE_SOCKET": "/nonexistent/socket"])
    #expect(try client.readLine() == "")
    client.closeOutput()
    #expect(try client.finish().code == 0)
    let full = try ClientProcess.run(
      ["status", "--follow"], environment: ["SEGUE_SOCKET": "/nonexistent/socket"], on: .file("/dev/full"))
    #expect(full.code == 1 && full.errorText.contains("No space"))
  }

  @Test func tooLongSocketPathIsAUsageError() throws {
    let path = "/tmp/" + String(repeating: "x", count: 200)
    #expect(try ClientProcess.run(["status", "--follow", "--socket", path]).code == 2)
  }

  // MARK: Time

  /// A line is printed whenever the position reaches a whole second, until the end of the track.
  @Test func templateWithPositionIsPrintedEverySecond() throws {
    let track = BarFixture.track("One") { $0.duration = .seconds(14.5) }
    let playing = RecordedResponses.status(track: track, position: 9.8, rate: 1)
    let daemon = try BarFixture.daemon(playing)
    let client = try follow(daemon, "{{position}}")
    var positions: [Int] = []
    while positions.last != 14_500_000 {
      let line = try #require(try client.readLine())
      positions.append(try #require(Int(line)))
    }
    let seconds = positions.map { $0 / 1_000_000 }
    // The final position is in the same second as the line before it.
    #expect(Array(seconds.dropLast()) == Array(seconds[0]..<15))
    // The client wakes up at whole seconds of the position. If it woke up one second after each line instead, every
    // line would have the fraction of the first one.
    let fractions = positions.dropFirst().dropLast().map { $0 % 1_000_000 }
    #expect(try #require(fractions.min()) < 800_000, "\(positions)")
    daemon.send(BarFixture.event(RecordedResponses.status(.paused, track: track, position: 3)))
    #expect(try client.readLine() == "3000000")
  }

  /// No context switch occurs while the line does not change.
  @Test(
    .disabled(if: Sanitizer.isOn, "sanitizers have a background thread"),
    arguments: [
      (PlayState.playing, "{{title}}"), (.paused, "{{title}} {{duration(position)}}"), (.stopped, "{{position}}"),
    ])
  func followDoesNotWakeUpWithoutChanges(state: PlayState, format: String) throws {
    let daemon = try BarFixture.daemon(
      RecordedResponses.status(state, track: BarFixture.track("One"), rate: state == .playing ? 1 : 0))
    let client = try follow(daemon, format)
    _ = try client.readLine()
    try client.waitUntilIdle()
    let before = client.wakeups
    #expect(try client.printsNothing(for: .seconds(4)))
    #expect(client.wakeups == before)
  }

  /// After a few seconds without a daemon, the client only waits for a new socket.
  @Test(.disabled(if: Sanitizer.isOn, "sanitizers have a background thread"))
  func followDoesNotWakeUpWithoutADaemon() throws {
    let folder = try TemporaryFolder()
    let client = try ClientProcess(
      ["status", "--follow"], environment: ["SEGUE_SOCKET": "\(folder.path)/run/segue/socket"])
    #expect(try client.readLine() == "")
    // The client retries after 10, 20, 40… milliseconds, at most eight times.
    try client.waitUntilIdle(seconds: 3)
    let before = client.wakeups
    #expect(try client.printsNothing(for: .seconds(4)))
    #expect(client.wakeups == before)
  }
}

extension String {
  /// Returns the number of occurrences of `part`.
  fileprivate func occurrences(of part: String) -> Int { ranges(of: part).count }
}

extension ClientProcess {
  /// The number of voluntary context switches.
  fileprivate var wakeups: Int {
    guard let file = fopen("/proc/\(pid)/status", "re") else { return -1 }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 14)
    let text = String(decoding: bytes[..<fread(&bytes, 1, bytes.count, file)], as: UTF8.self)
    let line = text.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") }
    return line.flatMap { Int($0.split(separator: "\t").last ?? "") } ?? -1
  }

  /// Waits until no context switch has occurred for this time.
  fileprivate func waitUntilIdle(seconds: Double = 0.2) throws {
    var last = -1
    try waitUntil("the client is idle", every: MediaTime(seconds: seconds)) {
      let before = last
      last = wakeups
      return last == before && last > 0
    }
  }
}
