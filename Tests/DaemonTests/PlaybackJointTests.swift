import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of gapless playback, compared frame by frame at the sink.
@Suite struct PlaybackJointTests {
  @Test func anAlbumIsHeardAsOnePiece() throws {
    let stage = try Stage()
    let lengths = [50_001, 23_457, 1, 44_100, 30_011]
    let total = lengths.reduce(0, +)
    try stage.add(try stage.album(lengths), play: true)
    try stage.ear.listenToTheEnd()
    #expect(stage.ear.score.sound == [Score.Run(first: 0, count: total)])
    let status = try stage.waitForStop()
    #expect(status.output.underruns == 0)
  }

  @Test func flacIsHeardBitForBitAndJoins() throws {
    let stage = try Stage()
    try stage.add([Repository.fixture("a.flac"), Repository.fixture("b.flac")], play: true)
    try stage.ear.listenToTheEnd()
    let files = try [Repository.fixture("a.wav"), Repository.fixture("b.wav")].map(AudioFile.read)
    // Without leading and trailing silence, because the signal begins with a zero sample.
    let expected = files.flatMap { $0.dropFirst(44) }
    let bytes = stage.ear.bytes
    let start = try #require(bytes.indices.first { bytes[$0] != 0 }) / 4 * 4
    let offset = try #require(expected.indices.first { expected[$0] != 0 }) / 4 * 4
    let length = expected.count - offset
    #expect(bytes[start...].prefix(length) == expected[offset...])
    #expect(bytes[(start + length)...].allSatisfy { $0 == 0 })
  }

  @Test func tracksOfATenthOfASecondJoinToo() throws {
    let stage = try Stage()
    // Tracks of twice the buffer of the sink are in flight at once.
    try stage.add(try stage.album(Array(repeating: 4_410, count: 45)), play: true)
    try stage.ear.listenToTheEnd()
    #expect(stage.ear.score.sound == [Score.Run(first: 0, count: 45 * 4_410)])
  }

  @Test(arguments: [1, 441, 4_410, 14_000])
  func aShortClipIsHeardWhole(frames: Int) throws {
    let stage = try Stage()
    try stage.add([try stage.track("clip", 0..<frames)], play: true)
    try stage.ear.listenToTheEnd()
    #expect(stage.ear.score.sound == [Score.Run(first: 0, count: frames)])
    try stage.waitForStop()
  }

  /// If the format differs, the stream is drained and reopened. There may be silence in between, but no frame is lost.
  @Test func otherFormatsLoseNothing() throws {
    let stage = try Stage(.pipe("test", format: "s32le"), sampleBytes: 4)
    let wide = AudioFile.wave(Signal.widePCM(20_000..<40_001), bytes: 4)
    let paths = [
      try stage.track("1", 0..<20_000), try stage.write("2.wav", wide),
      try stage.track("3", 40_001..<60_003),
    ]
    try stage.add(paths, play: true)
    try stage.ear.listen(for: "the last frame") { $0.joined.last?.upperBound == 60_003 }
    #expect(stage.ear.score.joined == [0..<60_003])
  }

  @Test func anotherRateLosesNothing() throws {
    let stage = try Stage()
    // At half the rate, the server converts each frame to about two frames.
    let slow = AudioFile.wave(Array(repeating: 0x21, count: 11_025 * 4), rate: 22_050)
    let paths = [
      try stage.track("1", 0..<30_000), try stage.write("2.wav", slow), try stage.track("3", 30_000..<50_000),
    ]
    try stage.add(paths, play: true)
    try stage.ear.listen(for: "the last frame") { $0.runs.contains { $0.end == 50_000 && $0.first != nil } }
    let sound = stage.ear.score.sound
    let first = try #require(sound.first)
    #expect(first == Score.Run(first: 0, count: 30_000))
    #expect(sound.last == Score.Run(first: 30_000, count: 20_000))
    let between = sound.dropFirst().dropLast().reduce(0) { $0 + $1.count }
    #expect(abs(between - 22_050) < 200, "half a second at the sink's rate; \(between)")
  }

  /// All frames are in the server already, and the time of the boundary has been published.
  @Test func whatTakesTheNextOnesPlaceIsCurrentOnceItIsHeard() throws {
    let stage = try Stage()
    let ids = try stage.add(try stage.album([60_000, 20_000, 60_000]), play: true)
    try stage.ear.listen(toFrame: 10_000)
    try stage.ask("queue.remove", #"{"ids":[\#(ids[1])]}"#)
    try stage.wait { $0.track?.id == UInt64(ids[2]) }
    #expect(try stage.status().state == .playing)
    try stage.ear.listenToTheEnd()
    #expect(stage.ear.score.joined == [0..<60_000, 80_000..<140_000])
  }
}
