import SegueRing
import SegueSystem
import SegueTestKit
import SegueWire
import SegueWorkerProtocol
import Synchronization
import Testing

/// Tests of Musepack streams of version 7, which are made bit by bit because no encoder of that version is available.
@Suite struct MusepackTests {
  /// A stream of blocks that are silent, except for some samples of the lowest of 32 bands.
  private struct Stream {
    var bits = BitString()

    init() { bits.append(0x73, 8) }

    /// Appends a block in which the sample `peak` is loud.
    mutating func appendBlock(peak: Int) {
      var body = BitString()
      // Band 0 of both channels has samples of 8 bits. Band 1 differs by an escape, and has none.
      for _ in 0..<2 { body.append(9, 4) }
      for _ in 0..<2 {
        body.append(0xBA, 9)
        body.append(0, 4)
      }
      // Two scale factors: an escape with the first one, and no difference.
      for _ in 0..<2 { body.append(1, 1) }
      for _ in 0..<2 {
        body.append(12, 4)
        body.append(20, 6)
        body.append(9, 4)
      }
      for _ in 0..<2 { for sample in 0..<36 { body.append(sample == peak ? 227 : 127, 8) } }
      bits.append(body.bits.count, 20)
      bits.bits += body.bits
    }

    /// Returns the file whose header states `count` blocks, the last of which has `last` frames.
    func file(_ count: Int, last: Int) -> [UInt8] {
      func word(_ value: UInt32) -> [UInt8] { withUnsafeBytes(of: value.littleEndian, Array.init) }
      // The header has "MP+" and version 7, the number of blocks, the highest band, gains, and the length of the last
      // block.
      let head = joined("MP+\u{7}".utf8, word(UInt32(count)), word(1 << 24), word(0), word(0))
      return joined(head, word(1 << 31 | UInt32(last) << 20), bits.words)
    }
  }

  private func decode(_ bytes: [UInt8]) throws -> (WorkerProcess.DecodedGeneration, WorkerProcess) {
    let folder = try TemporaryFolder()
    let worker = try WorkerProcess()
    try worker.open(1, try folder.write("version7.mpc", bytes))
    return (try worker.decodedGeneration(1), worker)
  }

  @Test func musepackVersion7_endsWhereItsHeaderStates() throws {
    var stream = Stream()
    stream.appendBlock(peak: -1)
    stream.appendBlock(peak: 14)
    stream.appendBlock(peak: -1)
    let (decoded, worker) = try decode(stream.file(3, last: 2600 - 2304))
    #expect(decoded.end == Frames(Int64(2600)))
    #expect(worker.info(of: 1)?.durationKind == .exact)
    #expect(worker.info(of: 1)?.duration == SampleRate.cd.time(of: Frames(Int64(2600))))
    let samples = decoded.channel(0)
    let peak = try #require(samples.indices.max { abs(samples[$0]) < abs(samples[$1]) })
    #expect(abs(samples[peak]) > 0)
    // The filters of encoder and decoder each delay by half of 481 frames. A sample of a band is 32 frames.
    #expect(abs(peak - (50 * 32 - 240)) <= 16)
  }

  /// The end of a nearly full last block comes with an additional block, which the header does not count.
  @Test(arguments: [3, 4, 5, 6, 7, 8], [0, 672, 796, 1151]) func nearlyFullLastBlock_isPlayedToItsEnd(
    _ count: Int, _ last: Int
  ) throws {
    var stream = Stream()
    for block in 0..<count { stream.appendBlock(peak: block * 5 % 36) }
    // The same audio with all blocks counted.
    var counted = stream
    counted.appendBlock(peak: 3)
    let reference = try decode(counted.file(count + 1, last: 600)).0
    stream.bits.append(last, 11)
    stream.appendBlock(peak: 3)
    let (decoded, worker) = try decode(stream.file(count, last: last))
    #expect(decoded.end == Frames(Int64((count - 1) * 1152 + (last == 0 ? 1152 : last))))
    #expect(decoded.bytes == Array(reference.bytes.prefix(decoded.bytes.count)))
    #expect(worker.info(of: 1)?.durationKind == .exact)
    #expect(worker.info(of: 1)?.duration == worker.duration(of: 1))
  }
}

extension MusepackTests {
  /// The lengths of all blocks are spread over the file. They are not read before a file on a server is played.
  @Test func blocksOfAFileOnAServer_areNotCounted() throws {
    var stream = Stream()
    for block in 0..<32 { stream.appendBlock(peak: block) }
    // The bits of 32 blocks are whole words, which repeat. The last bits of a block are in the first word of the next
    // one.
    let size = (stream.bits.bits.count - 8) / 8
    let first = stream.file(0, last: 0).dropFirst(24)
    var others = Array(first.prefix(size))
    others[3] = first[first.startIndex + size + 3]
    let repeats = 20_000_000 / size
    let file =
      joined(stream.file(32 * repeats, last: 0).prefix(24), first.prefix(size))
      + [[UInt8]](repeating: others, count: repeats - 1).joined()
    let received = Mutex(0)
    let server = try WebServer(serving: file, onSent: { count in received.withLock { $0 += count } })
    let worker = try WorkerProcess(.stream)
    let fetcher = try WorkerProcess(.fetch, ring: false)
    try worker.open(server.url("version7.mpc"), through: fetcher)
    try worker.wait(for: "the file to be opened", draining: false) { $0.info(of: 1) != nil }
    #expect(worker.info(of: 1)?.durationKind == .estimated)
    #expect(worker.info(of: 1)?.duration == SampleRate.cd.time(of: Frames(Int64(32 * repeats * 1152 - 481))))
    #expect(received.withLock { $0 } < file.count * 2 / 3)
  }
}

private struct BitString {
  var bits: [Bool] = []

  mutating func append(_ value: Int, _ count: Int) {
    bits += (0..<count).reversed().map { value >> $0 & 1 == 1 }
  }

  /// Words of 32 bits, most significant bit first, whose bytes are in reverse order.
  var words: [UInt8] {
    stride(from: 0, to: bits.count, by: 32).flatMap { at in
      let word = (0..<32).reduce(UInt32(0)) { $0 << 1 | (at + $1 < bits.count && bits[at + $1] ? 1 : 0) }
      return withUnsafeBytes(of: word.littleEndian, Array.init)
    }
  }
}
