import SegueRing
import SegueSystem
import SegueTestKit
import SegueWire
import SegueWorkerProtocol
import Testing

/// Tests of two halves of a signal that are played one after the other. No frame may be added or lost at their
/// boundary.
@Suite struct GaplessTests {
  @Test(arguments: ["wav", "flac", "alac.m4a", "wv"])
  func losslessHalves_equalTheWhole(_ format: String) throws {
    let worker = try WorkerProcess()
    try worker.open(1, Fixture.path("a." + format))
    try worker.follow(2, Fixture.path("b." + format), after: 1)
    let (a, b) = (try worker.decodedGeneration(1), try worker.decodedGeneration(2))
    let original = try Fixture.samples(ofWave: "a.wav") + Fixture.samples(ofWave: "b.wav")
    #expect(a.bytes + b.bytes == original)
    #expect(a.parts.map(\.format) == b.parts.map(\.format))
    #expect(a.end == Frames(Signal.cut))
    #expect(b.end == Frames(Signal.whole - Signal.cut))
    #expect(worker.decodedGenerations.map(\.generation) == [Generation(1), Generation(2)])
    #expect(worker.info(of: 2)?.audio.gapless == .exact)
    #expect(worker.info(of: 2)?.audio.lossless == true)
    #expect(worker.info(of: 1)?.durationKind == .exact)
    #expect(worker.info(of: 1)?.duration == worker.duration(of: 1))
  }

  @Test(arguments: ["mp3", "ogg", "opus", "m4a", "itunes.m4a", "itunes.mp3"])
  func lossyHalves_meetWithoutExtraFrames(_ format: String) throws {
    let worker = try WorkerProcess()
    try worker.open(1, Fixture.path("a." + format))
    try worker.follow(2, Fixture.path("b." + format), after: 1)
    let (a, b) = (try worker.decodedGeneration(1), try worker.decodedGeneration(2))
    #expect(a.end == Frames(Signal.cut))
    #expect(b.end == Frames(Signal.whole - Signal.cut))
    #expect(worker.info(of: 1)?.audio.gapless == .exact)
    #expect(worker.info(of: 1)?.durationKind == .exact)
    #expect(worker.info(of: 1)?.duration == worker.duration(of: 1))
    let joined = a.parts.flatMap(\.samples) + b.parts.flatMap(\.samples)
    try #require(joined.count == 2 * Signal.whole)
    let rate = format == "opus" ? 48_000.0 : 44_100.0
    // The positions are in each half and across the boundary.
    for start in [Signal.cut / 2, Signal.cut - 300, Signal.cut + 5000] {
      let alignment = Alignment(joined[2 * start..<2 * (start + 600)], from: start, rate: rate)
      #expect(alignment.lag == 0, "at frame \(start)")
      #expect(alignment.error < 0.02, "at frame \(start)")
    }
  }

  /// The following track is sent long after the first one was decoded.
  @Test func lateFollower_isGapless() throws {
    let worker = try WorkerProcess()
    try worker.open(1, Fixture.path("a.flac"))
    let a = try worker.decodedGeneration(1)
    try worker.follow(2, Fixture.path("b.flac"), after: 1)
    let b = try worker.decodedGeneration(2)
    #expect(try a.bytes + b.bytes == Fixture.samples(ofWave: "a.wav") + Fixture.samples(ofWave: "b.wav"))
  }

  /// Consecutive tracks of a cue sheet are ranges of one file.
  @Test(arguments: ["long.flac", "long.cbr.mp3", "long.ogg", "long.m4a", "long.wv"])
  func consecutiveRanges_equalTheWhole(_ name: String) throws {
    let (whole, worker) = try Fixture.decode(name)
    let rate = try #require(whole.parts.first).format.rate
    let cuts = [0, 20_011, 60_003].map { rate.time(of: Frames(Int64($0))) }
    try worker.open(2, Fixture.path(name), to: cuts[1])
    try worker.follow(3, Fixture.path(name), after: 2, from: cuts[1], to: cuts[2])
    let (first, second) = (try worker.decodedGeneration(2), try worker.decodedGeneration(3))
    try worker.follow(4, Fixture.path(name), after: 3, from: cuts[2])
    let third = try worker.decodedGeneration(4)
    #expect(first.end == Frames(Int64(20_011)))
    #expect(second.end == Frames(Int64(60_003 - 20_011)))
    #expect(second.parts.first?.mediaFrame == .zero)
    #expect(worker.info(of: 3)?.duration == rate.time(of: Frames(Int64(60_003))) - cuts[1])
    #expect((first.bytes + second.bytes + third.bytes).count == whole.bytes.count)
    #expect(MaximumDifference.of(first.parts + second.parts + third.parts, to: whole.parts[0].samples[...]) < 0.001)
  }
}
