import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of playback with a fixed sampling rate.
@Suite struct RateTests {
  /// The stream is not reopened, so there is no silence. Tracks with this rate are bit-exact.
  @Test func tracksOfDifferentRatesAreGapless() throws {
    let fixture = try DaemonFixture(configuration: "[Output]\nRate=44100\n")
    let slow = AudioFile.wave(Array(repeating: 0x21, count: 11_025 * 4), rate: 22_050)
    let paths = [
      try fixture.track("1", 0..<30_000), try fixture.write("2.wav", slow), try fixture.track("3", 30_000..<50_000),
    ]
    try fixture.add(paths, play: true)
    try fixture.recording.waitForSilence()
    let sound = fixture.recording.recordedFrames.sound
    let first = try #require(fixture.recording.recordedFrames.runs.first { $0.first != nil })
    #expect(first == RecordedFrames.Run(first: 0, count: 30_000))
    #expect(sound.last == RecordedFrames.Run(first: 30_000, count: 20_000))
    let all = fixture.recording.recordedFrames.runs.drop { $0.first == nil }.dropLast()
    #expect(all.allSatisfy { $0.first != nil }, "\(fixture.recording.recordedFrames)")
    #expect(abs(sound.dropFirst().dropLast().reduce(0) { $0 + $1.count } - 22_050) <= 1)
  }

  @Test func aChangedRateSettingTakesEffectAtOnce() throws {
    let fixture = try DaemonFixture()
    try fixture.add([try fixture.track("1", 0..<20 * 44_100)], play: true)
    try fixture.wait { $0.output.state == .open && $0.rate == 1 }
    #expect(try fixture.server.pactl("list", "sink-inputs").contains("s16le 2ch 44100Hz"))
    try AudioFile.write(
      Array("[Output]\nRate=96000\n".utf8), to: fixture.daemon.directory.appending("home/.config/segue/segue.conf"))
    let before = try fixture.status().position ?? .zero
    fixture.daemon.signal(SIGHUP)
    try waitUntil("the stream has the new rate") {
      try fixture.server.pactl("list", "sink-inputs").contains("float32le 2ch 96000Hz")
    }
    let after = try fixture.wait { $0.rate == 1 }
    #expect((after.position ?? .zero) >= before)
    #expect(after.audio?.sampleRate == 44_100)
  }

  /// The server sends the recording once, from its beginning: it cannot be decoded again with another rate.
  @Test func aChangedRateSettingTakesEffectAfterAStreamThatIsNotSeekable() throws {
    let fixture = try DaemonFixture()
    let recording = AudioFile.wave(Signal.pcm(0..<4 * 44_100))
    let web = try WebServer { _, client in
      let header = "HTTP/1.1 200 OK\r\nContent-Type: audio/wav\r\nContent-Length: \(recording.count)\r\n\r\n"
      return client.send(header) && client.send(recording)
    }
    let file = FileURI.encode(try fixture.track("file", 0..<20 * 44_100))
    try fixture.add(uris: [web.url("recording.wav"), file], play: true)
    try fixture.wait { $0.rate == 1 }
    try AudioFile.write(
      Array("[Output]\nRate=96000\n".utf8), to: fixture.daemon.directory.appending("home/.config/segue/segue.conf"))
    fixture.daemon.signal(SIGHUP)
    try fixture.wait { $0.index == 1 && $0.rate == 1 }
    try waitUntil("the file is played at the new rate") {
      try fixture.server.pactl("list", "sink-inputs").contains("float32le 2ch 96000Hz")
    }
  }
}
