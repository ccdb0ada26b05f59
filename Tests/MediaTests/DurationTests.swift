import SegueRing
import SegueSystem
import SegueTestKit
import SegueWire
import SegueWorkerProtocol
import Testing

/// Tests of the stated durations of files that are complete, truncated, a part of a stream, or whose headers state more
/// audio than there is.
@Suite struct DurationTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Decodes a file with these bytes.
  private func decode(_ name: String, _ bytes: [UInt8]) throws -> (
    decoded: WorkerProcess.DecodedGeneration, worker: WorkerProcess
  ) {
    let worker = try WorkerProcess()
    try worker.open(1, try folder.write(name, bytes))
    return (try worker.decodedGeneration(1), worker)
  }

  /// Returns the properties that the library's scan and playback state.
  private func stated(_ path: FilePath) throws -> [MediaInfo] {
    let worker = try WorkerProcess(ring: false)
    var infos: [MediaInfo] = []
    for case .facts(let facts) in try worker.scan([path]) { infos.append(facts.info) }
    try worker.probe(1, path)
    if case .response(_, .probed(let info)) = try worker.nextEvent() { infos.append(info) }
    return infos
  }

  /// Returns the duration after decoding; nil if nothing can be decoded.
  private func decodedLength(_ path: FilePath) throws -> MediaTime? {
    let worker = try WorkerProcess()
    try worker.open(1, path)
    try worker.wait(for: "the end of \(path)") {
      $0.failure(of: 1) != nil || $0.duration(of: 1) != nil && $0.decodedGenerations.contains { $0.end != nil }
    }
    return worker.duration(of: 1)
  }

  // MARK: Truncated files

  static let whole = [
    "a.wav", "a.flac", "a.wv", "lossy.wv", "a.alac.m4a", "a.m4a", "a.itunes.m4a", "a.mp3", "a.itunes.mp3", "a.ogg",
    "a.opus", "long.cbr.mp3", "long.vbr.mp3", "long.untagged.mp3", "long.mpc", "short.aiff", "short.caf", "short.au",
    "one-bit.dsf", "frames.tta", "pages.oga", "deep.flac", "fragments.m4a", "hybrid.alac.m4a", "hybrid.m4a",
  ]

  @Test(arguments: whole) func completeFile_hasTheStatedDuration(_ name: String) throws {
    let length = try #require(try decodedLength(Fixture.path(name)))
    let infos = try stated(Fixture.path(name))
    #expect(infos.count == 2)
    #expect(infos.map(\.durationKind) == [.exact, .exact])
    #expect(infos.map(\.duration) == [length, length])
  }

  @Test(arguments: whole + ["long.wma", "long.vorbis.mka", "long.opus.webm", "speech.spx", "long.aac"])
  func truncatedFile_hasNoExactOriginalDuration(_ name: String) throws {
    let bytes = try Fixture.bytes(name)
    let lengths = [0.3, 0.5, 0.8, 0.95].map { Int(Double(bytes.count) * $0) } + [bytes.count - 1, bytes.count - 200]
    for count in lengths {
      let path = try folder.write("\(count)-\(name)", Array(bytes[..<count]))
      guard let length = try decodedLength(path) else { continue }
      for info in try stated(path) where info.durationKind == .exact {
        #expect(info.duration == length, "\(name) cut to \(count) of \(bytes.count) bytes")
      }
    }
  }

  /// The end of a truncated file shows how much of it there is.
  @Test(arguments: [
    "a.flac", "a.wv", "lossy.wv", "long.untagged.mp3", "long.vbr.mp3", "a.wav", "frames.tta", "pages.oga", "long.opus",
  ])
  func truncatedFile_isEstimatedFromItsEnd(_ name: String) throws {
    let bytes = try Fixture.bytes(name)
    let path = try folder.write("half-" + name, Array(bytes[..<(bytes.count / 2)]))
    let length = try #require(try decodedLength(path)).seconds
    let infos = try stated(path)
    #expect(infos.count == 2)
    for info in infos {
      let stated = try #require(info.duration).seconds
      // A block of WavPack has half a second.
      #expect(abs(stated - length) < 0.3 * length + 0.1, "\(info.durationKind) \(stated) of \(length)")
    }
  }

  // MARK: Headers that promise too much

  private func index(of text: String, in bytes: [UInt8]) throws -> Int {
    let wanted = Array(text.utf8)
    return try #require(
      bytes.indices.dropLast(wanted.count).first { bytes[$0..<$0 + wanted.count].elementsEqual(wanted) })
  }

  /// In each file, the number of frames or samples, which is `offset` bytes after a mark, is multiplied by ten or more.
  @Test(
    arguments: [
      ("a.flac", "fLaC", 22, [0x10]), ("long.vbr.mp3", "Xing", 9, [1]), ("a.mp3", "Info", 9, [1]),
      ("a.wv", "wvpk", 14, [0x10]), ("a.m4a", "mdhd", 17, [1]),
      ("short.aiff", "COMM", 10, [1]), ("one-bit.dsf", "fmt ", 38, [0x10]),
    ] as [(String, String, Int, [UInt8])])
  func countBeyondTheFileSize_isNotExact(_ name: String, _ mark: String, _ offset: Int, _ value: [UInt8]) throws {
    var bytes = try Fixture.bytes(name)
    let at = try index(of: mark, in: bytes) + offset
    bytes.replaceSubrange(at..<at + value.count, with: value)
    let path = try folder.write("promising-" + name, bytes)
    let length = try #require(try decodedLength(path))
    let infos = try stated(path)
    #expect(infos.count == 2)
    for info in infos where info.durationKind == .exact { #expect(info.duration == length) }
    for info in infos { #expect(try #require(info.duration) < MediaTime(seconds: 10 * length.seconds), "\(info)") }
  }

  /// Several MPEG files are joined. The first one ends with an ID3v1 tag, and the frames before the tag are not all
  /// frames.
  @Test func joinedMPEGFiles_areLongerThanTheFirst() throws {
    let first = try Fixture.bytes("long.untagged.mp3") + Array("TAG".utf8) + [UInt8](repeating: 0, count: 125)
    let path = try folder.write("joined.mp3", first + first)
    let length = try #require(try decodedLength(path)).seconds
    let infos = try stated(path)
    #expect(infos.map(\.durationKind) == [.estimated, .estimated])
    for info in infos { #expect(abs(try #require(info.duration).seconds - length) < 0.1 * length) }
  }

  /// A tag after the audio is not audio. The counts in the headers are correct.
  @Test(arguments: ["a.flac", "a.wv", "long.vbr.mp3", "frames.tta"])
  func trailingTag_doesNotChangeTheDuration(_ name: String) throws {
    let item = [UInt8]([1, 0, 0, 0, 0, 0, 0, 0]) + Array("Title\0x".utf8)
    func block(_ flags: UInt8) -> [UInt8] {
      joined(
        "APETAGEX".utf8, [0xD0, 7, 0, 0, UInt8(item.count + 32), 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, flags],
        [UInt8](repeating: 0, count: 8))
    }
    let tags = joined(block(0xA0), item, block(0x80), "TAG".utf8, [UInt8](repeating: 0, count: 125))
    let whole = try #require(try decodedLength(Fixture.path(name)))
    let infos = try stated(try folder.write("tagged-" + name, try Fixture.bytes(name) + tags))
    #expect(infos.map(\.durationKind) == [.exact, .exact])
    #expect(infos.map(\.duration) == [whole, whole])
  }

  /// The header states the size of the complete file. libavformat states no duration for a truncated WMA file, and that
  /// of the complete file for Matroska.
  @Test(arguments: ["long.wma", "long.opus.webm"])
  func scanEstimatesTheDurationOfATruncatedContainer(_ name: String) throws {
    let bytes = try Fixture.bytes(name)
    let path = try folder.write("half-" + name, Array(bytes[..<(bytes.count / 2)]))
    let length = try #require(try decodedLength(path)).seconds
    let info = try #require(try stated(path).first)
    #expect(info.durationKind == .estimated)
    #expect(abs(try #require(info.duration).seconds - length) < 0.3 * length)
  }

  // MARK: Headers without audio

  /// Files whose headers state a duration, but of which nothing can be decoded.
  enum HeaderOnlyFile: String, CaseIterable {
    case framelessAIFF, movieWithoutSamples, emptyWMA, oggWithDamagedHeader

    var name: String {
      switch self {
      case .framelessAIFF: "a.aiff"
      case .movieWithoutSamples: "a.m4a"
      case .emptyWMA: "a.wma"
      case .oggWithDamagedHeader: "a.ogg"
      }
    }

    func bytes() throws -> [UInt8] {
      switch self {
      case .framelessAIFF:
        let head = joined("FORM".utf8, [0, 0, 0, 46], "AIFFCOMM".utf8, [0, 0, 0, 18, 0, 2, 0, 0, 0, 0, 0, 16])
        // The rate follows as an extended float of 44,100 Hz, then a sample chunk that contains only its own header.
        return joined(
          head, [0x40, 0x0E, 0xAC, 0x44, 0, 0, 0, 0, 0, 0], "SSND".utf8, [0, 0, 0, 8], [UInt8](repeating: 0, count: 8))
      case .movieWithoutSamples:
        var bytes = try Fixture.bytes("a.m4a")
        let mdat = try #require(bytes.indices.dropLast(4).first { bytes[$0..<$0 + 4].elementsEqual("mdat".utf8) })
        let size = bytes[mdat - 4..<mdat].reduce(0) { $0 << 8 | Int($1) }
        // No edit list states that the first packet is audible.
        let edits = try #require(bytes.indices.dropLast(4).first { bytes[$0..<$0 + 4].elementsEqual("edts".utf8) })
        bytes.replaceSubrange(edits..<edits + 4, with: Array("free".utf8))
        for index in mdat + 4..<mdat - 4 + size { bytes[index] = 0 }
        return bytes
      case .emptyWMA:
        var bytes = try Fixture.bytes("long.wma")
        // The object that contains the packets begins with this part of its identifier. The packets follow after 50
        // bytes.
        let guid: [UInt8] = [0x36, 0x26, 0xB2, 0x75]
        let data = try #require(bytes.indices.dropLast(4).first { bytes[$0..<$0 + 4].elementsEqual(guid) })
        for index in data + 50..<bytes.count { bytes[index] = 0 }
        return bytes
      case .oggWithDamagedHeader:
        var bytes = try Fixture.bytes("pages.ogg")
        // The byte before the first page of audio is the last one of the code tables.
        let page = bytes.indices.dropLast(4).filter { bytes[$0..<$0 + 4].elementsEqual("OggS".utf8) }[2]
        bytes[page - 1] ^= 0xFF
        return bytes
      }
    }
  }

  @Test(arguments: HeaderOnlyFile.allCases) func headersWithoutAudio_areNoTrack(_ hollow: HeaderOnlyFile) throws {
    let path = try folder.write(hollow.name, try hollow.bytes())
    #expect(try decodedLength(path) == nil)
    #expect(try stated(path).isEmpty)
  }

  // MARK: Ogg

  /// Returns `bytes` without the first `count` pages of audio, and the granule at which the last of these ends.
  private func tail(_ bytes: [UInt8], _ count: Int) throws -> (bytes: [UInt8], granule: Int64) {
    let pages = OggFile.pages(bytes)
    let first = try #require(pages.firstIndex { $0.granule > 0 })
    let dropped = pages[first..<first + count]
    let rest =
      Array(bytes[..<dropped[first].range.lowerBound]) + Array(bytes[dropped[first + count - 1].range.upperBound...])
    return (rest, dropped[first + count - 1].granule)
  }

  @Test(arguments: ["pages.ogg", "pages.oga"]) func partOfAStream_hasTheDurationOfItsOwnAudio(_ name: String) throws {
    let (whole, _) = try Fixture.decode(name)
    let (bytes, _) = try tail(try Fixture.bytes(name), 1)
    let (piece, worker) = try decode("piece-" + name, bytes)
    let count = try #require(piece.end).count
    #expect(count > 0 && count < (whole.end ?? .zero).count)
    // The output is the end of the complete output, bit for bit.
    #expect(piece.bytes == Array(whole.bytes.suffix(piece.bytes.count)))
    #expect(piece.bytes.count == Int(count) * (piece.parts.first?.format.bytesPerFrame ?? 0))
    let length = try #require(worker.duration(of: 1))
    for info in try stated(folder.path.appending("piece-" + name)) {
      #expect(info.durationKind == .exact)
      #expect(info.duration == length)
    }
  }

  @Test func partOfAnOpusStream_beginsAfterItsPreSkip() throws {
    let (whole, _) = try Fixture.decode("long.opus")
    let (bytes, granule) = try tail(try Fixture.bytes("long.opus"), 1)
    let (piece, _) = try decode("piece.opus", bytes)
    // The pre-skip of libopus is 312 frames. It is dropped from the beginning of any part (RFC 7845, 4.3 and 4.5).
    #expect(piece.end == Frames((whole.end ?? .zero).count + 312 - granule - 312))
    // The decoder begins without the previous audio. After that the output is the same.
    let (a, b) = (whole.channel(0), piece.channel(0))
    let tail = b.count - 24_000
    #expect(zip(a.suffix(tail), b.suffix(tail)).allSatisfy { abs($0 - $1) < 0.02 })
    for info in try stated(folder.path.appending("piece.opus")) {
      #expect(info.durationKind == .exact)
      #expect(info.duration == SampleRate(48_000).time(of: piece.end ?? .zero))
    }
  }

  /// If the first granule exceeds the frames of its page, it states where the stream begins: here after 0 by the length
  /// of the pre-skip. The last page, which would state the padding, is missing.
  @Test func opusStreamWithALateStart_hasTheDurationOfItsPackets() throws {
    var bytes = try Fixture.bytes("long.opus")
    let last = try #require(OggFile.pages(bytes).last)
    bytes.removeSubrange(last.range)
    for page in OggFile.pages(bytes) where page.granule > 0 {
      let granule = (page.granule + 312).littleEndian
      bytes.replaceSubrange(page.range.prefix(14).suffix(8), with: withUnsafeBytes(of: granule, Array.init))
      OggFile.setChecksum(&bytes, page.range)
    }
    let (decoded, worker) = try decode("shifted.opus", bytes)
    #expect(decoded.end == Frames(200 * 960 - 312))
    for info in try stated(folder.path.appending("shifted.opus")) {
      #expect(info.durationKind == .exact)
      #expect(info.duration == worker.duration(of: 1))
    }
  }

  @Test func everyLinkOfAnOpusChain_losesItsPreSkip() throws {
    let bytes = try Fixture.bytes("links.opus")
    // The flag of a page that begins a stream (RFC 3533, 6).
    let cut = try #require(OggFile.pages(bytes).last { bytes[$0.range.lowerBound + 5] & 2 != 0 }).range.lowerBound
    try #require(cut > 0)
    let (first, _) = try decode("first.opus", Array(bytes[..<cut]))
    let (second, _) = try decode("second.opus", Array(bytes[cut...]))
    let (chain, _) = try Fixture.decode("links.opus")
    #expect(first.end == Frames(Int64(12_001)))
    #expect(chain.end == Frames(Int64(24_002)))
    #expect(chain.bytes == first.bytes + second.bytes)
  }

  /// speexenc includes its own delay, and pads the end so that the decoder's delay fits.
  @Test func speex_hasTheDurationThatWasEncoded() throws {
    let (decoded, _) = try Fixture.decode("speech.spx")
    #expect(decoded.end == Frames(Int64(11_900)))
    let samples = decoded.channel(0)
    try #require(samples.count == 11_900)
    // Returns the correlation with the signal, as a sum of products.
    func correlation(_ lag: Int) -> Float {
      (3_000..<6_000).reduce(0) { $0 + samples[$1] * Signal.sample($1 + lag, channel: 0, rate: 16_000) }
    }
    #expect((-200...200).max { correlation($0) < correlation($1) } == 0)
  }

  // MARK: Other containers

  /// libavformat counts the padding at the rate that the track states. Opus always decodes to 48 kHz.
  @Test func statedRateOfOpusInMatroska_doesNotChangeItsEnd() throws {
    var bytes = try Fixture.bytes("long.opus.webm")
    let rate = withUnsafeBytes(of: (48_000.0).bitPattern.bigEndian, Array.init)
    let at = try #require(bytes.indices.dropLast(8).first { bytes[$0..<$0 + 8].elementsEqual(rate) })
    bytes.replaceSubrange(at..<at + 8, with: withUnsafeBytes(of: (16_000.0).bitPattern.bigEndian, Array.init))
    let (decoded, _) = try decode("slow.opus.webm", bytes)
    let (reference, _) = try Fixture.decode("long.opus.webm")
    #expect(decoded.end == Frames(Int64(4 * 48_000)))
    #expect(decoded.bytes == reference.bytes)
  }
}
