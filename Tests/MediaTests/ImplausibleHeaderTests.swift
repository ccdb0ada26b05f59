import Glibc
import SegueLink
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Numbers at the ends of their ranges, and files that change while they are read: the worker lives on.
@Suite struct ImplausibleHeaderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// `fixture` with what stands `offset` bytes behind `anchor` replaced.
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

  /// Where a header counts what cannot be, the frames speak.
  @Test(arguments: [
    // iTunSMPB's length, in hexadecimal digits.
    ("a.itunes.mp3", " 0000000000005BA1", 1, Array("7FFFFFFFFFFFFFFF".utf8)),
    ("a.itunes.m4a", " 0000000000005BA1", 1, Array("7FFFFFFFFFFFFFFF".utf8)),
    // DSF's samples of a channel, the least significant byte first.
    ("one-bit.dsf", "fmt ", 36, Array(most.reversed())), ("one-bit.dsf", "fmt ", 36, Array(least.reversed())),
    // The last granule of Ogg pages; the first lies 6 behind the page's magic.
    ("a.opus", "OggS", 6, Array(most.reversed())), ("a.ogg", "OggS", 6, Array(least.reversed())),
    // The edit list made one of 64 bits, and its length the least there is.
    ("a.m4a", "elst", 4, [1, 0, 0, 0, 0, 0, 0, 1] + least + [UInt8](repeating: 0, count: 8)),
    // Boxes too short for what is in them; a size stands before a name.
    ("a.m4a", "stsd", -4, [0, 0, 0, 12]), ("a.m4a", "esds", -4, [0, 0, 0, 8]),
    ("a.m4a", "mvhd", 16, [0, 0, 0, 1]), ("a.m4a", "mdhd", 16, [0xFF, 0xFF, 0xFF, 0xFF]),
    // A Matroska cluster's time (element E7, here behind its ID), a Musepack header's lengths.
    ("long.mpc", "MPCKSH", 12, [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F]),
  ]) func whatCannotBeIsNotBelieved(_ fixture: String, _ anchor: String, _ offset: Int, _ bytes: [UInt8]) throws {
    let worker = try WorkerProcess()
    let path = try altered(fixture, anchor, offset, bytes)
    for (generation, start) in zip(UInt32(1)..., [0, 0.25, 3_600.0]) {
      try worker.open(generation, path, start: MediaTime(seconds: start))
      try worker.wait(for: "the end of \(generation)") {
        $0.duration(of: generation) != nil || $0.failure(of: generation) != nil
      }
      if let info = worker.info(of: generation), let duration = info.duration { #expect(duration < .maximum) }
    }
    // The library's look reads headers by itself.
    #expect(try worker.scan([path]).count == 1)
    // And it goes on to work.
    try worker.open(9, Fixture.path("a.flac"))
    #expect(try worker.take(9).end == Frames(Signal.cut))
  }

  /// Some ten seconds are decoded before anything is read; the rest of the file is another by then.
  @Test(arguments: [(20, 12), (12, 15)]) func aFilePlaysAsFarAsItGoesBy(_ before: Int, _ after: Int) throws {
    let second = 4 * Int(SampleRate.cd.hertz)
    let pcm = (0..<max(before, after) * second).map { UInt8(truncatingIfNeeded: $0 / 251) }
    // The header claims 4 GB, as one does whose writer has not finished.
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
    let take = try worker.take(1)
    #expect(take.bytes == Array(pcm[..<(after * second)]))
    #expect(worker.duration(of: 1) == MediaTime(seconds: Double(after)))
  }
}
