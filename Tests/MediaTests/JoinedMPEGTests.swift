import SegueRing
import SegueSystem
import SegueTestKit
import SegueWire
import SegueWorkerProtocol
import Testing

/// Tests of MPEG files that were joined, each with its tags, and of bytes in tags that look like audio. Everything that
/// is audio is played, and nothing else.
@Suite struct JoinedMPEGTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// What lies between two files that were joined: the end of the first one, and the beginning of the second one.
  enum Joint: String, CaseIterable {
    case nothing, ape, apeAndID3v1, id3v1AndID3v2, allTags, lyrics, zeros, zerosAndID3v2, manyZeros

    var bytes: [UInt8] {
      switch self {
      case .nothing: []
      case .ape: JoinedMPEGTests.ape(JoinedMPEGTests.gain)
      case .apeAndID3v1: JoinedMPEGTests.ape(JoinedMPEGTests.gain) + JoinedMPEGTests.id3v1
      case .id3v1AndID3v2: JoinedMPEGTests.id3v1 + TagBytes.id3v2(TagBytes.text("TIT2", "Second"))
      case .allTags:
        JoinedMPEGTests.lyrics + JoinedMPEGTests.ape(JoinedMPEGTests.gain) + JoinedMPEGTests.id3v1
          + TagBytes.id3v2(TagBytes.text("TIT2", "Second"))
      case .lyrics: JoinedMPEGTests.lyrics + JoinedMPEGTests.id3v1
      case .zeros: [UInt8](repeating: 0, count: 3_001)
      case .zerosAndID3v2: [UInt8](repeating: 0, count: 700) + TagBytes.id3v2(TagBytes.text("TIT2", "Second"))
      // More than the bytes among which frames are looked for.
      case .manyZeros: [UInt8](repeating: 0, count: 9 << 20)
      }
    }
  }

  /// The items that mp3gain writes.
  private static let gain = [
    ("MP3GAIN_MINMAX", "125,205"), ("REPLAYGAIN_TRACK_GAIN", "-7.35 dB"), ("REPLAYGAIN_TRACK_PEAK", "0.994"),
  ]

  private static let id3v1 = Array("TAG".utf8) + [UInt8](repeating: 0x20, count: 125)

  private static var lyrics: [UInt8] {
    let body = Array("LYRICSBEGININD0000200LYR00024[00:01]la la la la la".utf8)
    let digits = String(body.count)
    return body + Array((String(repeating: "0", count: 6 - digits.count) + digits + "LYRICS200").utf8)
  }

  /// Returns an APE tag with a header.
  private static func ape(_ items: [(key: String, value: String)]) -> [UInt8] {
    let tag = TagBytes.ape(items)
    // The flags say whether the tag has a header, and whether this is one.
    let footer = tag.suffix(32)
    func mark(_ flags: UInt8) -> [UInt8] { joined(footer.prefix(23), [flags], footer.suffix(8)) }
    return mark(0xA0) + Array(tag.dropLast(32)) + mark(0x80)
  }

  private struct Outcome {
    let stated: [MediaInfo]
    let duration: MediaTime
    let decoded: WorkerProcess.DecodedGeneration
    let reason: String?
  }

  private func outcome(_ path: FilePath) throws -> Outcome {
    let scanner = try WorkerProcess(ring: false)
    var infos: [MediaInfo] = []
    for case .facts(let facts) in try scanner.scan([path]) { infos.append(facts.info) }
    let worker = try WorkerProcess()
    try worker.open(1, path)
    let decoded = try worker.decodedGeneration(1)
    return Outcome(
      stated: infos + [try #require(worker.info(of: 1))], duration: try #require(worker.duration(of: 1)),
      decoded: decoded, reason: worker.interruption(of: 1)?.message)
  }

  private func outcome(_ name: String, _ bytes: [UInt8]) throws -> Outcome {
    try outcome(try folder.write(name, bytes))
  }

  /// The first file has a tag of LAME, Lavc or none, and may state the length of its audio.
  @Test(
    arguments: [
      ("a.mp3", "b.mp3"), ("long.vbr.mp3", "long.vbr.mp3"), ("long.untagged.mp3", "long.untagged.mp3"),
      ("a.itunes.mp3", "b.itunes.mp3"),
    ], Joint.allCases)
  func joinedFiles_arePlayedToTheEnd(_ names: (first: String, second: String), _ joint: Joint) throws {
    let (first, second) = names
    let lengths = try [first, second].map { try outcome(Fixture.path($0)).duration.seconds }
    let path = try folder.write(
      "\(joint)-\(first)", try Fixture.bytes(first) + joint.bytes + (try Fixture.bytes(second)))
    let whole = try outcome(path)
    #expect(whole.reason == nil)
    // The frame with the tag of the second file, and padding, are played as silence. The first frame of the second file
    // is lost if it needs bits of the one before.
    let duration = whole.duration.seconds
    #expect(
      (lengths[0] + lengths[1] - 0.04..<lengths[0] + lengths[1] + 0.2).contains(duration), "\(duration) \(lengths)")
    #expect(whole.stated.count == 2)
    // Without any tag, the two cannot be told from one file.
    let isOne = joint == .nothing && first == "long.untagged.mp3"
    for info in whole.stated {
      #expect(info.durationKind == (isOne ? .exact : .estimated))
      // The time to examine a file may end within many zeros.
      if joint != .manyZeros { #expect(abs(try #require(info.duration).seconds - duration) < 0.1, "\(info)") }
    }
    let part = try #require(whole.decoded.parts.first)
    let samples = part.samples
    for share in [0.3, 0.6, 0.9] {
      let frame = Int(Double(part.frames.count) * share)
      let worker = try WorkerProcess()
      try worker.open(1, path, start: part.format.rate.time(of: Frames(frame)))
      let decoded = try worker.decodedGeneration(1)
      #expect(decoded.parts.first?.mediaFrame == Frames(frame))
      #expect(decoded.end == whole.decoded.end)
      let wanted = samples[frame * Int(part.format.channels.count)..<samples.count]
      #expect(MaximumDifference.of(decoded.parts, to: wanted) < 0.0005, "from \(frame)")
    }
  }

  /// The tags at the end of a file, which contain the frames of another file.
  enum Ending: String, CaseIterable {
    case ape, apeAndID3v1, id3v2, lyricsWithFrames

    func bytes() throws -> [UInt8] {
      let frames = try Fixture.bytes("long.cbr.mp3")
      let footer = TagBytes.ape([]).suffix(32)
      let item = joined(TagBytes.littleEndian(frames.count), [2, 0, 0, 0], "Audio\0".utf8, frames)
      func ape(_ flags: UInt8) -> [UInt8] {
        joined(
          footer.prefix(12), TagBytes.littleEndian(item.count + 32), [1, 0, 0, 0, 0, 0, 0, flags], footer.suffix(8))
      }
      let tag = ape(0xA0) + item + ape(0x80)
      switch self {
      case .ape: return tag
      case .apeAndID3v1: return tag + JoinedMPEGTests.id3v1
      case .id3v2: return TagBytes.id3v2(TagBytes.frame("PRIV", frames))
      case .lyricsWithFrames:
        let body = Array("LYRICSBEGIN".utf8) + frames
        let digits = String(body.count)
        return body + Array((String(repeating: "0", count: 6 - digits.count) + digits + "LYRICS200").utf8)
          + JoinedMPEGTests.id3v1
      }
    }
  }

  @Test(arguments: ["a.mp3", "long.vbr.mp3", "long.untagged.mp3"], Ending.allCases)
  func framesInTagsAtTheEnd_areNoAudio(_ name: String, _ ending: Ending) throws {
    let whole = try outcome(Fixture.path(name))
    let tagged = try outcome("\(ending)-\(name)", try Fixture.bytes(name) + ending.bytes())
    #expect(tagged.duration == whole.duration)
    let isEqual = tagged.decoded.bytes == whole.decoded.bytes
    #expect(isEqual)
    #expect(tagged.reason == nil)
    for info in tagged.stated { #expect(info.duration == whole.duration, "\(info)") }
  }

  /// A cover may be a file of any kind, whose bytes look like frames, and end within one.
  @Test(arguments: [("a.mp3", "b.mp3"), ("long.untagged.mp3", "long.vbr.mp3")], [0, 100])
  func framesInATagBetweenTwoFiles_areNoAudio(_ names: (first: String, second: String), _ cut: Int) throws {
    let frames = Array(try Fixture.bytes("long.cbr.mp3").dropLast(cut))
    func joined(_ content: [UInt8]) throws -> Outcome {
      let tags = Self.id3v1 + TagBytes.id3v2(TagBytes.frame("APIC", content))
      return try outcome(
        "\(cut)-\(content[0]).mp3", try Fixture.bytes(names.first) + tags + (try Fixture.bytes(names.second)))
    }
    let (whole, silent) = (try joined(frames), try joined([UInt8](repeating: 0, count: frames.count)))
    #expect(whole.duration == silent.duration)
    let isEqual = whole.decoded.bytes == silent.decoded.bytes
    #expect(isEqual)
    #expect(whole.reason == nil)
    #expect(whole.stated.map(\.duration) == silent.stated.map(\.duration))
  }

  /// The tag in the first frame states delay and padding.
  @Test(arguments: ["a.mp3", "long.vbr.mp3"], [(true, 3), (true, 7_000), (false, 10), (false, 7_000)])
  func bytesBeforeTheFirstFrame_areSkipped(_ name: String, _ junk: (followsTag: Bool, count: Int)) throws {
    let tag = junk.followsTag ? TagBytes.id3v2(TagBytes.text("TIT2", "Title")) : []
    let bytes = (0..<junk.count).map { UInt8(truncatingIfNeeded: $0 * 37 + 5) & 0x7F }
    let whole = try outcome(Fixture.path(name))
    let moved = try outcome("\(junk)-\(name)", tag + bytes + (try Fixture.bytes(name)))
    #expect(moved.duration == whole.duration)
    let isEqual = moved.decoded.bytes == whole.decoded.bytes
    #expect(isEqual)
    #expect(moved.reason == nil)
    for info in moved.stated {
      #expect(info.duration == whole.duration)
      #expect(info.durationKind == .exact)
      #expect(info.metadata.title == (junk.followsTag ? "Title" : nil))
    }
  }

  /// Returns the offsets of the frames of "long.untagged.mp3", which has layer 3 at 32,000 Hz.
  private static func frameOffsets(_ bytes: [UInt8]) -> [Int] {
    let kilobits = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
    var (offsets, at) = ([Int](), 0)
    while at + 4 <= bytes.count, bytes[at] == 0xFF, bytes[at + 2] >> 4 < 15 {
      offsets.append(at)
      at += 144 * kilobits[Int(bytes[at + 2] >> 4)] * 1000 / 32_000 + Int(bytes[at + 2] >> 1 & 1)
    }
    return offsets
  }

  /// A decoder that gets them together with the frame behind them rejects both.
  @Test(arguments: [1, 500, 5_000]) func bytesBetweenFrames_costNoFrame(_ count: Int) throws {
    let frames = try Fixture.bytes("long.untagged.mp3")
    let cut = Self.frameOffsets(frames)[20]
    let junk = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 37 + 5) & 0x7F }
    let whole = try outcome(Fixture.path("long.untagged.mp3"))
    let path = try folder.write("\(count).mp3", joined(frames[..<cut], junk, frames[cut...]))
    let damaged = try outcome(path)
    let isEqual = damaged.decoded.bytes == whole.decoded.bytes
    #expect(isEqual)
    let part = try #require(whole.decoded.parts.first)
    for share in [0.3, 0.7, 0.9] {
      let frame = Int(Double(part.frames.count) * share)
      let worker = try WorkerProcess()
      try worker.open(1, path, start: part.format.rate.time(of: Frames(frame)))
      let decoded = try worker.decodedGeneration(1)
      #expect(decoded.end == whole.decoded.end)
      let wanted = part.samples[(frame * Int(part.format.channels.count))...]
      #expect(MaximumDifference.of(decoded.parts, to: wanted) < 0.0005, "from \(frame)")
    }
  }
}
