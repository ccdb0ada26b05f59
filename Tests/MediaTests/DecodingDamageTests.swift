import SegueRing
import SegueSystem
import SegueTestKit
import SegueWire
import SegueWorkerProtocol
import Testing

/// Tests of the reports about files that cannot be decoded to their end. Complete files, and files that are decodable
/// after a damaged part, are not reported.
@Suite final class DecodingDamageTests {
  private let folder: TemporaryFolder
  private let worker: WorkerProcess
  private var lastGeneration: UInt32 = 0
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

  private func play(_ bytes: [UInt8], as name: String = "damaged.flac") throws -> (frames: Int, stop: Failure?) {
    lastGeneration += 1
    try worker.open(lastGeneration, try folder.write(name, bytes))
    let decoded = try worker.decodedGeneration(lastGeneration)
    return (decoded.channel(0).count, worker.interruption(of: lastGeneration))
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

  /// The pages of Ogg do not state how many follow. The cut is within a page: a page takes up to a second.
  @Test(arguments: ["long.ogg", "long.opus", "pages.oga"], [0.4, 0.7])
  func aFileCutWithinAPage_isReported(_ name: String, _ share: Double) throws {
    let bytes = try Fixture.bytes(name)
    let mark = Array("OggS".utf8)
    let cut = try #require(
      bytes.indices[Int(Double(bytes.count) * share)...].first { bytes[$0...].starts(with: mark) })
    for count in [cut + 3, cut + 40] {
      let (_, stop) = try play(Array(bytes[..<count]), as: "\(count)-\(name)")
      #expect(stop?.kind == .decodingStopped)
      #expect(stop?.message.hasSuffix(": the file is truncated") == true, "\(stop?.message ?? "")")
    }
    // A recorder may stop at any page.
    #expect(try play(Array(bytes[..<cut]), as: "whole-\(name)").stop == nil)
  }

  /// libavformat does not state the length of a file of which more than a twentieth is missing.
  @Test(arguments: [0.97, 0.9, 0.5]) func aTruncatedWMAFile_isReportedWithItsLength(_ share: Double) throws {
    let bytes = try Fixture.bytes("long.wma")
    let (_, whole) = try play(bytes, as: "whole.wma")
    #expect(whole == nil)
    let (_, stop) = try play(Array(bytes[..<Int(Double(bytes.count) * share)]), as: "\(share).wma")
    #expect(stop?.kind == .decodingStopped)
    #expect(stop?.message.contains(" of 0:04: the file is truncated") == true, "\(stop?.message ?? "")")
  }

  /// Some programs add bytes behind the end of a stream, which costs no audio.
  @Test(arguments: [200, 150_000]) func otherBytesInPlaceOfTheLastPages_areReported(_ count: Int) throws {
    let bytes = try Fixture.bytes("long.opus")
    let junk = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* $0 &* 31) | 0x80 }
    let mark = Array("OggS".utf8)
    let last = try #require(bytes.indices.dropLast(4).last { bytes[$0...].starts(with: mark) })
    let (_, stop) = try play(Array(bytes[..<last]) + junk, as: "damaged.opus")
    #expect(stop?.message.contains("the rest of the file is damaged") == true, "\(stop?.message ?? "")")
    if count < 1000 { #expect(try play(bytes + junk, as: "longer.opus").stop == nil) }
  }

  /// The sizes that stand for an unknown length are those of programs that write into a pipe.
  @Test(arguments: ["a.wav", "short.aiff"]) func uncompressedAudioShorterThanStated_isReported(_ name: String) throws {
    let bytes = try Fixture.bytes(name)
    let type = Array((name.hasSuffix("wav") ? "data" : "SSND").utf8)
    let at = try #require(bytes.indices.dropLast(8).first { bytes[$0..<$0 + 4].elementsEqual(type) }) + 4
    for size: UInt32 in [0x10_0000, 0x7FFF_FFFF, 0x7FFF_F000, 0xFFFF_FFFF] {
      var changed = bytes
      changed.replaceSubrange(
        at..<at + 4,
        with: name.hasSuffix("wav")
          ? withUnsafeBytes(of: size.littleEndian, Array.init) : withUnsafeBytes(of: size.bigEndian, Array.init))
      let (_, stop) = try play(changed, as: "\(size)-\(name)")
      #expect((stop == nil) == (size != 0x10_0000), "\(size): \(stop?.message ?? "")")
      if let stop { #expect(stop.message.hasSuffix(": the file is truncated"), "\(stop.message)") }
    }
  }

  /// libavformat gives up at the first bytes that are no block.
  @Test func playbackOfWavPackContinuesBehindADamagedPart() throws {
    var bytes = try Fixture.bytes("long.wv")
    let (all, _) = try play(bytes, as: "whole.wv")
    let mark = Array("wvpk".utf8)
    let blocks = bytes.indices.dropLast(4).filter { bytes[$0...].starts(with: mark) }
    try #require(blocks.count > 3)
    for index in blocks[1] - 100..<blocks[1] + 2000 { bytes[index] = 0 }
    let (frames, _) = try play(bytes, as: "damaged.wv")
    #expect(frames > all / 2, "\(frames) of \(all)")
    #expect(frames < all)
  }

  /// Each of the blocks, which have no audio, states a size that includes the blocks behind it. The test measures CPU
  /// time, which does not depend on other processes.
  @Test func wavPackBlocksWithinOthers_endInTime() throws {
    let bytes = try Fixture.bytes("long.wv")
    let mark = Array("wvpk".utf8)
    let second = try #require(bytes.indices.dropFirst(4).dropLast(4).first { bytes[$0...].starts(with: mark) })
    let count = 20_000
    var changed = Array(bytes[..<second])
    for index in 0..<count {
      var block = Array(bytes[second..<second + 32])
      let size = UInt32(min((count - index) * 40, 1_000_000) - 8 - index % 7)
      block.replaceSubrange(4..<8, with: withUnsafeBytes(of: max(24, size).littleEndian, Array.init))
      changed += block + [UInt8](repeating: 0xFF, count: 8)
    }
    changed += [UInt8](repeating: 1, count: 50_000)
    let before = try worker.processorTime
    #expect(try play(changed, as: "nested.wv").stop != nil)
    #expect(try worker.processorTime - before < .seconds(4))
  }

  /// The size of a broadcast is not known when its header is written.
  @Test func aBroadcastInWMA_isNotReported() throws {
    var bytes = try Fixture.bytes("long.wma")
    let properties = try index(of: [0xA1, 0xDC, 0xAB, 0x8C, 0x47, 0xA9, 0xCF, 0x11], in: bytes)
    let data = try index(of: [0x36, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11], in: bytes)
    bytes.replaceSubrange(data + 16..<data + 24, with: withUnsafeBytes(of: (1 << 40).littleEndian, Array.init))
    #expect(try play(bytes, as: "stated.wma").stop != nil)
    bytes[properties + 88] |= 1
    #expect(try play(bytes, as: "broadcast.wma").stop == nil)
  }

  @Test func aWMAFileOfNegativeLength_isPlayed() throws {
    var bytes = try Fixture.bytes("long.wma")
    let (all, _) = try play(bytes, as: "whole.wma")
    let properties = try index(of: [0xA1, 0xDC, 0xAB, 0x8C, 0x47, 0xA9, 0xCF, 0x11], in: bytes)
    bytes.replaceSubrange(properties + 64..<properties + 72, with: withUnsafeBytes(of: Int64.min, Array.init))
    #expect(try play(bytes, as: "negative.wma").frames == all)
  }

  private func index(of part: [UInt8], in bytes: [UInt8]) throws -> Int {
    try #require(bytes.indices.dropLast(part.count).first { bytes[$0...].starts(with: part) })
  }

  /// The first frame of each file is at seven seconds. The headers state the time at the end.
  @Test(arguments: ["late.mka", "late.wma"]) func aFileThatBeginsLate_isNotReported(_ name: String) throws {
    let (_, stop) = try play(try Fixture.bytes(name), as: name)
    #expect(stop == nil)
  }

  /// ffmpeg states a number of frames in each packet that is too large, and that many valid frames.
  @Test func flacInCoreAudio_isNotReported() throws {
    var bytes = try Fixture.bytes("flac.caf")
    let table = try index(of: Array("pakt".utf8), in: bytes) + 12
    let packet = try index(of: Array("desc".utf8), in: bytes) + 12
    bytes.replaceSubrange(packet + 20..<packet + 24, with: withUnsafeBytes(of: UInt32(1 << 20).bigEndian, Array.init))
    bytes.replaceSubrange(table + 8..<table + 16, with: withUnsafeBytes(of: (2 << 20).bigEndian, Array.init))
    let (frames, stop) = try play(bytes, as: "flac.caf")
    #expect(frames > 1000)
    #expect(stop == nil)
  }

  /// SoX writes this size into a pipe, reduced to whole frames.
  @Test func theSizeOfAPipeInAIFF_isNotReported() throws {
    var bytes = try Fixture.bytes("short.aiff")
    let at = try index(of: Array("SSND".utf8), in: bytes) + 4
    bytes.replaceSubrange(at..<at + 4, with: withUnsafeBytes(of: UInt32(0x7F00_0004).bigEndian, Array.init))
    #expect(try play(bytes, as: "pipe.aiff").stop == nil)
  }

  /// Some programs allocate a file in advance.
  @Test(arguments: ["long.opus", "fragments.m4a"]) func zerosBehindAWholeFile_areNotReported(_ name: String) throws {
    let bytes = try Fixture.bytes(name)
    let zeros = [UInt8](repeating: 0, count: 200_000)
    let (_, stop) = try play(bytes + zeros, as: "longer-\(name)")
    #expect(stop == nil, "\(stop?.message ?? "")")
    guard name.hasSuffix("opus") else { return }
    let last = try #require(bytes.indices.dropLast(4).last { bytes[$0...].starts(with: Array("OggS".utf8)) })
    #expect(try play(Array(bytes[..<last]) + zeros, as: "zeros-\(name)").stop != nil)
  }

  enum LastFragment: CaseIterable {
    case absent, truncated, junk, zeros
  }

  /// The fragments of an MP4 file do not state how many follow.
  @Test(arguments: LastFragment.allCases) func aDamagedLastFragment_isReported(_ last: LastFragment) throws {
    let bytes = try Fixture.bytes("fragments.m4a")
    let type = Array("moof".utf8)
    let start = try #require(bytes.indices.dropLast(4).last { bytes[$0..<$0 + 4].elementsEqual(type) }) - 4
    let rest: [UInt8] =
      switch last {
      case .absent: []
      case .truncated: Array(bytes[start..<start + 20])
      case .junk: (0..<5000).map { UInt8(truncatingIfNeeded: $0 &* $0 &* 31) | 0x80 }
      case .zeros: [UInt8](repeating: 0, count: 5000)
      }
    let (_, stop) = try play(Array(bytes[..<start]) + rest, as: "\(last).m4a")
    let reason: String? =
      switch last {
      case .absent: nil
      case .truncated: "the file is truncated"
      case .junk, .zeros: "the rest of the file is damaged"
      }
    #expect((stop?.message.contains(reason ?? "")) == (reason == nil ? nil : true), "\(stop?.message ?? "")")
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
    let stops = worker.events.filter { if case .decoding(_, .incomplete) = $0 { true } else { false } }
    #expect(stops.count == 1)
  }
}
