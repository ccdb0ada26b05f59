import Glibc
import SegueRing
import SegueSystem
import SegueTestKit
import SegueWire
import SegueWorkerProtocol
import Testing

/// Tests of the work that determines the length of a file before its first sound: it is limited, and done once.
@Suite struct ExaminationTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Returns the bytes of a chain of Opus streams, of which each one has another serial number than the one before.
  private func chain(ofAtLeast size: Int) throws -> [UInt8] {
    let link = try Fixture.bytes("long.opus")
    let pair = link + OggFile.withSerial(link, 77)
    return [[UInt8]](repeating: pair, count: size / pair.count + 1).flatMap { $0 }
  }

  /// The worker is stopped for a moment, as a disk that is slow would stop it.
  @Test func chainThatCannotBeReadInAMoment_isPlayedWithAnEstimatedLength() throws {
    let bytes = try chain(ofAtLeast: 60 << 20)
    let path = try folder.write("radio.opus", bytes)
    // The file may be examined before it can be stopped.
    for _ in 0..<50 {
      let worker = try WorkerProcess()
      try worker.waitUntilIdle()
      let before = try worker.bytesRead
      try worker.open(1, path)
      // A slow worker reads less than that before it is out of time.
      let deadline = MonotonicTime.now + .seconds(2)
      while try worker.bytesRead - before < 4 << 20, MonotonicTime.now < deadline {}
      kill(worker.pid, SIGSTOP)
      let resumption = MonotonicTime.now + .milliseconds(400)
      try waitUntil("the time is over") { MonotonicTime.now >= resumption }
      kill(worker.pid, SIGCONT)
      try worker.wait(for: "the track to be opened", draining: false) { $0.info(of: 1) != nil }
      let info = try #require(worker.info(of: 1))
      guard info.durationKind == .estimated else { continue }
      let link = try #require(try Fixture.decode("long.opus").worker.duration(of: 1)).seconds
      let whole = link * Double(bytes.count / (try Fixture.bytes("long.opus").count))
      #expect(abs(try #require(info.duration).seconds / whole - 1) < 0.02, "\(info) \(whole)")
      #expect(try worker.bytesRead - before < Int64(bytes.count))
      return
    }
    Issue.record("the length is never estimated")
  }

  /// Positions in a chain are found by decoding it from its beginning, for which it is opened again.
  @Test func chain_isExaminedOnce() throws {
    let bytes = try chain(ofAtLeast: 1_900_000)
    let path = try folder.write("radio.opus", bytes)
    let worker = try WorkerProcess()
    try worker.open(1, path)
    _ = try worker.decodedGeneration(1)
    let end = try #require(worker.duration(of: 1))
    let before = try worker.bytesRead
    try worker.open(2, path, start: end - .seconds(5))
    _ = try worker.decodedGeneration(2)
    #expect(worker.duration(of: 2) == end)
    // Decoding reads the file.
    #expect(try worker.bytesRead - before < 2 * Int64(bytes.count))
  }

  // MARK: Hostile files

  /// Returns a file with a second Vorbis stream whose third packet has `parts` pages, and `count` such pages in total.
  private func vorbis(pages count: Int, parts: Int) throws -> [UInt8] {
    let bytes = try Fixture.bytes("pages.ogg")
    let headers = OggFile.pages(bytes).prefix { $0.granule <= 0 }
    let head = OggFile.withSerial(Array(bytes[headers[0].range]), 77)
    var page = head
    page.replaceSubrange(26..., with: [1, 255] + (0..<255).map { UInt8($0) })
    var second = head
    // The second packet is short.
    var comments = head
    comments.replaceSubrange(26..., with: [1, 7, 3] + Array("vorbis".utf8))
    comments[5] = 0
    comments[18] = 1
    OggFile.setChecksum(&comments, 0..<comments.count)
    second += comments
    for number in 0..<count {
      page.replaceSubrange(18..<22, with: withUnsafeBytes(of: UInt32(number + 2).littleEndian, Array.init))
      page[5] = number % parts == 0 ? 0 : 1
      page[27] = number % parts == parts - 1 ? 254 : 255
      let size = 28 + Int(page[27])
      OggFile.setChecksum(&page, 0..<size)
      second += page[..<size]
    }
    return bytes + second
  }

  /// The test measures CPU time, which does not depend on other processes.
  @Test func packetThatNeverEnds_costsAsMuchAsManyPackets() throws {
    let count = 7000
    let worker = try WorkerProcess(ring: false)
    func cost(_ name: String, _ bytes: [UInt8]) throws -> Double {
      let path = try folder.write(name, bytes)
      let before = try worker.processorTime
      #expect(try worker.scan([path]).count == 1)
      return (try worker.processorTime - before).seconds
    }
    _ = try cost("first.ogg", try Fixture.bytes("pages.ogg"))
    let plain = try cost("plain.ogg", vorbis(pages: count, parts: 2))
    let hostile = try cost("hostile.ogg", vorbis(pages: count, parts: count + 1))
    #expect(hostile < 3 * plain, "\(hostile) \(plain)")
  }

  /// The last bytes of the file look like the headers of 340,000 frames, and the header of one of the files states the
  /// largest possible frame. The test measures CPU time, which does not depend on other processes.
  @Test func bytesThatLookLikeManyFrames_areNotAllExamined() throws {
    var file = FLACFile(FLACFile.Format(), total: 400 * FLACFile.blockSize)
    file.append(FLACFile.Format(), blocks: 40) { index, channel in (index &* 7919 &+ channel &* 31) & 0x7FFF }
    let header = Array(file.bytes[file.frameOffsets[1]..<file.frameOffsets[1] + 8])
    let headers = [[UInt8]](repeating: header, count: 340_000).flatMap { $0 }
    let worker = try WorkerProcess(ring: false)
    func cost(maximumFrameSize: [UInt8]) throws -> Double {
      var bytes = file.bytes
      bytes.replaceSubrange(15..<18, with: maximumFrameSize)
      let path = try folder.write("hostile.flac", bytes + headers)
      let before = try worker.processorTime
      guard case .facts(let facts) = try worker.scan([path])[0] else { throw Unexpected("\(worker.events)") }
      #expect(facts.info.durationKind == .estimated)
      return (try worker.processorTime - before).seconds
    }
    let plain = try cost(maximumFrameSize: [0, 0x10, 0])
    let hostile = try cost(maximumFrameSize: [0xFF, 0xFF, 0xFF])
    #expect(hostile < 10 * plain, "\(hostile) \(plain)")
  }
}
