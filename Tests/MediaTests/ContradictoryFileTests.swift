import SegueRing
import SegueSystem
import SegueTestKit
import SegueWire
import SegueWorkerProtocol
import Testing

/// Tests of files whose headers or tables contradict their packets. The packets decide what is played, and a duration
/// is only called exact if all of them agree.
@Suite struct ContradictoryFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private struct Outcome {
    /// The durations that the scan and playback state.
    var stated: [MediaInfo]
    var decoded: MediaTime
    /// The reason of an early end.
    var reason: String?
    var codec: String?
  }

  /// Scans and decodes a file with these bytes.
  private func outcome(_ name: String, _ bytes: [UInt8]) throws -> Outcome {
    let path = try folder.write(name, bytes)
    let scanner = try WorkerProcess(ring: false)
    var infos: [MediaInfo] = []
    for case .facts(let facts) in try scanner.scan([path]) { infos.append(facts.info) }
    let worker = try WorkerProcess()
    try worker.open(1, path)
    _ = try worker.decodedGeneration(1)
    let opened = try #require(worker.info(of: 1))
    return Outcome(
      stated: infos + [opened], decoded: try #require(worker.duration(of: 1)),
      reason: worker.interruption(of: 1)?.message, codec: opened.audio.codec)
  }

  /// Expects that the stated durations are those of the decoded audio.
  private func expect(
    _ outcome: Outcome, _ kind: DurationKind, within tolerance: Double = 0,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    #expect(outcome.stated.count == 2, sourceLocation: sourceLocation)
    for info in outcome.stated {
      #expect(info.durationKind == kind, sourceLocation: sourceLocation)
      let stated = try #require(info.duration, sourceLocation: sourceLocation)
      #expect(abs(stated.seconds - outcome.decoded.seconds) <= tolerance, "\(info)", sourceLocation: sourceLocation)
    }
  }

  // MARK: Ogg

  /// A change of the granules of all pages of audio.
  enum Granules: String, CaseIterable {
    case slow, fast, missing, descending, constant, jumping
    case lastIsSmall, lastIsHuge

    func change(_ number: Int, _ count: Int, _ granule: Int64) -> Int64 {
      switch self {
      case .slow: granule / 8
      case .fast: granule * 10
      case .missing: number == count / 2 ? granule : -1
      case .descending: max(1, granule * Int64(count - number) / Int64(count))
      case .constant: 4096
      case .jumping: number > count / 2 ? granule + 5_000_000 : granule
      case .lastIsSmall: number == count - 1 ? granule / 3 : granule
      case .lastIsHuge: number == count - 1 ? granule * 3 : granule
      }
    }
  }

  @Test(arguments: Granules.allCases, ["pages.oga", "pages.ogg", "long.opus"])
  func allPacketsArePlayed_thatGranulesContradict(_ granules: Granules, _ name: String) throws {
    // FFmpeg 5.1 does not read an Opus stream of which a granule is missing.
    if name == "long.opus", granules == .missing || granules == .descending { return }
    let whole = try #require(try Fixture.decode(name).0.end)
    let outcome = try outcome(granules.rawValue + name, OggFile.withGranules(try Fixture.bytes(name), granules.change))
    // The padding that the last granule would state is played, too.
    let rate = Double(outcome.stated.last?.audio.sampleRate ?? 0)
    #expect(outcome.decoded.seconds >= Double(whole.count) / rate - 0.000_001)
    #expect(outcome.decoded.seconds < Double(whole.count) / rate + 0.1)
    #expect(outcome.reason == nil)
    try expect(outcome, .estimated, within: 0.1)
  }

  /// A granule that is less than the frames of the first packets cuts off the beginning (Vorbis I, A.2).
  @Test(arguments: [0, 64])
  func vorbisWithAudioOnAPageOfHeaders_hasAnExactDuration(_ lead: Int64) throws {
    let bytes = OggFile.withGranules(try Fixture.bytes("pages.ogg")) { $2 - lead }
    let moved = OggFile.withAudioBehindHeaders(bytes)
    #expect(moved != bytes)
    let usual = try outcome("usual.ogg", bytes)
    let outcome = try outcome("moved.ogg", moved)
    #expect(outcome.decoded == usual.decoded)
    #expect(outcome.reason == nil)
    try expect(outcome, .exact)
  }

  @Test(arguments: ["pages.oga", "long.opus"])
  func missingPages_areReportedAtTheEnd(_ name: String) throws {
    let bytes = try Fixture.bytes(name)
    try #require(OggFile.pages(bytes).filter { $0.granule > 0 }.count >= 4)
    let outcome = try outcome("hole-" + name, OggFile.withoutPages(bytes, 0.25..<0.75))
    #expect(outcome.reason?.contains("a part of the file is missing") == true, "\(outcome)")
    try expect(outcome, .estimated, within: 0.1)
  }

  @Test func chainOfOpusStreams_hasTheLengthOfAllLinks() throws {
    let bytes = try Fixture.bytes("long.opus")
    let single = try outcome("single.opus", bytes)
    let double = try outcome("double.opus", bytes + OggFile.withSerial(bytes, 77))
    #expect(double.decoded.nanoseconds == 2 * single.decoded.nanoseconds)
    try expect(double, .exact)
    let repeated = try outcome("repeated.opus", bytes + bytes)
    #expect(repeated.decoded.seconds > 1.9 * single.decoded.seconds)
    try expect(repeated, .estimated, within: 0.05)
  }

  @Test func linkOfAnotherCodec_isReportedAtTheEnd() throws {
    let first = try outcome("first.ogg", try Fixture.bytes("pages.ogg"))
    let outcome = try outcome(
      "mixed.ogg", try Fixture.bytes("pages.ogg") + OggFile.withSerial(Fixture.bytes("long.opus"), 9))
    #expect(outcome.decoded.seconds >= first.decoded.seconds)
    #expect(outcome.reason != nil)
    try expect(outcome, .estimated, within: 0.1)
  }

  // MARK: MPEG audio

  /// The tag in the first frame states `factor` times the number of frames.
  @Test(arguments: ["long.vbr.mp3", "a.mp3"], [0.5, 0.9, 1.1, 2, 10])
  func allFramesArePlayed_thatATagMiscounts(_ name: String, _ factor: Double) throws {
    var bytes = try Fixture.bytes(name)
    let whole = try outcome("whole-" + name, bytes).decoded.seconds
    let mark = try #require(
      bytes.indices.dropLast(4).first {
        ["Xing", "Info"].contains(String(decoding: bytes[$0..<$0 + 4], as: UTF8.self))
      })
    let count = bytes[mark + 8..<mark + 12].reduce(0) { $0 << 8 | UInt32($1) }
    bytes.replaceSubrange(
      mark + 8..<mark + 12, with: withUnsafeBytes(of: UInt32(Double(count) * factor).bigEndian, Array.init))
    let outcome = try outcome("miscounted-" + name, bytes)
    // The padding is played, too.
    #expect((whole..<whole + 0.1).contains(outcome.decoded.seconds))
    #expect(outcome.reason == nil)
    try expect(outcome, .estimated)
  }

  /// Bytes that cannot be taken for frames do not change the length.
  @Test(arguments: ["long.vbr.mp3", "a.mp3", "long.untagged.mp3"])
  func bytesAfterTheLastFrame_areNoAudio(_ name: String) throws {
    let bytes = try Fixture.bytes(name)
    let whole = try outcome("whole-" + name, bytes).decoded
    let outcome = try outcome("junk-" + name, bytes + (0..<400_000).map { UInt8($0 * 7 % 251) & 0x7F })
    #expect(outcome.decoded == whole)
    #expect(outcome.reason == nil)
    try expect(outcome, .exact)
  }

  @Test func truncatedFileWithATag_isReportedAtTheEnd() throws {
    let bytes = try Fixture.bytes("long.vbr.mp3")
    let outcome = try outcome("cut.mp3", Array(bytes[..<(bytes.count / 3)]))
    #expect(outcome.reason?.contains("a part of the file is missing") == true, "\(outcome)")
    try expect(outcome, .estimated, within: 0.1)
  }

  /// Silent frames of layers 1 and 2, whose bands have no bits.
  @Test(arguments: [(0xFFFF_24C0, 64, 384, "mp1"), (0xFFFD_54C0, 240, 1152, "mp2")] as [(UInt32, Int, Int, String)])
  func framesOfAllLayersAreCounted(_ header: UInt32, _ size: Int, _ samples: Int, _ codec: String) throws {
    let frame = withUnsafeBytes(of: header.bigEndian, Array.init) + [UInt8](repeating: 0, count: size - 4)
    let outcome = try outcome("silence.mp2", [[UInt8]](repeating: frame, count: 250).flatMap { $0 })
    #expect(outcome.decoded == SampleRate(48_000).time(of: Frames(Int64(250 * samples))))
    #expect(outcome.codec == codec)
    try expect(outcome, .exact)
  }

  @Test func mpegAudioInRIFF_isCounted() throws {
    let frames = try Fixture.bytes("long.untagged.mp3")
    func word(_ value: Int) -> [UInt8] { withUnsafeBytes(of: UInt32(value).littleEndian, Array.init) }
    // The format is that of MPEG audio layer 3, with one channel at 32 kHz and an extension of 12 bytes.
    let format = joined(
      [0x55, 0, 1, 0], word(32_000), word(8000), [1, 0, 0, 0, 12, 0, 1, 0], word(2), [0xA1, 1, 1, 0, 0x71, 5])
    let body = joined("WAVEfmt ".utf8, word(format.count), format, "data".utf8, word(frames.count), frames)
    let outcome = try outcome("layer3.wav", joined("RIFF".utf8, word(body.count), body))
    #expect(outcome.decoded.seconds > 3)
    try expect(outcome, .exact)
  }

  // MARK: Other formats

  @Test func flacFileThatDoesNotStateItsLength_isCounted() throws {
    var bytes = try Fixture.bytes("long.flac")
    let whole = try outcome("whole.flac", bytes)
    bytes[21] &= 0xF0
    for index in 22..<26 { bytes[index] = 0 }
    let outcome = try outcome("unknown.flac", bytes)
    #expect(outcome.decoded == whole.decoded)
    try expect(outcome, .exact)
    try expect(try self.outcome("cut.flac", Array(bytes[..<(bytes.count / 2)])), .estimated, within: 0.2)
  }

  @Test func flacFileWithADamagedFrame_isNotExact() throws {
    var bytes = try Fixture.bytes("long.flac")
    for index in bytes.count / 2..<bytes.count / 2 + 200 { bytes[index] = 0 }
    let outcome = try outcome("damaged.flac", bytes)
    try expect(outcome, .estimated, within: 0.2)
  }

  /// The number of samples in the header of a DSF file is halved. Only the last block may have padding.
  @Test func dsfFileThatStatesTooLittle_isPlayedToItsEnd() throws {
    var bytes = try Fixture.bytes("one-bit.dsf")
    let whole = try outcome("whole.dsf", bytes).decoded.seconds
    let count = bytes[64..<72].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    bytes.replaceSubrange(64..<72, with: withUnsafeBytes(of: (count / 2).littleEndian, Array.init))
    let outcome = try outcome("halved.dsf", bytes)
    // FFmpeg does not return the last of eight blocks.
    #expect(outcome.decoded.seconds >= whole * 7 / 8)
    try expect(outcome, .estimated, within: whole / 8)
  }

  /// The chunk "fact" states the number of frames, of which only the last block may lack some.
  @Test(arguments: [0, 1, 0.5, 2, 10, 1e9] as [Double]) func lengthOfADPCM_isThatOfItsBlocks(_ factor: Double) throws {
    var bytes = try Fixture.bytes("long.adpcm.wav")
    let whole = try outcome("whole.wav", bytes)
    let fact = try #require(bytes.indices.dropLast(12).first { bytes[$0..<$0 + 4].elementsEqual("fact".utf8) }) + 8
    let stated = bytes[fact..<fact + 4].reversed().reduce(0) { $0 * 256 + Double($1) }
    let number = UInt32(clamping: Int64(stated * factor))
    bytes.replaceSubrange(fact..<fact + 4, with: withUnsafeBytes(of: number.littleEndian, Array.init))
    let outcome = try outcome("fact.wav", bytes)
    try expect(outcome, .exact)
    // If the number is wrong, the whole last block is played, with its padding.
    #expect(outcome.decoded >= whole.decoded)
    #expect(outcome.decoded.seconds - whole.decoded.seconds < 0.1)
    #expect(outcome.reason == nil)
  }

  /// Core Audio files with packets of equal size have no table of them.
  @Test func coreAudioFileWithoutPacketTable_hasTheLengthOfItsPackets() throws {
    func big(_ value: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: value.bigEndian, Array.init) }
    // The codec is followed by its flags, the bytes and the frames of a packet, channels, and bits.
    let description = joined(big((44_100.0).bitPattern), "ima4".utf8, [0, 34, 64, 1, 0].flatMap { big(UInt32($0)) })
    let audio = (0..<34 * 700).map { UInt8(truncatingIfNeeded: $0 % 34 < 2 ? 0 : $0 * 37) }
    let file = joined(
      "caff".utf8, big(UInt16(1)), big(UInt16(0)), "desc".utf8, big(Int64(32)), description, "data".utf8,
      big(Int64(4 + audio.count)), big(UInt32(0)), audio)
    let outcome = try outcome("ima.caf", file)
    try expect(outcome, .exact)
    #expect(outcome.decoded == SampleRate.cd.time(of: Frames(Int64(700 * 64))))
  }

  /// libavformat rejects a file with two such blocks.
  @Test(arguments: [18, 21]) func flacFileWithASecondStreamInfo_isPlayed(_ changed: Int) throws {
    var bytes = try Fixture.bytes("a.flac")
    let whole = try outcome("whole.flac", bytes).decoded
    var second = Array(bytes[4..<42])
    second[0] &= 0x7F
    second[changed] ^= 0x55
    bytes.insert(contentsOf: second, at: 42)
    let outcome = try outcome("second.flac", bytes)
    try expect(outcome, .exact)
    #expect(outcome.decoded == whole)
  }
}
