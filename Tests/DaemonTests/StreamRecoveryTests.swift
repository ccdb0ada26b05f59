import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of streams that are served by a process that ends or hangs.
@Suite(.timeLimit(.minutes(2))) struct StreamRecoveryTests {
  /// The process that ends.
  enum Victim: CaseIterable { case decoder, fetchProcess }

  /// A recording in which a station that begins with frame 0 for each listener is heard twice.
  private func wait(forStart number: Int, of fixture: DaemonFixture) throws {
    try fixture.recording.wait(for: "start \(number) of the station", seconds: 60) { recordedFrames in
      recordedFrames.sound.filter { $0.first == 0 && $0.count > 22_050 }.count == number
    }
  }

  private func workersLost(_ fixture: DaemonFixture) throws -> Int? {
    try fixture.client.call("daemon.stats")["workersLost"]?.int
  }

  /// If the queue is repeated, the station was planned once more before.
  @Test(arguments: Victim.allCases, ["off", "all"])
  func aStation_isOpenedAgainWhenAProcessEnds(_ victim: Victim, _ mode: String) throws {
    let fixture = try DaemonFixture()
    try fixture.client.call("repeat", #"{"mode":"\#(mode)"}"#)
    let web = try WebServer(.radio(burst: 22_050))
    try fixture.add(uris: [web.url("radio")], play: true)
    for round in 1...2 {
      try wait(forStart: round, of: fixture)
      let process = victim == .decoder ? try fixture.decoder() : try #require(fixture.fetchProcess)
      kill(process, SIGKILL)
      try waitUntil("the loss is counted") { try workersLost(fixture) == round }
    }
    try wait(forStart: 3, of: fixture)
    let status = try fixture.wait { $0.stream?.state == .live }
    #expect(status.state == .playing && status.track?.error == nil)
    // Other tracks are not affected.
    try fixture.add([try fixture.track("file", 1_000_000..<1_020_000)], play: true)
    try fixture.recording.wait(forFrame: 1_019_999)
    #expect(fixture.recording.recordedFrames.sound.contains(RecordedFrames.Run(first: 1_000_000, count: 20_000)))
  }

  @Test func aStation_isConnectingUntilItIsHeardAgain() throws {
    let station = try Station(repeatsHeader: true)
    let fixture = try DaemonFixture()
    try fixture.add(uris: [station.url], play: true)
    try fixture.wait { $0.stream?.state == .live }
    station.set(.silent)
    kill(try fixture.decoder(), SIGKILL)
    let lost = try fixture.wait { $0.stream?.state == .connecting }
    #expect(lost.state == .playing && lost.rate == 0 && lost.track?.error == nil)
    station.set(.sending)
    try fixture.wait { $0.stream?.state == .live && $0.rate == 1 }
  }

  @Test func aStopDuringTheDelay_endsTheRequests() throws {
    let station = try Station(repeatsHeader: true)
    let fixture = try DaemonFixture()
    try fixture.add(uris: [station.url], play: true)
    try fixture.wait { $0.stream?.state == .live }
    station.set(.silent)
    kill(try fixture.decoder(), SIGKILL)
    try waitUntil("the loss is counted") { try workersLost(fixture) == 1 }
    try fixture.call("stop")
    try fixture.add([try fixture.track("file", 1_000_000..<1_020_000)], play: true)
    try fixture.waitForStop()
    #expect(try fixture.errors() == [nil, nil])
  }

  /// The station has played before a decoder crashes at its first byte.
  @Test func aStationThatCrashesItsDecoderWithoutAudio_isGivenUp() throws {
    let replaceable = try ReplaceableWorkerFixture()
    let fixture = replaceable.fixture
    let web = try WebServer(.radio(burst: 22_050))
    try fixture.add(uris: [web.url("crash")], play: true)
    try wait(forStart: 1, of: fixture)
    try replaceable.installWorker(program: "malicious-worker")
    kill(try fixture.decoder(), SIGKILL)
    try fixture.waitForStop()
    let error = try #require(try fixture.errors().first ?? nil)
    #expect(error.contains("the decoder "), "\(error)")
    #expect((2...8).contains(try workersLost(fixture) ?? 0))
  }

  /// The server sends the second half only to a later request, so that the first half ends with the process.
  @Test func aFile_continuesAtTheMissingFrameWhenTheFetchProcessEnds() throws {
    let song = AudioFile.wave(Signal.pcm(0..<200_000))
    let half = 44 + 4 * 100_000
    let isWhole = EventLog<Void>()
    let web = try WebServer { request, client in
      let from = request.firstMatch(of: /Range: bytes=(\d+)-/).flatMap { Int($0.1) }
      let start = min(from ?? 0, song.count)
      let range = from == nil ? "" : "Content-Range: bytes \(start)-\(song.count - 1)/\(song.count)\r\n"
      let status = from == nil ? "200 OK" : "206 Part"
      let head = "HTTP/1.1 \(status)\r\nContent-Type: audio/wav\r\nAccept-Ranges: bytes\r\n\(range)"
      let isCut = isWhole.count == 0 && start < half
      guard client.send("\(head)Content-Length: \(song.count - start)\r\n\r\n"),
        client.send(Array(song[start..<(isCut ? half : song.count)]))
      else { return false }
      if isCut { _ = isWhole.wait(from: 0) { _ in true } }
      return !isCut
    }
    let fixture = try DaemonFixture()
    try fixture.add(uris: [web.url("song.wav")], play: true)
    try fixture.recording.wait(forFrame: 50_000)
    kill(try #require(fixture.fetchProcess), SIGKILL)
    isWhole.append(())
    try fixture.recording.wait(for: "the whole song") { $0.sound.last?.end == 200_000 && $0.silence >= 20_000 }
    #expect(try fixture.errors() == [nil])
    #expect(fixture.recording.recordedFrames.joined == [0..<200_000])
    #expect(try workersLost(fixture) == 1)
  }

  @Test func aFetchProcessThatHangs_isReplaced() throws {
    let fixture = try DaemonFixture()
    let web = try WebServer(.radio(burst: 22_050))
    try fixture.add(uris: [web.url("radio")], play: true)
    try wait(forStart: 1, of: fixture)
    let process = try #require(fixture.fetchProcess)
    kill(process, SIGSTOP)
    try wait(forStart: 2, of: fixture)
    #expect(fixture.fetchProcess != process)
    let reason = "the process that reads from the network was terminated: it did not respond for 10 s"
    #expect(fixture.daemon.errors.contains(reason))
    #expect(try fixture.errors() == [nil])
  }

  /// A stream that was requested from a process that hangs is requested again, too.
  @Test func aFetchProcessThatHangsBeforeTheStreamIsOpen_isReplaced() throws {
    let fixture = try DaemonFixture()
    let station = try Station("Silent", .silent, repeatsHeader: true)
    try fixture.add(uris: [station.url], play: true)
    try waitUntil("the station is asked") { station.requestCount == 1 }
    kill(try #require(fixture.fetchProcess), SIGSTOP)
    station.set(.sending)
    try fixture.wait { $0.stream?.state == .live }
    #expect(try fixture.errors() == [nil])
  }
}
