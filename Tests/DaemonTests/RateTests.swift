import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of playback with a fixed sampling rate.
@Suite struct RateTests {
  /// The stream is not reopened, so there is no silence. Tracks with this rate are bit-exact.
  @Test func anotherRateJoinsOn() throws {
    let stage = try Stage(configuration: "[Output]\nRate=44100\n")
    let slow = AudioFile.wave(Array(repeating: 0x21, count: 11_025 * 4), rate: 22_050)
    let paths = [
      try stage.track("1", 0..<30_000), try stage.write("2.wav", slow), try stage.track("3", 30_000..<50_000),
    ]
    try stage.add(paths, play: true)
    try stage.ear.listenToTheEnd()
    let sound = stage.ear.score.sound
    let first = try #require(stage.ear.score.runs.first { $0.first != nil })
    #expect(first == Score.Run(first: 0, count: 30_000))
    #expect(sound.last == Score.Run(first: 30_000, count: 20_000))
    let all = stage.ear.score.runs.drop { $0.first == nil }.dropLast()
    #expect(all.allSatisfy { $0.first != nil }, "\(stage.ear.score)")
    #expect(abs(sound.dropFirst().dropLast().reduce(0) { $0 + $1.count } - 22_050) <= 1)
  }

  @Test func anotherSettingIsHeardAtOnce() throws {
    let stage = try Stage()
    try stage.add([try stage.track("1", 0..<20 * 44_100)], play: true)
    try stage.wait { $0.output.state == .open && $0.rate == 1 }
    #expect(try stage.server.control("list", "sink-inputs").contains("s16le 2ch 44100Hz"))
    try AudioFile.write(
      Array("[Output]\nRate=96000\n".utf8), to: stage.daemon.directory.appending("home/.config/segue/segue.conf"))
    let before = try stage.status().position ?? .zero
    stage.daemon.signal(SIGHUP)
    try waitUntil("another stream") {
      try stage.server.control("list", "sink-inputs").contains("float32le 2ch 96000Hz")
    }
    let after = try stage.wait { $0.rate == 1 }
    #expect((after.position ?? .zero) >= before)
    #expect(after.audio?.sampleRate == 44_100)
  }
}
