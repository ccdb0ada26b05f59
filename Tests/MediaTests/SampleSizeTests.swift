import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import SegueWorkerProtocol
import Testing

/// Tests of files of uncompressed audio whose headers state sizes that do not fit, or that have padding outside of
/// chunks.
@Suite struct SampleSizeTests {
  private let folder: TemporaryFolder
  private static let samples = [UInt8](SineWave.wave(0..<20_000).dropFirst(44))
  private static let format = [UInt8](SineWave.wave(0..<1)[12..<36])

  init() throws { folder = try TemporaryFolder() }

  private static func little(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian, Array.init)
  }
  private static func big(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.bigEndian, Array.init)
  }

  /// Returns the samples with the bytes of each in reverse order.
  private static let reversed = stride(from: 0, to: samples.count, by: 2).flatMap { [samples[$0 + 1], samples[$0]] }

  private static func wave(_ form: UInt32? = nil, data: UInt32? = nil, before: [UInt8] = []) -> [UInt8] {
    let body = joined("WAVE".utf8, format, before, "data".utf8, little(data ?? UInt32(samples.count)), samples)
    return joined("RIFF".utf8, little(form ?? UInt32(body.count)), body)
  }

  private static func largeWave(_ name: String, _ sizes: UInt64, data: UInt32 = .max, isFirst: Bool = true) -> [UInt8] {
    let sizes = joined("ds64".utf8, little(UInt32(28)), little(sizes), little(sizes), little(sizes), little(UInt32(0)))
    return joined(
      name.utf8, little(UInt32.max), "WAVE".utf8, isFirst ? sizes + format : format + sizes, "data".utf8, little(data),
      samples)
  }

  private static func aiff(_ form: UInt32? = nil, frames: UInt32 = 20_000, data: UInt32? = nil, offset: UInt32 = 0)
    -> [UInt8]
  {
    let rate: [UInt8] = [0x40, 0x0E, 0xAC, 0x44, 0, 0, 0, 0, 0, 0]
    let common = joined("COMM".utf8, big(UInt32(18)), big(UInt16(2)), big(frames), big(UInt16(16)), rate)
    let body = joined(
      "AIFF".utf8, common, "SSND".utf8, big(data ?? UInt32(8 + samples.count)), big(offset), big(UInt32(0)), reversed)
    return joined("FORM".utf8, big(form ?? UInt32(body.count)), body)
  }

  private static func wave64(_ form: Int64? = nil, data: Int64? = nil) -> [UInt8] {
    let rest: [UInt8] = [0xF3, 0xAC, 0xD3, 0x11, 0x8C, 0xD1, 0x00, 0xC0, 0x4F, 0x8E, 0xDB, 0x8A]
    let start: [UInt8] = [0x2E, 0x91, 0xCF, 0x11, 0xA5, 0xD6, 0x28, 0xDB, 0x04, 0xC1, 0x00, 0x00]
    let body = joined(
      "wave".utf8, rest, "fmt ".utf8, rest, little(Int64(24 + 16)), format.dropFirst(8), "data".utf8, rest,
      little(data ?? Int64(24 + samples.count)), samples)
    return joined("riff".utf8, start, little(form ?? Int64(24 + body.count)), body)
  }

  private static func core(_ data: Int64) -> [UInt8] {
    let description = joined(
      big((44_100.0).bitPattern), "lpcm".utf8, big(UInt32(2)), big(UInt32(4)), big(UInt32(1)), big(UInt32(2)),
      big(UInt32(16)))
    return joined(
      "caff".utf8, big(UInt16(1)), big(UInt16(0)), "desc".utf8, big(Int64(32)), description, "data".utf8, big(data),
      big(UInt32(0)), samples)
  }

  private static func sun(_ data: UInt32) -> [UInt8] {
    joined(
      ".snd".utf8, big(UInt32(28)), big(data), big(UInt32(3)), big(UInt32(44_100)), big(UInt32(2)), big(UInt32(0)),
      reversed)
  }

  /// Files with wrong sizes, by what is wrong.
  private static let files: [String: [UInt8]] = [
    "RIFF of 0 bytes.wav": wave(0), "RIFF of ones.wav": wave(.max), "RIFF of 8 bytes.wav": wave(8),
    "data of 0 bytes.wav": wave(data: 0), "data of ones.wav": wave(data: .max),
    "data of 2 GiB.wav": wave(data: 1 << 31),
    "ds64 of zeros.wav": largeWave("RF64", 0), "ds64 of ones.wav": largeWave("RF64", .max),
    "ds64 of 8 EiB.wav": largeWave("BW64", .max >> 1), "ds64 of an EiB.wav": largeWave("BW64", 1 << 60),
    "ds64 of zeros beside a size.wav": largeWave("BW64", 0, data: UInt32(samples.count)),
    "late ds64.wav": largeWave("RF64", UInt64(samples.count), isFirst: false),
    "FORM of 0 bytes.aiff": aiff(0), "FORM of 8 bytes.aiff": aiff(8), "FORM of ones.aiff": aiff(.max),
    "SSND of 0 bytes.aiff": aiff(data: 0), "SSND without samples.aiff": aiff(data: 8),
    "SSND of ones.aiff": aiff(data: .max),
    "frames of ones.aiff": aiff(frames: .max), "huge offset.aiff": aiff(offset: 0xFFFF_FFF0),
    "riff of 0 bytes.w64": wave64(0), "riff of ones.w64": wave64(-1), "data of 0 bytes.w64": wave64(data: 0),
    "data of ones.w64": wave64(data: -1), "data of 8 EiB.w64": wave64(data: .max),
    "data of unknown size.caf": core(-1), "data of 0 bytes.caf": core(0), "data of no samples.caf": core(4),
    "data of 8 EiB.caf": core(.max),
    "data of 0 bytes.au": sun(0), "data of ones.au": sun(.max), "data of 2 GiB.au": sun(1 << 31),
    "data of 9 bytes.au": sun(9),
  ]

  private func expectAllSamples(of path: FilePath) throws {
    for case .facts(let facts) in try WorkerProcess(ring: false).scan([path]) {
      #expect(facts.info.duration == SampleRate.cd.time(of: Frames(Int64(20_000))))
      #expect(facts.info.durationKind == .exact)
    }
    let worker = try WorkerProcess()
    try worker.open(1, path)
    let decoded = try worker.decodedGeneration(1)
    #expect(decoded.bytes == Self.samples)
    #expect(worker.info(of: 1)?.durationKind == .exact)
    #expect(worker.info(of: 1)?.duration == worker.duration(of: 1))
    #expect(worker.interruption(of: 1) == nil)
  }

  @Test(arguments: files.keys.sorted()) func allSamplesArePlayed_whateverTheSizesState(_ name: String) throws {
    try expectAllSamples(of: try folder.write(name, try #require(Self.files[name])))
  }

  /// Zeros between chunks, for which libavformat reads millions of empty chunks. A hole in the file takes no space.
  @Test(arguments: [("zeros.wav", 36), ("zeros.aiff", 38), ("zeros.w64", 80)])
  func manyZerosBetweenChunks_areSkipped(
    _ name: String, _ position: Int
  ) throws {
    let whole = name.hasSuffix("wav") ? Self.wave() : name.hasSuffix("aiff") ? Self.aiff() : Self.wave64()
    try expectAllSamples(of: try write(name, whole, hole: 1 << 28, at: position))
  }

  @Test(arguments: ["after.wav", "after.aiff", "after.w64"]) func gigabyteOfZerosAfterTheSamples_isNotPlayed(
    _ name: String
  ) throws {
    let whole = name.hasSuffix("wav") ? Self.wave() : name.hasSuffix("aiff") ? Self.aiff() : Self.wave64()
    try expectAllSamples(of: try write(name, whole, hole: 1 << 30, at: whole.count))
  }

  @Test(arguments: ["JUNK", "abcd"]) func chunkOfThreeGigabytes_isSkipped(_ name: String) throws {
    let header = Array(name.utf8) + Self.little(UInt32(3 << 30))
    try expectAllSamples(of: try write("chunk.wav", Self.wave(before: header), hole: 3 << 30, at: 36 + header.count))
  }

  /// More than 4 GiB of samples, of whose size the header has only the last 32 bits.
  @Test func sizeThatExceedsItsField_isDerivedFromThatOfTheFile() throws {
    let size = Int64(5) << 30
    let path = try write("large.wav", Self.wave(36, data: UInt32(truncatingIfNeeded: size)), hole: 0, at: 44)
    try #require(path.withCString { truncate($0, off_t(44 + size)) } == 0)
    let worker = try WorkerProcess(ring: false)
    try worker.probe(1, path)
    guard case .response(_, .probed(let info)) = try worker.nextEvent() else { throw Unexpected("\(worker.events)") }
    #expect(info.durationKind == .exact)
    #expect(info.duration == SampleRate.cd.time(of: Frames(size / 4)))
  }

  /// Returns the path of a file with `bytes` and a hole of `hole` bytes at `position`.
  private func write(_ name: String, _ bytes: [UInt8], hole: Int, at position: Int) throws -> FilePath {
    let path = try folder.write(name, Array(bytes[..<position]))
    let file = try #require(path.withCString { fopen($0, "r+e") })
    defer { fclose(file) }
    let rest = Array(bytes[position...])
    fseek(file, position + hole, SEEK_SET)
    guard fwrite(rest, 1, rest.count, file) == rest.count, fflush(file) == 0,
      ftruncate(fileno(file), off_t(bytes.count + hole)) == 0
    else { throw SystemError("write", name) }
    return path
  }
}
