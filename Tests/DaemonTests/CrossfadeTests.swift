import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of crossfades, compared sample by sample at the sink.
@Suite struct CrossfadeTests {
  private let fixture: DaemonFixture
  private static let rate = 44_100
  private static let fade = 2 * rate

  init() throws { fixture = try DaemonFixture(configuration: "[Player]\nCrossfade=2\n") }

  private func tone(_ name: String, seconds: Int, hertz: Double) throws -> FilePath {
    try fixture.write(name, SineWave.wave(0..<seconds * Self.rate, hertz: hertz))
  }

  /// Waits for the end and returns the left channel from the first to the last nonzero sample.
  private func recordedSamples() throws -> [Double] {
    try fixture.recording.waitForSilence()
    let samples = fixture.recording.bytes.withUnsafeBytes { raw in
      let both = raw.bindMemory(to: Int16.self)
      return stride(from: 0, to: both.count - 1, by: 2).map { Double(both[$0]) / 32_768 }
    }
    let first = try #require(samples.firstIndex { $0 != 0 })
    let last = try #require(samples.lastIndex { $0 != 0 })
    // A sine begins with a zero sample.
    return Array(samples[(first - 1)...last])
  }

  /// Returns the largest difference from `wanted`.
  private func error(_ recorded: [Double], _ wanted: (Int) -> Double) -> Double {
    recorded.indices.reduce(0) { max($0, abs(recorded[$1] - wanted($1))) }
  }

  private func first(_ frame: Int) -> Double { SineWave.at(frame, hertz: 440, rate: Self.rate) }

  @Test func oneTrackCrossfadesIntoTheNext() throws {
    let paths = [try tone("a.wav", seconds: 5, hertz: 440), try tone("b.wav", seconds: 4, hertz: 1_733)]
    let ids = try fixture.add(paths, play: true)
    let cut = 3 * Self.rate
    let next = try fixture.wait { $0.track?.id == UInt64(ids[1]) }
    #expect(next.position.map { $0 < .seconds(1) } == true, "the next track becomes current when it is audible")
    #expect(next.duration == .seconds(4))
    let recorded = try recordedSamples()
    #expect(abs(recorded.count - 7 * Self.rate) < 60, "no frame is missing; the last samples of a sine may be zero")
    #expect(
      error(recorded) { frame in
        let second = SineWave.at(frame - cut, hertz: 1_733, rate: Self.rate)
        if frame < cut { return first(frame) }
        if frame >= 5 * Self.rate { return second }
        let angle = (Double(frame - cut) + 0.5) / Double(Self.fade) * Double.pi / 2
        return first(frame) * cos(angle) + second * sin(angle)
      } < 3.0 / 32_768)
    #expect(try fixture.waitForStop().output.underruns == 0)
  }

  @Test func tracksOfAnAlbumAreNotCrossfaded() throws {
    func flac(_ name: String, _ number: Int) throws -> FilePath {
      try fixture.write(
        name,
        FLACTags.replace(
          try AudioFile.read(Repository.fixture(name)), [("ALBUM", "Album"), ("TRACKNUMBER", "\(number)")]))
    }
    try fixture.add([try flac("a.flac", 1), try flac("b.flac", 2)], play: true)
    try fixture.recording.waitForSilence()
    let files = try ["a.wav", "b.wav"].flatMap { try AudioFile.read(Repository.fixture($0)).dropFirst(44) }
    let sound = files.drop { $0 == 0 }
    let isSame = fixture.recording.bytes.drop { $0 == 0 }.prefix(sound.count).elementsEqual(sound)
    #expect(isSame)
  }

  /// When the second track is removed, both are decoded and partly buffered by the server.
  @Test func removingTheNextTrackDoesNotShortenTheCurrentOne() throws {
    let ids = try fixture.add(
      [try tone("a.wav", seconds: 5, hertz: 440), try tone("b.wav", seconds: 4, hertz: 1_733)], play: true)
    try fixture.recording.wait(for: "two seconds") { $0.runs.reduce(0) { $0 + $1.count } > 2 * Self.rate }
    try fixture.call("queue.remove", #"{"ids":[\#(ids[1])]}"#)
    let recorded = try recordedSamples()
    #expect(abs(recorded.count - 5 * Self.rate) < 60)
    #expect(error(recorded, first) < 2.0 / 32_768)
    #expect(try fixture.waitForStop().track == nil)
  }

  @Test func anUnreadableNextFileDoesNotShortenTheTrack() throws {
    let paths = [try tone("a.wav", seconds: 5, hertz: 440), try tone("b.wav", seconds: 4, hertz: 1_733)]
    try fixture.add(paths)
    try waitUntil("both files have been probed") {
      try fixture.client.call("list")["tracks"]?.elements?.allSatisfy { $0["duration"]?.double != nil } == true
    }
    try AudioFile.write(Array("no audio".utf8), to: paths[1])
    try fixture.call("play")
    let recorded = try recordedSamples()
    #expect(abs(recorded.count - 5 * Self.rate) < 60)
    #expect(error(recorded, first) < 2.0 / 32_768)
    #expect(try fixture.errors().compactMap(\.self).count == 1)
  }
}
