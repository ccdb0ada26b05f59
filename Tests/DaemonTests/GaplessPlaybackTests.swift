import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of gapless playback, compared frame by frame at the sink.
@Suite struct GaplessPlaybackTests {
  @Test func anAlbumIsPlayedWithoutGaps() throws {
    let fixture = try DaemonFixture()
    let lengths = [50_001, 23_457, 1, 44_100, 30_011]
    let total = lengths.reduce(0, +)
    try fixture.add(try fixture.album(lengths), play: true)
    try fixture.recording.waitForSilence()
    #expect(fixture.recording.recordedFrames.sound == [RecordedFrames.Run(first: 0, count: total)])
    let status = try fixture.waitForStop()
    #expect(status.output.underruns == 0)
  }

  @Test func flacIsBitExactAndGapless() throws {
    let fixture = try DaemonFixture()
    try fixture.add([Repository.fixture("a.flac"), Repository.fixture("b.flac")], play: true)
    try fixture.recording.waitForSilence()
    let files = try [Repository.fixture("a.wav"), Repository.fixture("b.wav")].map(AudioFile.read)
    // Without leading and trailing silence, because the signal begins with a zero sample.
    let expected = files.flatMap { $0.dropFirst(44) }
    let bytes = fixture.recording.bytes
    let start = try #require(bytes.indices.first { bytes[$0] != 0 }) / 4 * 4
    let offset = try #require(expected.indices.first { expected[$0] != 0 }) / 4 * 4
    let length = expected.count - offset
    #expect(bytes[start...].prefix(length) == expected[offset...])
    #expect(bytes[(start + length)...].allSatisfy { $0 == 0 })
  }

  @Test func veryShortTracksAreGapless() throws {
    let fixture = try DaemonFixture()
    // Tracks of twice the buffer of the sink are in flight at once.
    try fixture.add(try fixture.album(Array(repeating: 4_410, count: 45)), play: true)
    try fixture.recording.waitForSilence()
    #expect(fixture.recording.recordedFrames.sound == [RecordedFrames.Run(first: 0, count: 45 * 4_410)])
  }

  @Test(arguments: [1, 441, 4_410, 14_000])
  func aShortClipIsPlayedCompletely(frames: Int) throws {
    let fixture = try DaemonFixture()
    try fixture.add([try fixture.track("clip", 0..<frames)], play: true)
    try fixture.recording.waitForSilence()
    #expect(fixture.recording.recordedFrames.sound == [RecordedFrames.Run(first: 0, count: frames)])
    try fixture.waitForStop()
  }

  /// If the format differs, the stream is drained and reopened. There may be silence in between, but no frame is lost.
  @Test func lossyFormatsAreGapless() throws {
    let fixture = try DaemonFixture(.pipe("test", format: "s32le"), sampleBytes: 4)
    let wide = AudioFile.wave(Signal.widePCM(20_000..<40_001), bytes: 4)
    let paths = [
      try fixture.track("1", 0..<20_000), try fixture.write("2.wav", wide),
      try fixture.track("3", 40_001..<60_003),
    ]
    try fixture.add(paths, play: true)
    try fixture.recording.wait(for: "the last frame") { $0.joined.last?.upperBound == 60_003 }
    #expect(fixture.recording.recordedFrames.joined == [0..<60_003])
  }

  @Test func aTrackAtAnotherRateLosesNoFrames() throws {
    let fixture = try DaemonFixture()
    // At half the rate, the server converts each frame to about two frames.
    let slow = AudioFile.wave(Array(repeating: 0x21, count: 11_025 * 4), rate: 22_050)
    let paths = [
      try fixture.track("1", 0..<30_000), try fixture.write("2.wav", slow), try fixture.track("3", 30_000..<50_000),
    ]
    try fixture.add(paths, play: true)
    try fixture.recording.wait(for: "the last frame") { $0.runs.contains { $0.end == 50_000 && $0.first != nil } }
    let sound = fixture.recording.recordedFrames.sound
    let first = try #require(sound.first)
    #expect(first == RecordedFrames.Run(first: 0, count: 30_000))
    #expect(sound.last == RecordedFrames.Run(first: 30_000, count: 20_000))
    let between = sound.dropFirst().dropLast().reduce(0) { $0 + $1.count }
    #expect(abs(between - 22_050) < 200, "expected half a second at the rate of the sink, found \(between) frames")
  }

  /// All frames are in the server already, and the time of the boundary has been published.
  @Test func aReplacedNextTrackBecomesCurrentWhenAudible() throws {
    let fixture = try DaemonFixture()
    let ids = try fixture.add(try fixture.album([60_000, 20_000, 60_000]), play: true)
    try fixture.recording.wait(forFrame: 10_000)
    try fixture.call("queue.remove", #"{"ids":[\#(ids[1])]}"#)
    try fixture.wait { $0.track?.id == UInt64(ids[2]) }
    #expect(try fixture.status().state == .playing)
    try fixture.recording.waitForSilence()
    #expect(fixture.recording.recordedFrames.joined == [0..<60_000, 80_000..<140_000])
  }
}
