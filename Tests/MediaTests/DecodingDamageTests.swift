import SegueLink
import SegueRing
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of the reports about files that cannot be decoded to their end. Complete files, and files that are decodable
/// after a damaged part, are not reported.
@Suite struct DecodingDamageTests {
  private let folder: TemporaryFolder
  private let worker: WorkerProcess
  private static let blocks = 120

  init() throws {
    folder = try TemporaryFolder()
    worker = try WorkerProcess()
  }

  private func sample(_ frame: Int, _ channel: Int) -> Int { (frame * 7 + channel * 3) % 20_000 - 10_000 }

  /// Returns almost three seconds of audio. The samples have 16 bits before block `wide`, and more from there on.
  private func file(wideFrom wide: Int = blocks) -> FLACFile {
    var file = FLACFile(.init(), total: Self.blocks * FLACFile.blockSize)
    file.append(.init(), blocks: wide, sample: sample)
    if wide < Self.blocks { file.append(.init(bits: 24), blocks: Self.blocks - wide, sample: sample) }
    return file
  }

  private func play(_ bytes: [UInt8]) throws -> (frames: Int, stop: Failure?) {
    try worker.open(1, try folder.write("damaged.flac", bytes))
    let decoded = try worker.decodedGeneration(1)
    return (decoded.channel(0).count, worker.interruption(of: 1))
  }

  @Test func changedSampleSize_isReported() throws {
    let (frames, stop) = try play(file(wideFrom: 50).bytes)
    #expect(frames == 50 * 1024)
    #expect(stop?.kind == .decodingStopped)
    #expect(
      stop?.message == """
        decoding stopped at 0:01 of 0:02: the size of its samples changes from 16 to 24 bits, which the decoder does not \
        support
        """)
    #expect(worker.duration(of: 1) == SampleRate.cd.time(of: Frames(50 * 1024)))
  }

  @Test func fileDamagedToItsEnd_isReported() throws {
    let file = file()
    var bytes = file.bytes
    for index in file.frameOffsets[60]..<bytes.count { bytes[index] = UInt8(truncatingIfNeeded: index * 31) & 0x7F }
    let (frames, stop) = try play(bytes)
    #expect((59 * 1024...60 * 1024).contains(frames))
    #expect(stop?.kind == .decodingStopped)
    #expect(stop?.message.hasPrefix("decoding stopped at 0:01 of 0:02: ") == true, "\(stop?.message ?? "")")
    #expect(stop?.message.contains("damaged") == true)
  }

  /// Matroska does not state the size of the audio, but that of the segment.
  @Test(arguments: ["long.opus.webm", "long.vorbis.mka"])
  func aFileShorterThanItsContainerStates_isReported(_ name: String) throws {
    let bytes = try Fixture.bytes(name)
    try worker.open(1, try folder.write(name, Array(bytes[..<(bytes.count / 2)])))
    _ = try worker.decodedGeneration(1)
    #expect(worker.interruption(of: 1)?.kind == .decodingStopped)
    #expect(worker.interruption(of: 1)?.message.contains("the file is truncated") == true)
  }

  @Test(arguments: [0, 1000]) func truncatedFile_isReported(_ part: Int) throws {
    let file = file()
    let (frames, stop) = try play(Array(file.bytes[..<(file.frameOffsets[70] + part)]))
    #expect((69 * 1024...70 * 1024).contains(frames))
    #expect(stop?.kind == .decodingStopped)
    #expect(stop?.message.hasPrefix("decoding stopped at 0:01 of 0:02: the file is truncated") == true)
  }

  @Test func damagedFrameInTheMiddle_isNotReported() throws {
    let file = file()
    var bytes = file.bytes
    for index in file.frameOffsets[60]..<file.frameOffsets[61] { bytes[index] = 0x55 }
    let (frames, stop) = try play(bytes)
    #expect((118 * 1024..<120 * 1024).contains(frames))
    #expect(stop == nil)
  }

  /// No complete file of any format is reported, nor one with tags after its audio.
  @Test func completeFiles_areNotReported() throws {
    let names = [
      "a.flac", "a.alac.m4a", "a.itunes.m4a", "a.itunes.mp3", "a.m4a", "a.mp3", "a.ogg", "a.opus", "a.wav", "a.wv",
      "b.mp3", "b.m4a", "b.opus", "chained.ogg", "cover.mp3", "cover.m4a", "deep.flac", "double.wav", "eight.wav",
      "fast.flac", "float.wav", "long.aac", "long.alac.m4a", "long.cbr.mp3", "long.flac", "long.m4a", "long.mpc",
      "long.ogg", "long.opus", "long.opus.webm", "long.untagged.mp3", "long.vbr.mp3", "long.vorbis.mka", "long.wma",
      "long.wv", "lying.wav", "one-bit.dsf", "scale.mod", "short.aiff", "surround.flac", "tags.mp3", "video.mp4",
      "changing.aac", "changing.ts",
    ]
    let isRefused = { name in name == "chained.ogg" && !FFmpegVersion.decodesLinksOfOtherChannels }
    for (index, name) in names.enumerated() where !isRefused(name) {
      let generation = UInt32(index + 1)
      try worker.open(generation, Fixture.path(name))
      _ = try worker.decodedGeneration(generation)
      #expect(worker.interruption(of: generation) == nil, "\(name)")
    }
    try worker.open(
      100,
      try folder.write("tagged.flac", Fixture.bytes("a.flac") + Array("TAG".utf8) + [UInt8](repeating: 32, count: 125)))
    _ = try worker.decodedGeneration(100)
    #expect(worker.interruption(of: 100) == nil)
  }

  /// Tracks that are mixed or resampled are reported, too, and only once.
  @Test func resampledDamagedTrack_isReportedOnce() throws {
    try worker.open(1, try folder.write("damaged.flac", file(wideFrom: 50).bytes), rate: 48_000)
    let decoded = try worker.decodedGeneration(1)
    #expect(abs(decoded.channel(0).count - 50 * 1024 * 48_000 / 44_100) < 64)
    let stops = worker.events.filter { if case .incomplete = $0 { true } else { false } }
    #expect(stops.count == 1)
  }
}
