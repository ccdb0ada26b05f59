import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import SegueWorkerProtocol
import Testing

/// Tests of numbers at the limits of their ranges, and of files that change while they are read. The worker continues
/// to work.
@Suite struct ImplausibleHeaderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Returns `fixture` with other bytes at `offset` after `anchor`.
  private func altered(_ fixture: String, _ anchor: String, _ offset: Int, _ bytes: [UInt8]) throws -> FilePath {
    var data = try Fixture.bytes(fixture)
    let wanted = Array(anchor.utf8)
    let found = data.indices.dropLast(wanted.count).first { data[$0..<$0 + wanted.count].elementsEqual(wanted) }
    let at = try #require(found, "\(fixture) holds no \(anchor)") + offset
    data.replaceSubrange(at..<at + bytes.count, with: bytes)
    return try folder.write("\(anchor.filter(\.isLetter))-\(bytes[0])-\(fixture)", data)
  }

  private static let most: [UInt8] = [0x7F] + [UInt8](repeating: 0xFF, count: 7)
  private static let least: [UInt8] = [0x80] + [UInt8](repeating: 0, count: 7)

  /// If a header states an impossible number, the frames are used instead.
  @Test(arguments: [
    // The length in iTunSMPB, in hexadecimal digits.
    ("a.itunes.mp3", " 0000000000005BA1", 1, Array("7FFFFFFFFFFFFFFF".utf8)),
    ("a.itunes.m4a", " 0000000000005BA1", 1, Array("7FFFFFFFFFFFFFFF".utf8)),
    // The number of samples per channel of DSF, little-endian.
    ("one-bit.dsf", "fmt ", 36, Array(most.reversed())), ("one-bit.dsf", "fmt ", 36, Array(least.reversed())),
    // The granule of the last Ogg page, 6 bytes after the page's magic number.
    ("a.opus", "OggS", 6, Array(most.reversed())), ("a.ogg", "OggS", 6, Array(least.reversed())),
    // The edit list is made a 64-bit one, with the smallest possible length.
    ("a.m4a", "elst", 4, joined([1, 0, 0, 0, 0, 0, 0, 1], least, [UInt8](repeating: 0, count: 8))),
    // The boxes are too small for their contents. The size precedes the name.
    ("a.m4a", "stsd", -4, [0, 0, 0, 12]), ("a.m4a", "esds", -4, [0, 0, 0, 8]),
    ("a.m4a", "mvhd", 16, [0, 0, 0, 1]), ("a.m4a", "mdhd", 16, [0xFF, 0xFF, 0xFF, 0xFF]),
    // The time of a Matroska cluster (element E7, after its ID), and the lengths in a Musepack header.
    ("long.mpc", "MPCKSH", 12, [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F]),
  ]) func impossibleHeaderValues_areIgnored(_ fixture: String, _ anchor: String, _ offset: Int, _ bytes: [UInt8]) throws
  {
    let worker = try WorkerProcess()
    let path = try altered(fixture, anchor, offset, bytes)
    for (generation, start) in zip(UInt32(1)..., [0, 0.25, 3_600.0]) {
      try worker.open(generation, path, start: MediaTime(seconds: start))
      try worker.wait(for: "the end of \(generation)") {
        $0.duration(of: generation) != nil || $0.failure(of: generation) != nil
      }
      if let info = worker.info(of: generation), let duration = info.duration { #expect(duration < .maximum) }
    }
    // The library's scan reads the headers itself.
    #expect(try worker.scan([path]).count == 1)
    // The worker continues to work.
    try worker.open(9, Fixture.path("a.flac"))
    #expect(try worker.decodedGeneration(9).end == Frames(Signal.cut))
  }

  /// About ten seconds are decoded before the ring is read. Then the rest of the file changes.
  @Test(arguments: [(20, 12), (12, 15)]) func fileTruncatedDuringPlayback_playsToItsNewEnd(_ before: Int, _ after: Int)
    throws
  {
    let second = 4 * Int(SampleRate.cd.hertz)
    let pcm = (0..<max(before, after) * second).map { UInt8(truncatingIfNeeded: $0 / 251) }
    // The header states 4 GB, as in a file whose writer has not finished.
    var wave = Array(try Fixture.bytes("a.wav")[..<44])
    wave.replaceSubrange(40..<44, with: [0, 0xFF, 0xFF, 0xFF])
    let path = try folder.write("\(before)-\(after).wav", wave + pcm[..<(before * second)])
    let worker = try WorkerProcess()
    try worker.open(1, path)
    #expect(try worker.bufferedBytesWhenIdle() < after * second)
    let file = try #require(path.withCString { fopen($0, "r+b") })
    if after < before {
      ftruncate(fileno(file), off_t(44 + after * second))
    } else {
      fseek(file, 0, SEEK_END)
      fwrite(Array(pcm[(before * second)...]), 1, (after - before) * second, file)
    }
    fclose(file)
    let decoded = try worker.decodedGeneration(1)
    #expect(decoded.bytes == Array(pcm[..<(after * second)]))
    #expect(worker.duration(of: 1) == MediaTime(seconds: Double(after)))
  }
}
