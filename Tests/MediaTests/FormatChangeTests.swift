import Glibc
import SegueRing
import SegueSystem
import SegueTestKit
import SegueWire
import SegueWorkerProtocol
import Testing

/// Tests of tracks whose rate or channels change. They are converted to one format, and no frame is added or lost.
@Suite struct FormatChangeTests {
  private let folder: TemporaryFolder
  private let worker: WorkerProcess

  init() throws {
    folder = try TemporaryFolder()
    worker = try WorkerProcess()
  }

  /// Writes a low tone that continues from part to part, so that an error of one frame makes little difference, and
  /// silence a large one.
  private func tone(_ parts: [(format: FLACFile.Format, blocks: Int)]) throws -> FilePath {
    var file = FLACFile(parts[0].format, total: parts.reduce(0) { $0 + $1.blocks * FLACFile.blockSize })
    var time = 0.0
    for (format, blocks) in parts {
      let start = time
      file.append(format, blocks: blocks) { frame, _ in
        Int(0.5 * sin(2 * Double.pi * 50 * (start + Double(frame) / Double(format.rate))) * 32_768)
      }
      time += Double(blocks * FLACFile.blockSize) / Double(format.rate)
    }
    return try folder.write("tone.flac", file.bytes)
  }

  /// Returns the largest difference between a channel and the tone, from frame `first` of the track on.
  private func difference(_ samples: [Float], from first: Int = 0) -> Double {
    var largest = 0.0
    for (index, sample) in samples.enumerated() {
      let wanted = 0.5 * sin(2 * Double.pi * 50 * Double(first + index) / 44_100)
      largest = max(largest, abs(Double(sample) - wanted))
    }
    return largest
  }

  private static let stereo = AudioFormat(sample: .signed16, rate: .cd, channels: .stereo)

  @Test func changeOfRate_isGapless() throws {
    let path = try tone([(.init(), 40), (.init(rate: 48_000), 40), (.init(rate: 22_050), 20), (.init(), 40)])
    try worker.open(1, path)
    let decoded = try worker.decodedGeneration(1)
    #expect(decoded.parts.map(\.format) == [Self.stereo])
    // 80 blocks have the track's rate, 40 have 48,000 Hz, and 20 have half the rate.
    let blocks: Double = 80 + 40 * 44_100 / 48_000 + 20 * 2
    let frames = blocks * Double(FLACFile.blockSize)
    #expect(abs(Double(decoded.channel(0).count) - frames) <= 3)
    #expect(abs(Double(decoded.end?.count ?? 0) - frames) <= 3)
    #expect(abs((worker.duration(of: 1)?.seconds ?? 0) * 44_100 - frames) <= 3)
    #expect(difference(decoded.channel(0)) < 0.02)
    #expect(difference(decoded.channel(1)) < 0.02)
  }

  @Test func changeOfChannels_isGapless() throws {
    let path = try tone([(.init(), 10), (.init(channels: 1), 10), (.init(channels: 6), 10), (.init(), 10)])
    try worker.open(1, path)
    let decoded = try worker.decodedGeneration(1)
    #expect(decoded.parts.map(\.format) == [Self.stereo])
    #expect(decoded.end == Frames(40 * 1024))
    let left = decoded.channel(0)
    #expect(left.count == 40 * 1024)
    // Six equal channels are mixed to two channels of a different level.
    #expect(difference(Array(left[..<(20 * 1024)])) < 0.0001)
    #expect(difference(Array(left[(30 * 1024)...]), from: 30 * 1024) < 0.0001)
    let mixed = left[(20 * 1024)..<(30 * 1024)].map(abs).max() ?? 0
    #expect(mixed > 0.3)
  }

  @Test func seekBeyondAChange_returnsTheSameAudio() throws {
    let path = try tone([(.init(), 60), (.init(rate: 48_000), 120)])
    try worker.open(1, path)
    let end = try #require(try worker.decodedGeneration(1).end)
    for (index, seconds) in [2.0, 3.5].enumerated() {
      let generation = UInt32(index + 2)
      try worker.open(generation, path, start: MediaTime(seconds: seconds))
      let decoded = try worker.decodedGeneration(generation)
      let first = Int(seconds * 44_100)
      #expect(decoded.parts.map(\.format) == [Self.stereo])
      #expect(abs((decoded.parts.first?.mediaFrame.count ?? 0) - Int64(first)) <= 1)
      #expect(abs((decoded.end ?? .zero).count - end.count) <= 1)
      #expect(abs(first + decoded.channel(0).count - Int(end.count)) <= 3)
      #expect(difference(decoded.channel(0), from: first) < 0.02, "from \(seconds) s")
    }
  }

  /// Files whose timestamps count frames of several rates, or restart.
  enum UnreliableTimestampFile: String, CaseIterable {
    case flacThatReturnsToItsRate, joinedFLAC, joinedADTS, segmentsOfADTS, joinedMPEG, mpegOfTwoRates

    func write(to folder: TemporaryFolder) throws -> FilePath {
      switch self {
      case .flacThatReturnsToItsRate:
        return try folder.write("a.flac", Self.flac([(.init(), 80), (.init(rate: 22_050), 40), (.init(), 120)]))
      case .joinedFLAC:
        return try folder.write("a.flac", Self.flac([(.init(), 130)]) + Self.flac([(.init(), 130)]))
      case .joinedADTS, .segmentsOfADTS:
        // Each segment begins with an empty ID3v2 tag.
        let tag = self == .segmentsOfADTS ? Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 0] : []
        let parts = try Fixture.partsOfChangingFormat()
        let bytes = (parts + [parts[0], parts[0]]).flatMap { part in Array(repeating: tag + part, count: 8).joined() }
        return try folder.write("a.aac", bytes)
      case .joinedMPEG, .mpegOfTwoRates:
        let first = try Fixture.bytes("long.cbr.mp3")
        let id3v1 = Array("TAG".utf8) + [UInt8](repeating: 0, count: 125)
        let between = self == .joinedMPEG ? id3v1 : try Fixture.bytes("tags.mp3")
        return try folder.write("a.mp3", first + between + first + between + first)
      }
    }

    /// Returns blocks with unique audio.
    private static func flac(_ parts: [(FLACFile.Format, Int)]) -> [UInt8] {
      var file = FLACFile(parts[0].0, total: parts.reduce(0) { $0 + $1.1 * FLACFile.blockSize })
      var phase = 0
      for (format, blocks) in parts {
        file.append(format, blocks: blocks) { frame, _ in
          phase = (phase &* 75 + 74) % 65_537
          return frame % 16 < 8 ? phase / 8 : -phase / 8
        }
      }
      return file.bytes
    }
  }

  @Test(arguments: UnreliableTimestampFile.allCases) func seekWithUnreliableTimestamps_isExact(
    _ kind: UnreliableTimestampFile
  ) throws {
    let path = try kind.write(to: folder)
    try worker.open(1, path)
    let whole = try worker.decodedGeneration(1)
    let end = try #require(whole.end)
    let rate = try #require(whole.parts.first).format.rate
    let samples = whole.channel(0)
    for (index, percent) in [20, 40, 55, 70, 85].enumerated() {
      let generation = UInt32(index + 2)
      let first = samples.count * percent / 100
      try worker.open(generation, path, start: rate.time(of: Frames(first)))
      let decoded = try worker.decodedGeneration(generation)
      #expect(abs((decoded.parts.first?.mediaFrame.count ?? 0) - Int64(first)) <= 1, "from \(percent) %")
      #expect(abs((decoded.end ?? .zero).count - end.count) <= 1, "from \(percent) %")
      let output = decoded.channel(0)
      try #require(abs(first + output.count - samples.count) <= 2, "from \(percent) %")
      // The resampler's filter begins at the seek position. Its output frames are between those of the complete track.
      let worst = (-1...1).map { shift in
        zip(output[500...], samples[(first + 500 + shift)...]).prefix(20_000).reduce(0) { max($0, abs($1.0 - $1.1)) }
      }
      #expect((worst.min() ?? 1) < 0.2, "from \(percent) %")
    }
  }

  /// The parts have 44,100 Hz mono, 48,000 Hz stereo and 24,000 Hz stereo, like a recorded radio programme.
  @Test(arguments: ["changing.aac", "changing.ts"]) func recordedStream_isPlayedInOneFormat(_ name: String) throws {
    try worker.open(1, Fixture.path(name))
    let decoded = try worker.decodedGeneration(1)
    #expect(decoded.parts.map(\.format) == [AudioFormat(sample: .float32, rate: .cd, channels: .mono)])
    let frames = zip(try Fixture.blockCountsOfChangingFormat(), [44_100.0, 48_000, 24_000]).reduce(0) { sum, part in
      sum + Double(part.0) * 1024 * 44_100 / part.1
    }
    #expect(abs(Double(decoded.channel(0).count) - frames) <= 3)
    #expect(abs(Double(decoded.end?.count ?? 0) - frames) <= 3)
  }

  /// The timestamps of a chained file restart with each link. A seek by them would go to any link.
  @Test(.enabled(if: FFmpegVersion.decodesLinksOfOtherChannels)) func seekInAChain_returnsTheSameAudio() throws {
    let (whole, worker) = try Fixture.decode("chained.ogg")
    let end = try #require(whole.end)
    for (index, frame) in [100_000, 200_000].enumerated() {
      let generation = UInt32(index + 2)
      try worker.open(generation, Fixture.path("chained.ogg"), start: SampleRate.cd.time(of: Frames(frame)))
      let decoded = try worker.decodedGeneration(generation)
      #expect(decoded.end == end)
      let (output, wanted) = (decoded.channel(0), Array(whole.channel(0)[frame...]))
      #expect(abs(output.count - wanted.count) <= 1)
      // The resampler's filter begins at the seek position.
      let worst = zip(output, wanted).dropFirst(200).dropLast(200).map { abs($0 - $1) }.max() ?? 1
      #expect(worst < 0.01, "from \(frame): \(worst)")
    }
  }

  /// If the format did not change, the stream would be played for hours in the format of the announcement at its
  /// beginning.
  @Test(.enabled(if: FFmpegVersion.decodesLinksOfOtherChannels)) func liveStream_changesToMoreChannels()
    throws
  {
    let server = try WebServer(["icy-name: Test"], try Fixture.bytes("chained.ogg"))
    let worker = try WorkerProcess(.stream)
    let fetcher = try WorkerProcess(.fetch, ring: false)
    try worker.open(server.url("a"), through: fetcher)
    try worker.wait(for: "the second link") { $0.decodedGenerations.first?.parts.count == 2 }
    let formats = try #require(worker.decodedGenerations.first?.parts.map(\.format))
    #expect(formats.map(\.channels) == [.mono, .stereo])
    #expect(formats.map(\.rate) == [.cd, .cd], "the lower rate is brought to the one there is")
    withExtendedLifetime(server) {}
  }

  /// Returns six seconds of FLAC in Ogg, whose samples differ.
  private func oggFLAC() -> [UInt8] {
    var file = FLACFile(.init(), total: 260 * FLACFile.blockSize)
    file.append(.init(), blocks: 260) { frame, channel in (frame * 7 + channel * 3) % 20_000 - 10_000 }
    return OggFile.flac(file)
  }

  /// If copies of a file are joined, all links have the same serial number. It may also be that of the first link
  /// again.
  @Test(arguments: [false, true]) func seekBeyondALinkWithTheSameSerialNumber_returnsTheSameAudio(
    hasOtherBetween: Bool
  ) throws {
    let bytes = oggFLAC()
    let between = hasOtherBetween ? OggFile.withSerial(bytes, 9) : []
    let path = try folder.write("twice.oga", bytes + between + bytes)
    try worker.open(1, path)
    let whole = try worker.decodedGeneration(1)
    #expect(whole.end == Frames((hasOtherBetween ? 3 : 2) * 260 * FLACFile.blockSize))
    let frame = 400 * FLACFile.blockSize + 5
    try worker.open(2, path, start: SampleRate.cd.time(of: Frames(frame)))
    let decoded = try worker.decodedGeneration(2)
    #expect(decoded.end == whole.end)
    let isEqual = decoded.bytes == Array(whole.bytes[(4 * frame)...])
    #expect(isEqual)
  }

  /// libavformat assigns the timestamp of another packet to the first one after the second seek to a page.
  @Test(arguments: [0, 1, 700, 1024, 1500, 2047]) func secondSeekToAPageOfOgg_returnsTheSameAudio(_ offset: Int) throws
  {
    let path = try folder.write("a.oga", oggFLAC())
    try worker.open(1, path)
    let whole = try worker.decodedGeneration(1)
    // A file that fills the ring, so that the next one is still being decoded when a seek interrupts it.
    let filler = try folder.write("filler.wav", SineWave.wave(0..<1 << 20, rate: 192_000, channels: 8))
    try worker.open(2, filler)
    _ = try worker.bufferedBytesWhenIdle()
    let frame = 200 * FLACFile.blockSize + offset
    let start = SampleRate.cd.time(of: Frames(frame))
    try worker.open(3, path, start: start)
    try worker.wait(for: "the track to be opened", draining: false) { $0.info(of: 3) != nil }
    try worker.restart(4, of: 3, path, start: start)
    let decoded = try worker.decodedGeneration(4)
    #expect(decoded.end == whole.end)
    let isEqual = decoded.bytes == Array(whole.bytes[(4 * frame)...])
    #expect(isEqual)
  }
}
