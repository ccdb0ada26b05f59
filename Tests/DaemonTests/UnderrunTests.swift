import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of sources that stop for longer than what is buffered lasts, and continue in real time.
@Suite(.timeLimit(.minutes(2))) struct UnderrunTests {
  /// A sink that reads a second ahead, and one that reads little.
  private static let readAheads = [MediaTime.seconds(2), .milliseconds(50)]
  /// The frames that the monitor of a null sink may hide where a sound starts.
  private static let hidden = 2_205

  /// Expects that the sound continues after one gap, and without another one for five seconds.
  private func expectOneGap(in fixture: DaemonFixture) throws {
    try fixture.recording.wait(for: "sound after the gap", seconds: 40) { recorded in
      recorded.sound.count > 1 && recorded.sound.last.map { $0.count > 5 * Signal.rate } == true
    }
    let sounds = fixture.recording.recordedFrames.sound
    #expect(sounds.count == 2, "\(fixture.recording.recordedFrames)")
    let missing = try #require(sounds.last?.first) - sounds[0].end
    #expect((0...Self.hidden).contains(missing))
    let status = try fixture.status()
    #expect(status.rate == 1 && status.output.underruns == 1)
  }

  @Test(arguments: readAheads) func aStationThatWasInterrupted_continuesAfterOneGap(_ readAhead: MediaTime) throws {
    let station = try Station(burst: 3 * Signal.rate)
    let fixture = try DaemonFixture(.null("test"), readAhead: readAhead)
    try fixture.add(uris: [station.url], play: true)
    // The monitor of a new null sink may deliver nothing for two seconds.
    try fixture.recording.wait(for: "sound") { ($0.sound.last?.count ?? 0) > 20_000 }
    station.set(.stalled)
    let starved = try fixture.wait { $0.stream?.state == .buffering }
    #expect(starved.state == .playing && starved.rate == 0)
    station.set(.sending)
    try fixture.wait { $0.stream?.state == .live && $0.rate == 1 }
    try expectOneGap(in: fixture)
  }

  @Test(arguments: readAheads) func aFileOnASlowServer_continuesAfterOneGap(_ readAhead: MediaTime) throws {
    let song = AudioFile.wave(Signal.pcm(0..<(15 * Signal.rate)))
    let first = 44 + 4 * 4 * Signal.rate
    let continues = EventLog<Void>()
    let web = try WebServer { _, client in
      let head = "HTTP/1.1 200 OK\r\nContent-Type: audio/wav\r\nContent-Length: \(song.count)\r\n\r\n"
      guard client.send(head), client.send(Array(song[..<first])) else { return false }
      _ = continues.wait(from: 0, within: .seconds(60)) { _ in true }
      let start = MonotonicTime.now
      for piece in stride(from: first, to: song.count, by: 17_640) {
        let end = min(piece + 17_640, song.count)
        let time = start + SampleRate.cd.time(of: Frames((end - first) / 4))
        if client.waitForEnd(within: time - .now) || !client.send(Array(song[piece..<end])) { return false }
      }
      return false
    }
    let fixture = try DaemonFixture(.null("test"), readAhead: readAhead)
    try fixture.add(uris: [web.url("song.wav")], play: true)
    try fixture.wait { $0.stream?.state == .buffering && ($0.position ?? .zero) > .seconds(3) }
    continues.append(())
    try expectOneGap(in: fixture)
  }
}
