import SegueRing
import SegueSystem
import SegueTestKit
import SegueWire
import SegueWorkerProtocol
import Testing

/// Tests of MP4 files whose packets are in fragments, or whose tables state the times of the packets in an unusual way.
@Suite struct MovieTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func decode(
    _ name: String, _ bytes: [UInt8]
  ) throws -> (decoded: WorkerProcess.DecodedGeneration, worker: WorkerProcess) {
    let worker = try WorkerProcess()
    try worker.open(1, try folder.write(name, bytes))
    return (try worker.decodedGeneration(1), worker)
  }

  @Test func packetsInTheHeaderAndInFragments_areAllHeard() throws {
    let (decoded, worker) = try decode("hybrid.alac.m4a", try Fixture.bytes("hybrid.alac.m4a"))
    let samples = try Fixture.samples(ofWave: "a.wav")
    #expect(decoded.bytes == samples)
    #expect(worker.info(of: 1)?.durationKind == .exact)
    #expect(worker.info(of: 1)?.duration == SampleRate.cd.time(of: Frames(Int64(Signal.cut))))
    #expect(worker.interruption(of: 1) == nil)
  }

  /// The edit list has an entry that covers the fragments, too.
  @Test func editListOfAFragmentedFile_cutsOffOnlyTheDelay() throws {
    let (hybrid, _) = try decode("hybrid.m4a", try Fixture.bytes("hybrid.m4a"))
    let (plain, _) = try Fixture.decode("long.m4a")
    #expect(hybrid.end == Frames(Int64(176_400)))
    #expect(hybrid.bytes == plain.bytes)
  }

  @Test func truncatedFragment_isReportedAndTheRestIsHeard() throws {
    let bytes = try Fixture.bytes("fragments.m4a")
    let (whole, _) = try decode("fragments.m4a", bytes)
    let (part, worker) = try decode("part.m4a", Array(bytes[..<(bytes.count * 2 / 3)]))
    #expect(part.bytes == Array(whole.bytes[..<part.bytes.count]))
    #expect(worker.info(of: 1)?.durationKind == .estimated)
    let stated = try #require(worker.info(of: 1)?.duration).seconds
    let length = try #require(worker.duration(of: 1)).seconds
    #expect(abs(stated - length) < 0.2)
    #expect(worker.interruption(of: 1)?.kind == .decodingStopped)
  }

  /// Returns the bytes of "long.m4a" after `change` of its boxes `mdhd` and `stts`, which begin at the positions.
  private func changed(_ change: (_ bytes: inout [UInt8], _ header: Int, _ times: Int) -> Void) throws -> [UInt8] {
    var bytes = try Fixture.bytes("long.m4a")
    func position(of type: String) throws -> Int {
      let wanted = Array(type.utf8)
      return try #require(bytes.indices.dropLast(4).first { bytes[$0..<$0 + 4].elementsEqual(wanted) }) + 4
    }
    let (header, times) = (try position(of: "mdhd"), try position(of: "stts"))
    change(&bytes, header, times)
    return bytes
  }

  /// A duration of all ones is unknown.
  @Test(arguments: [UInt8(0xFF), 0]) func headerWithoutADuration_leavesItToTheTables(_ value: UInt8) throws {
    let bytes = try changed { bytes, header, _ in
      for at in header + 16..<header + 20 { bytes[at] = value }
    }
    let (decoded, worker) = try decode("unknown.m4a", bytes)
    let (plain, _) = try Fixture.decode("long.m4a")
    #expect(decoded.bytes == plain.bytes)
    #expect(worker.info(of: 1)?.duration == worker.duration(of: 1))
    #expect(worker.info(of: 1)?.durationKind == .exact)
  }

  @Test(arguments: [2, 10]) func headerThatStatesTooLittle_cutsNothingOff(_ divisor: UInt32) throws {
    let bytes = try changed { bytes, header, _ in
      let duration = bytes[header + 16..<header + 20].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      bytes.replaceSubrange(
        header + 16..<header + 20, with: withUnsafeBytes(of: (duration / divisor).bigEndian, Array.init))
    }
    let (decoded, worker) = try decode("short.m4a", bytes)
    let (plain, _) = try Fixture.decode("long.m4a")
    #expect(decoded.bytes == plain.bytes)
    #expect(worker.info(of: 1)?.durationKind == .estimated)
  }

  /// The packets of 1,024 frames have a duration of 1,000 frames, as recorders write that measure the time of arrival.
  @Test func durationsThatDoNotCountFrames_areNotExactAndDoNotMoveSeeks() throws {
    let count: UInt64 = 173
    let bytes = try changed { bytes, header, times in
      bytes[times + 14] = 3
      bytes[times + 15] = 0xE8
      let total = withUnsafeBytes(of: UInt32(count * 1_000).bigEndian, Array.init)
      bytes.replaceSubrange(header + 16..<header + 20, with: total)
    }
    let (whole, worker) = try decode("drift.m4a", bytes)
    #expect(worker.info(of: 1)?.durationKind == .estimated)
    let part = try #require(whole.parts.first)
    for frame: Int64 in [60_007, 100_000, 140_000] {
      let generation = UInt32(frame)
      try worker.open(generation, folder.path.appending("drift.m4a"), start: part.format.rate.time(of: Frames(frame)))
      let decoded = try worker.decodedGeneration(generation)
      #expect(decoded.parts.first?.mediaFrame == Frames(frame))
      #expect(decoded.end == whole.end)
      let wanted = part.samples[Int(frame)...]
      #expect(MaximumDifference.of(decoded.parts, to: wanted) < 0.0005, "from \(frame)")
    }
  }

  /// Telephones write several frames of AMR into each packet.
  @Test func allFramesOfAPacket_areHeard() throws {
    let (packed, worker) = try Fixture.decode("packed.3gp")
    let (plain, _) = try Fixture.decode("speech.3gp")
    let isEqual = packed.bytes == Array(plain.bytes.prefix(packed.bytes.count))
    #expect(isEqual)
    #expect(packed.end == Frames(Int64(16_000)))
    #expect(worker.interruption(of: 1) == nil)
  }
}
