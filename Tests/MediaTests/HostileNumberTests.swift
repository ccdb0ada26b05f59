import SegueSystem
import SegueTestKit
import SegueWire
import SegueWorkerProtocol
import Testing

/// Tests of small files and streams that state numbers with which a careless reader calculates beyond the range of its
/// integers, or that repeat an element so often that a recursive one exhausts the stack. The worker continues to work.
@Suite struct HostileNumberTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static func little(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian, Array.init)
  }
  private static func big(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.bigEndian, Array.init)
  }

  /// Probes, scans and plays `path`, also from later positions, and then plays another file.
  private func expectWorkerContinues(after path: FilePath, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let worker = try WorkerProcess()
    try worker.probe(1, path)
    _ = try worker.nextEvent()
    #expect(try worker.scan([path]).count == 1, sourceLocation: sourceLocation)
    for (generation, start) in zip(UInt32(1)..., [0, 2, 3_600.0]) {
      try worker.open(generation, path, start: MediaTime(seconds: start))
      try worker.wait(for: "the end of \(generation)") {
        $0.duration(of: generation) != nil || $0.failure(of: generation) != nil
      }
    }
    try worker.open(9, Fixture.path("a.flac"))
    #expect(try worker.decodedGeneration(9).end == Frames(Signal.cut), sourceLocation: sourceLocation)
  }

  // MARK: Core Audio

  /// A Core Audio file of AAC. The packet table states the numbers of packets and valid frames.
  private static func core(framesPerPacket: UInt32, packets: Int64, valid: Int64) -> [UInt8] {
    let description = joined(
      big((44_100.0).bitPattern), "aac ".utf8, [0, 0, framesPerPacket, 2, 0].flatMap { big($0) })
    let table = big(packets) + big(valid) + big(UInt32.max) + big(UInt32.max)
    let data = big(UInt32(0)) + [UInt8](repeating: 0x21, count: 64)
    return joined(
      "caff".utf8, big(UInt16(1)), big(UInt16(0)), "desc".utf8, big(Int64(description.count)), description, "pakt".utf8,
      big(Int64(table.count)), table, "data".utf8, big(Int64(data.count)), data)
  }

  @Test(
    arguments: [
      (UInt32.max, 0x8000_0001, 0), (.max, 0xFFFF_FFFF, .max), (0, 1, .max), (0, 1, .min), (1024, 0xFFFF_FFFF, .min),
    ] as [(UInt32, Int64, Int64)])
  func packetTableOfACoreAudioFile_mayStateAnyNumbers(_ frames: UInt32, _ packets: Int64, _ valid: Int64) throws {
    let file = Self.core(framesPerPacket: frames, packets: packets, valid: valid)
    try expectWorkerContinues(after: try folder.write("packets.caf", file))
  }

  // MARK: MP4

  /// Returns "fragments.m4a" with these times of its first and second fragment.
  private static func fragments(_ first: Int64, _ second: Int64) throws -> [UInt8] {
    var bytes = try Fixture.bytes("fragments.m4a")
    let boxes = bytes.indices.dropLast(16).filter { bytes[$0..<$0 + 4].elementsEqual("tfdt".utf8) }
    try #require(boxes.count >= 2)
    for (box, time) in zip(boxes, [first, second]) {
      // The numbers of version 1 have eight bytes.
      try #require(bytes[box + 4] == 1)
      bytes.replaceSubrange(box + 8..<box + 16, with: big(time))
    }
    return bytes
  }

  @Test(arguments: [(.min, 1), (.min, .max), (.max, .min), (-1, .max)] as [(Int64, Int64)])
  func fragmentsOfAnMP4File_mayBeginAtAnyTime(_ first: Int64, _ second: Int64) throws {
    try expectWorkerContinues(after: try folder.write("times.m4a", try Self.fragments(first, second)))
  }

  // MARK: WAV and Wave64

  /// The last of so many chunks that no more are read ends behind the end of the file.
  @Test func lastChunkOfAWaveFile_mayExceedTheFile() throws {
    let format = joined(
      "fmt ".utf8, Self.little(UInt32(16)), [1, 0, 1, 0, 0x44, 0xAC, 0, 0, 0x88, 0x58, 1, 0, 2, 0, 16, 0])
    let chunk = Array("abcd".utf8) + Self.little(UInt32(0))
    let chunks = [[UInt8]](repeating: chunk, count: 9_997).flatMap { $0 }
    let body = joined(
      "WAVE".utf8, format, "data".utf8, Self.little(UInt32(2)), [1, 1], chunks, "abcd".utf8, Self.little(UInt32.max))
    let file = joined("RIFF".utf8, Self.little(UInt32(body.count)), body)
    try expectWorkerContinues(after: try folder.write("chunks.wav", file))
  }

  @Test(arguments: [24, 39, 40, 63, 100, 127]) func wave64FileMayBeShorterThanItsHeaders(_ count: Int) throws {
    let start: [UInt8] = [0x2E, 0x91, 0xCF, 0x11, 0xA5, 0xD6, 0x28, 0xDB, 0x04, 0xC1, 0x00, 0x00]
    let file = joined("riff".utf8, start, [UInt8](repeating: 1, count: 128))
    try expectWorkerContinues(after: try folder.write("\(count).w64", Array(file.prefix(count))))
  }

  // MARK: ID3v2

  /// For libavformat, a tag whose revision is 255 is none, and it plays the frames behind the header.
  @Test func tagMayStateMoreThanTheSizeOfItsFile() throws {
    let header = Array("ID3".utf8) + [3, 0xFF, 0, 0x7F, 0x7F, 0x7F, 0x7F]
    let path = try folder.write("size.mp3", header + (try Fixture.bytes("long.untagged.mp3")))
    try expectWorkerContinues(after: path)
  }

  /// Opens `url` of a server as a stream. Expects that the worker plays or refuses it, and then plays another file.
  private func expectWorkerContinues(
    afterStream url: String, start: MediaTime = .zero, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let fetcher = try WorkerProcess(.fetch, ring: false)
    let worker = try WorkerProcess(.stream)
    try worker.open(url, start: start, through: fetcher)
    try worker.wait(for: "the end of the stream") { $0.duration(of: 1) != nil || $0.failure(of: 1) != nil }
    let server = try WebServer(serving: try Fixture.bytes("a.flac"))
    try worker.open(server.url("a.flac"), as: 9, through: fetcher)
    #expect(try worker.decodedGeneration(9).end == Frames(Signal.cut), sourceLocation: sourceLocation)
  }

  private static let emptyTags = [[UInt8]](repeating: TagBytes.id3v2([]), count: 20_000).flatMap { $0 }

  @Test func streamMayBeginWithManyEmptyTags() throws {
    let server = try WebServer([], Self.emptyTags + (try Fixture.bytes("long.aac")))
    try expectWorkerContinues(afterStream: server.url("song.aac"))
  }

  @Test func segmentMayBeginWithManyEmptyTags() throws {
    let segment = Self.emptyTags + (try Fixture.bytes("long.aac"))
    let manifest = Array(
      "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:1,\n1.aac\n#EXTINF:1,\n2.aac\n#EXT-X-ENDLIST\n".utf8)
    let server = try WebServer { request, client in
      let body = request.split(separator: " ")[1].hasSuffix(".aac") ? segment : manifest
      return client.send("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n") && client.send(body)
    }
    try expectWorkerContinues(afterStream: server.url("a.m3u8"))
  }

  /// Each of the two is compared with the other.
  @Test func titleAndNameOfASegmentMayBeLong() throws {
    let (title, name) = (String(repeating: "a", count: 400_000) + "b", String(repeating: "a", count: 600_000))
    let manifest = Array("#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:1,\(title)\n\(name)\n#EXT-X-ENDLIST\n".utf8)
    let server = try WebServer { _, client in
      client.send("HTTP/1.1 200 OK\r\nContent-Length: \(manifest.count)\r\n\r\n") && client.send(manifest)
    }
    try expectWorkerContinues(afterStream: server.url("a.m3u8"))
  }

  // MARK: Files on servers

  /// Readers of the end look for tags before the beginning of a file that is shorter than a tag.
  @Test(arguments: [28, 40, 100]) func fileOnAServerMayBeShorterThanATag(_ count: Int) throws {
    let header = joined("MP+\u{7}".utf8, Self.little(UInt32(1)), [UInt8](repeating: 0, count: 128))
    let server = try WebServer(serving: Array(header.prefix(count)))
    try expectWorkerContinues(afterStream: server.url("short.mpc"))
  }

  /// The tag states a single frame of audio, and the position of which bytes are requested follows from that.
  @Test func positionFarBehindTheEndOfAFileOnAServer_isNotRequested() throws {
    var bytes = try Fixture.bytes("a.itunes.mp3")
    let digits = Array(" 0000000000005BA1".utf8)
    let at = try #require(bytes.indices.dropLast(17).first { bytes[$0..<$0 + 17].elementsEqual(digits) })
    bytes.replaceSubrange(at..<at + 17, with: " 0000000000000001".utf8)
    let frames = try Fixture.bytes("long.untagged.mp3")
    while bytes.count < 2_000_000 { bytes += frames }
    let server = try WebServer(serving: bytes)
    try expectWorkerContinues(afterStream: server.url("long.mp3"), start: .maximum)
  }

  @Test func segmentMayBeginAtAnyOffset() throws {
    let manifest = Array(
      "#EXTM3U\n#EXT-X-VERSION:4\n#EXT-X-TARGETDURATION:2\n#EXTINF:1,\n#EXT-X-BYTERANGE:100@9223372036854775000\n1.aac\n#EXT-X-ENDLIST\n"
        .utf8)
    let audio = try Fixture.bytes("long.aac")
    let server = try WebServer { request, client in
      let body = request.split(separator: " ")[1].hasSuffix(".aac") ? audio : manifest
      return client.send("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n") && client.send(body)
    }
    try expectWorkerContinues(afterStream: server.url("a.m3u8"))
  }
}
