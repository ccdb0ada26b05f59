import Glibc
import SegueRing
import SegueSystem
import SegueTestKit
import SegueWire
import SegueWorkerProtocol
import Testing

/// Tests of crossfades between tracks.
@Suite struct CrossfadeTests {
  private let folder: TemporaryFolder
  private let worker: WorkerProcess
  private static let rate = 44_100
  private static let fade = MediaTime.seconds(2)
  private static let frames = 2 * rate

  init() throws {
    folder = try TemporaryFolder()
    worker = try WorkerProcess()
  }

  /// The file must be written before a track is opened: a worker waits for the following track only as long as a daemon
  /// takes to send it.
  private func tone(
    _ name: String, _ count: Int, hertz: Double = 997, rate: Int = rate, channels: Int = 2
  ) throws -> FilePath {
    try folder.write(name, SineWave.wave(0..<count, hertz: hertz, rate: rate, channels: channels))
  }

  /// Returns one channel of both tracks as one sequence.
  private func output(_ channel: Int = 0) throws -> [Float] {
    try (worker.decodedGeneration(1)).channel(channel) + (try worker.decodedGeneration(2)).channel(channel)
  }

  private func worst(_ frames: Range<Int>, _ difference: (Int) -> Double) -> Double {
    frames.reduce(0) { max($0, abs(difference($1))) }
  }

  private static let step = 1.5 / 32_768

  /// The output equals the formula at every frame. Therefore no frame is lost at either end.
  @Test func crossfade_playsEveryFrameOfBothTracks() throws {
    let (a, b) = (6 * Self.rate + 7, 5 * Self.rate)
    let (earlier, later) = (try tone("a.wav", a, hertz: 440), try tone("b.wav", b, hertz: 1_733))
    try worker.open(1, earlier, fadeOut: Self.fade)
    try worker.follow(2, later, after: 1, fadeOut: Self.fade, fadeIn: Self.fade)
    let output = try output()
    #expect(output.count == a + b - Self.frames)
    let cut = a - Self.frames
    #expect(
      worker.decodedGenerations[0].parts.map { $0.frames } == [Frames(cut)], "the one ends where the other begins")
    #expect(worker.decodedGenerations[1].parts.map(\.mediaFrame) == [.zero])
    func first(_ frame: Int) -> Double { SineWave.at(frame, hertz: 440, rate: Self.rate) }
    func second(_ frame: Int) -> Double { SineWave.at(frame - cut, hertz: 1_733, rate: Self.rate) }
    #expect(worst(0..<cut) { Double(output[$0]) - first($0) } < Self.step)
    let mixed = worst(cut..<a) { frame in
      let angle = (Double(frame - cut) + 0.5) / Double(Self.frames) * Double.pi / 2
      return Double(output[frame]) - first(frame) * cos(angle) - second(frame) * sin(angle)
    }
    #expect(mixed < 2 * Self.step)
    #expect(worst(a..<output.count) { Double(output[$0]) - second($0) } < Self.step)
    #expect(worker.fade(of: 1)?.into == Generation(2))
    #expect(worker.fade(of: 1)?.from == MediaTime(seconds: Double(cut) / Double(Self.rate)))
    #expect(worker.duration(of: 1) == SampleRate.cd.time(of: Frames(a)), "it is as long as ever")
    #expect(worker.duration(of: 2) == .seconds(5))
    #expect(worker.fade(of: 2) == nil)
  }

  /// Two uncorrelated tracks together are as loud as each of them alone.
  @Test func crossfade_keepsTheLevel() throws {
    func noise(_ name: String, seed: UInt64) throws -> FilePath {
      var state = seed
      var bytes = SineWave.wave(0..<6 * Self.rate)
      for index in stride(from: 44, to: bytes.count - 1, by: 2) {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let sample = Int16(truncatingIfNeeded: state >> 40) / 4
        (bytes[index], bytes[index + 1]) = (UInt8(truncatingIfNeeded: sample), UInt8(truncatingIfNeeded: sample >> 8))
      }
      return try folder.write(name, bytes)
    }
    let (earlier, later) = (try noise("a.wav", seed: 1), try noise("b.wav", seed: 2))
    try worker.open(1, earlier, fadeOut: Self.fade)
    try worker.follow(2, later, after: 1, fadeOut: Self.fade, fadeIn: Self.fade)
    let output = try output()
    let window = Self.rate / 4
    let powers = stride(from: 0, to: output.count - window, by: window).map { start in
      output[start..<start + window].reduce(0) { $0 + Double($1 * $1) } / Double(window)
    }
    let usual = powers[0]
    #expect(powers.count > 30)
    #expect(powers.allSatisfy { abs($0 / usual - 1) < 0.06 }, "\(powers.map { $0 / usual })")
  }

  @Test(arguments: [(48_000, 1), (48_000, 2), (22_050, 1), (96_000, 2)])
  func crossfade_convertsTheNextTrackToTheCurrentFormat(rate: Int, channels: Int) throws {
    let (a, b) = (4 * Self.rate, 4 * rate)
    let next = try tone("b.wav", b, hertz: 1_733, rate: rate, channels: channels)
    try worker.open(1, try tone("a.wav", a, hertz: 440), fadeOut: Self.fade)
    try worker.follow(2, next, after: 1, fadeOut: Self.fade, fadeIn: Self.fade)
    for channel in 0..<2 {
      let output = try output(channel)
      #expect(abs(output.count - (8 * Self.rate - Self.frames)) <= 1)
      let cut = a - Self.frames
      let alone = worst(a + 100..<output.count - 200) { frame in
        Double(output[frame]) - SineWave.at(frame - cut, hertz: 1_733, rate: Self.rate)
      }
      #expect(alone < 1e-3, "as loud, as high, and in its place")
    }
    let format = AudioFormat(sample: .float32, rate: .cd, channels: .stereo)
    #expect(worker.decodedGenerations.flatMap { $0.parts.map(\.format) } == [format, format])
  }

  /// If the format stayed mono, all music after a mono recording of speech would be played in mono.
  @Test func monoOrLowRateTrack_isUpmixedBeforeACrossfade() throws {
    try worker.open(1, try tone("a.wav", 3 * 22_050, rate: 22_050, channels: 1), fadeOut: Self.fade)
    let decoded = try worker.decodedGeneration(1)
    #expect(decoded.parts.map(\.format) == [AudioFormat(sample: .float32, rate: .cd, channels: .stereo)])
    #expect(decoded.parts.first?.frames == Frames(3 * Self.rate))
    let (left, right) = (decoded.channel(0), decoded.channel(1))
    #expect(worst(200..<left.count - 200) { Double(left[$0]) - SineWave.at($0, rate: Self.rate) } < 1e-3)
    #expect(worst(0..<left.count) { Double(left[$0] - right[$0]) } == 0)
  }

  @Test func lastTrack_doesNotFade() throws {
    try worker.open(1, Fixture.path("a.flac"))
    let plain = try worker.decodedGeneration(1)
    try worker.open(2, Fixture.path("a.flac"), fadeOut: Self.fade)
    let decoded = try worker.decodedGeneration(2)
    #expect((decoded.channel(0), decoded.channel(1)) == (plain.channel(0), plain.channel(1)))
    #expect(worker.fade(of: 2) == nil)
  }

  /// Consecutive tracks of an album have such boundaries.
  @Test func boundaryWithoutCrossfade_isGapless() throws {
    try worker.open(1, Fixture.path("a.flac"), fadeOut: Self.fade)
    try worker.follow(2, Fixture.path("b.flac"), after: 1, fadeOut: Self.fade)
    let joined = try output()
    let other = try WorkerProcess()
    try other.open(1, Fixture.path("a.flac"))
    try other.follow(2, Fixture.path("b.flac"), after: 1)
    let isSame = joined == (try other.decodedGeneration(1)).channel(0) + (try other.decodedGeneration(2)).channel(0)
    #expect(isSame)
    #expect(worker.fade(of: 1) == nil)
  }

  @Test func shortTrack_fadesForHalfItsLength() throws {
    let (earlier, later) = (try tone("a.wav", Self.rate, hertz: 440), try tone("b.wav", 5 * Self.rate))
    try worker.open(1, earlier, fadeOut: Self.fade)
    try worker.follow(2, later, after: 1, fadeOut: Self.fade, fadeIn: Self.fade)
    #expect(try output().count == 6 * Self.rate - Self.rate / 2)
    #expect(worker.fade(of: 1)?.from == .milliseconds(500))
  }

  /// The stated length of the second track is wrong. The previous track fades out alone.
  @Test func followerShorterThanTheFade_doesNotTruncateThePreviousTrack() throws {
    let (earlier, later) = (try tone("a.wav", 6 * Self.rate, hertz: 440), try tone("b.wav", Self.rate / 2))
    try worker.open(1, earlier, fadeOut: Self.fade)
    try worker.follow(2, later, after: 1, fadeOut: Self.fade, fadeIn: Self.fade)
    try worker.wait(for: "the second") { $0.info(of: 2) != nil }
    try worker.follow(3, try tone("c.wav", 3 * Self.rate), after: 2, fadeOut: Self.fade)
    let output = try output()
    #expect(output.count == 6 * Self.rate)
    #expect(worst(output.count - 100..<output.count) { Double(output[$0]) } < 0.01)
    #expect(try worker.decodedGeneration(3).channel(0).count == 3 * Self.rate)
  }

  /// The following track is removed from the queue. The rest of the track is decoded again, and none of it is missing.
  @Test func heldBackEnd_canBePlayedWithoutTheFollower() throws {
    let (a, path) = (6 * Self.rate, try tone("a.wav", 6 * Self.rate, hertz: 440))
    let later = try tone("b.wav", 40 * Self.rate)
    try worker.open(1, path, fadeOut: Self.fade)
    try worker.follow(2, later, after: 1, fadeOut: Self.fade, fadeIn: Self.fade)
    try worker.wait(for: "the fade", draining: false) { $0.info(of: 2) != nil }
    let from = try #require(worker.fade(of: 1)).from
    try worker.follow(3, path, after: 1, start: from, fadeOut: Self.fade)
    let rest = try worker.decodedGeneration(3)
    let output =
      try #require(worker.decodedGenerations.first { $0.generation == Generation(1) }).channel(0) + rest.channel(0)
    #expect(output.count == a)
    #expect(worst(0..<a) { Double(output[$0]) - SineWave.at($0, hertz: 440, rate: Self.rate) } < Self.step)
  }

  @Test func brokenFollower_isReportedAfterTheFade() throws {
    try worker.open(1, try tone("a.wav", 6 * Self.rate), fadeOut: Self.fade)
    try worker.follow(
      2, try folder.write("b.wav", Array("no sound".utf8)), after: 1, fadeOut: Self.fade, fadeIn: Self.fade)
    try worker.wait(for: "the failure") { $0.failure(of: 2) != nil }
    #expect(worker.fade(of: 1)?.from == .seconds(4))
    #expect(worker.duration(of: 1) == .seconds(6))
    #expect(worker.decodedGenerations.first?.end != nil)
  }

  /// The audio that was held back is played.
  @Test func damagedTrack_playsUpToTheDamage() throws {
    try worker.open(1, Fixture.path("truncated.flac"))
    let plain = try worker.decodedGeneration(1)
    try worker.open(2, Fixture.path("truncated.flac"), fadeOut: .seconds(15))
    #expect(try worker.decodedGeneration(2).channel(0).count == plain.channel(0).count)
  }
}
