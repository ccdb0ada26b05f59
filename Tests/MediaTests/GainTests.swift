import Glibc
import SegueRing
import SegueSystem
import SegueTestKit
import SegueWire
import SegueWorkerProtocol
import Testing

/// Tests of the gain that the worker applies.
@Suite struct GainTests {
  /// Gains in dB that halve and quarter the samples.
  private static let half = -6.020599913279624
  private static let quarter = -12.041199826559248

  private let worker: WorkerProcess

  init() throws { worker = try WorkerProcess() }

  private func level(_ gain: Double?, peak: Double? = nil, preventsClipping: Bool = true) -> GainParameters {
    GainParameters(
      .track, preventsClipping: preventsClipping, measured: ReplayGain(trackGain: gain, trackPeak: peak))
  }

  private func samples<Sample>(_ bytes: [UInt8], as type: Sample.Type) -> [Sample] {
    bytes.withUnsafeBytes { Array($0.bindMemory(to: type)) }
  }

  @Test(arguments: ["a.flac", "a.wav", "float.wav", "long32.wav", "a.mp3"])
  func withoutGain_noBitChanges(_ name: String) throws {
    try worker.open(1, Fixture.path(name))
    try worker.follow(2, Fixture.path(name), after: 1, level: level(nil))
    let changed = try worker.decodedGeneration(2)
    #expect(changed.bytes == worker.decodedGenerations[0].bytes)
    #expect(worker.info(of: 2)?.gain == nil)
  }

  /// Dither spreads the samples by less than one step, and rounding by half a step. The average is unchanged.
  @Test func samplesOf16Bits_areDithered() throws {
    try worker.open(1, Fixture.path("a.wav"), level: level(Self.half))
    let output = samples(try worker.decodedGeneration(1).bytes, as: Int16.self)
    let before = samples(try Fixture.samples(ofWave: "a.wav"), as: Int16.self)
    try #require(output.count == before.count)
    let errors = zip(output, before).map { Double($0) - Double($1) / 2 }
    #expect(errors.allSatisfy { abs($0) <= 1.5 })
    #expect(abs(errors.reduce(0, +) / Double(errors.count)) < 0.02)
    // Without dither, the error of an odd sample would always be half a step, and that of an even sample zero.
    let even = zip(output, before).filter { $1 % 2 == 0 && $1 != 0 }
    #expect(even.contains { $0 != $1 / 2 })
    #expect(zip(output, before).allSatisfy { $1 != 0 || $0 == 0 }, "silence stays silence")
    #expect(abs((worker.info(of: 1)?.gain?.decibels ?? 0) - Self.half) < 1e-9)
  }

  @Test func samplesOf32Bits_areNotDithered() throws {
    try worker.open(1, Fixture.path("long32.wav"))
    try worker.follow(2, Fixture.path("long32.wav"), after: 1, level: level(Self.half))
    let wide = samples(try worker.decodedGeneration(2).bytes, as: Int32.self)
    #expect(
      zip(wide, samples(worker.decodedGenerations[0].bytes, as: Int32.self)).allSatisfy {
        abs(Int($0) * 2 - Int($1)) <= 2
      })
    try worker.open(3, Fixture.path("float.wav"))
    try worker.follow(4, Fixture.path("float.wav"), after: 3, level: level(Self.half))
    let float = samples(try worker.decodedGeneration(4).bytes, as: Float.self)
    let plain = samples(worker.decodedGenerations[2].bytes, as: Float.self)
    #expect(!float.isEmpty)
    #expect(zip(float, plain).allSatisfy { abs($0 * 2 - $1) <= abs($1) * 1e-6 })
  }

  /// Each track has its own gain from its first frame on.
  @Test func consecutiveTracks_haveTheirOwnGains() throws {
    try worker.open(1, Fixture.path("a.flac"), level: level(Self.half))
    try worker.follow(2, Fixture.path("b.flac"), after: 1, level: level(Self.quarter))
    _ = try worker.decodedGeneration(2)
    for (decoded, (name, divisor)) in zip(worker.decodedGenerations, [("a.wav", 2.0), ("b.wav", 4.0)]) {
      let before = samples(try Fixture.samples(ofWave: name), as: Int16.self)
      let output = samples(decoded.bytes, as: Int16.self)
      #expect(output.count == before.count)
      #expect(zip(output, before).allSatisfy { abs(Double($0) - Double($1) / divisor) <= 1.5 })
    }
    #expect(worker.decodedGenerations[0].end == Frames(worker.decodedGenerations[0].bytes.count / 4))
  }

  @Test func gain_doesNotExceedFullScale() throws {
    let path = Fixture.path("a.wav")
    let peak = samples(try Fixture.samples(ofWave: "a.wav"), as: Int16.self).reduce(0) { max($0, abs(Int($1))) }
    try worker.open(1, path, level: level(40, peak: Double(peak) / 32_768))
    let lifted = samples(try worker.decodedGeneration(1).bytes, as: Int16.self).reduce(0) { max($0, abs(Int($1))) }
    #expect((32_765...32_768).contains(lifted), "as far as it goes")
    try worker.open(2, path, level: level(40))
    _ = try worker.decodedGeneration(2)
    #expect(worker.info(of: 2)?.gain == AppliedGain(40, limit: .limiter), "nobody knows how loud it becomes")
    try worker.open(3, path, level: level(-3, peak: 2))
    _ = try worker.decodedGeneration(3)
    #expect(abs((worker.info(of: 3)?.gain?.decibels ?? 0) - Self.half) < 0.01)
    try worker.open(4, path, level: level(40, preventsClipping: false))
    let cut = samples(try worker.decodedGeneration(4).bytes, as: Int16.self)
    #expect(worker.info(of: 4)?.gain == AppliedGain(40))
    #expect(cut.filter { $0 == .max || $0 == .min }.count > cut.count / 2, "cut off, not wrapped round")
  }

  /// Three parts of a tone: a quiet one, one at full scale, and a quiet one that is longer than the recovery.
  private func wave(_ bytes: Int) -> (frames: Int, file: [UInt8]) {
    let rate = 44_100
    let frames = 5 * rate
    var pcm: [UInt8] = []
    for frame in 0..<frames {
      let level = (rate..<(2 * rate)).contains(frame) ? 1.0 : 0.1
      let value = level * sin(2 * .pi * 441 * Double(frame) / Double(rate))
      for channel in [1, 0.5] {
        if bytes == 2 {
          withUnsafeBytes(of: Int16(value * channel * 32_767)) { pcm += Array($0) }
        } else {
          withUnsafeBytes(of: Int32(value * channel * 2_147_483_647)) { pcm += Array($0) }
        }
      }
    }
    func little(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let format = little(1, 2) + little(2, 2) + little(rate, 4) + little(rate * 2 * bytes, 4) + little(2 * bytes, 2)
    let header = joined(
      "RIFF".utf8, little(36 + pcm.count, 4), "WAVEfmt ".utf8, little(16, 4), format, little(8 * bytes, 2),
      "data".utf8, little(pcm.count, 4))
    return (frames, header + pcm)
  }

  @Test(arguments: [2, 4]) func theLimiter_changesNothingFarFromAPeak(bytes: Int) throws {
    let folder = try TemporaryFolder()
    let (frames, file) = wave(bytes)
    let path = try folder.write("tone.wav", file)
    try worker.open(1, path, level: level(12, preventsClipping: false))
    let plain = try worker.decodedGeneration(1).bytes
    try worker.open(2, path, level: level(12))
    let limited = try worker.decodedGeneration(2).bytes
    #expect(worker.info(of: 2)?.gain == AppliedGain(12, limit: .limiter))
    let quiet = 43_000 * 2 * bytes
    #expect(limited.count == frames * 2 * bytes && plain.count == limited.count)
    #expect(limited[..<quiet].elementsEqual(plain[..<quiet]))
    #expect(limited[(4 * 44_100 * 2 * bytes)...].elementsEqual(plain[(4 * 44_100 * 2 * bytes)...]))
    // The loud part reaches full scale once in each half of a period, and the channels keep their relation.
    let largest = bytes == 2 ? Double(Int16.max) : Double(Int32.max)
    let values: [Double] =
      bytes == 2 ? samples(limited, as: Int16.self).map(Double.init) : samples(limited, as: Int32.self).map(Double.init)
    let loud = values[(2 * 50_000)..<(2 * 80_000)]
    #expect(loud.allSatisfy { abs($0) <= largest + 1 })
    #expect(loud.contains { abs($0) > 0.99 * largest })
    // More than half of the samples of a clipped tone are at full scale.
    #expect(loud.count { abs($0) > 0.9999 * largest } < loud.count / 10)
    let pairs = stride(from: loud.startIndex, to: loud.endIndex, by: 2).map { abs(loud[$0] - 2 * loud[$0 + 1]) }
    // Dither and rounding change a sample by less than two steps.
    #expect(pairs.allSatisfy { $0 <= 6 + largest * 1e-7 })
  }

  @Test func gainValues_arePreferredInOrder() throws {
    let measured = ReplayGain(trackGain: -1, trackPeak: 0.5, albumGain: -2)
    var next: UInt32 = 0
    func gain(_ name: String, _ order: GainParameters) throws -> Double? {
      next += 1
      try worker.open(next, Fixture.tagged(name), level: order)
      try worker.wait(for: "the start") { $0.info(of: next) != nil }
      return worker.info(of: next)?.gain?.decibels
    }
    // The file states −3.5 dB with peak 0.75, and 2.25 dB with peak 0.5.
    #expect(try gain("rva2.mp3", GainParameters(.track, preamp: 1, measured: measured)) == -2.5)
    #expect(try gain("rva2.mp3", GainParameters(.album, preamp: 1, measured: measured)) == 3.25)
    #expect(try gain("rva2.mp3", GainParameters(nil, preamp: 1, measured: measured)) == nil)
    #expect(try gain("gbk.mp3", GainParameters(.track, fallback: -9)) == -9)
    #expect(try gain("gbk.mp3", GainParameters(.track, preamp: -1, fallback: -9, measured: measured)) == -2)
    #expect(try gain("gbk.mp3", GainParameters(.album, measured: measured)) == -2)
    #expect(try gain("gbk.mp3", GainParameters(.album, measured: ReplayGain(trackGain: -4))) == -4, "better than none")
  }
}
