import SegueLink
import SegueRing
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of tracks that are resampled to a fixed rate.
@Suite struct RateTests {
  private let folder: TemporaryFolder
  private let worker: WorkerProcess

  init() throws {
    folder = try TemporaryFolder()
    worker = try WorkerProcess()
  }

  private func tone(_ name: String, _ frames: Range<Int>, rate: Int = 44_100, channels: Int = 2) throws -> FilePath {
    try folder.write(name, SineWave.wave(frames, rate: rate, channels: channels))
  }

  private func format(_ rate: UInt32, _ channels: ChannelLayout = .stereo) -> AudioFormat {
    AudioFormat(sample: .float32, rate: SampleRate(rate), channels: channels)
  }

  /// Returns whether the samples are identical. `==` in an expectation would compute the difference of half a million
  /// elements.
  private func isSame(_ output: [Float], _ wanted: [Float]) -> Bool { output == wanted }

  @Test(arguments: [(44_100, 48_000), (48_000, 44_100), (44_100, 96_000)])
  func resampledSine_staysASine(from: Int, to: Int) throws {
    try worker.open(1, try tone("tone.wav", 0..<2 * from, rate: from), rate: UInt32(to))
    let decoded = try worker.decodedGeneration(1)
    #expect(decoded.parts.map(\.format) == [format(UInt32(to))])
    #expect(decoded.end == Frames(2 * to))
    #expect(worker.duration(of: 1) == .seconds(2))
    #expect(worker.info(of: 1)?.audio.sampleRate == from, "what is told is the file's")
    for channel in 0..<2 {
      let output = decoded.channel(channel)
      #expect(abs(output.count - 2 * to) <= 1)
      // The sine has a discontinuity at its beginning and at its end.
      let worst = (200..<2 * to - 200).map { abs(Double(output[$0]) - SineWave.at($0, rate: to)) }.max() ?? 1
      #expect(worst < 1e-4, "-80 dB: what 16 bits leave of the tone, and some")
    }
  }

  /// The first frame of the second half is in the middle of the resampler's filter.
  @Test func resampledHalves_joinWithoutAGap() throws {
    let (cut, whole) = (12 * 44_100 + 17, 14 * 44_100)
    try worker.open(1, try tone("whole.wav", 0..<whole), rate: 48_000)
    let one = try worker.decodedGeneration(1).channel(0)
    let (earlier, later) = (try tone("a.wav", 0..<cut), try tone("b.wav", cut..<whole))
    try worker.open(2, earlier, rate: 48_000)
    try worker.follow(3, later, after: 2, rate: 48_000)
    let (a, b) = (try worker.decodedGeneration(2), try worker.decodedGeneration(3))
    #expect(isSame(a.channel(0) + b.channel(0), one))
    #expect(a.parts.count == 1 && b.parts.map(\.format) == [format(48_000)])
    // The mark is at the end of the filter's look-ahead, a third of a millisecond early.
    let end = SampleRate(48_000).frames(in: SampleRate.cd.time(of: Frames(cut)))
    #expect((0..<64).contains(end.count - Int64(a.channel(0).count)))
    #expect(b.parts.first?.mediaFrame == .zero)
  }

  /// A very short track is decoded before the following track is sent.
  @Test func resampledShortTracks_joinALateFollowerWithoutAGap() throws {
    let (cut, whole) = (10_000, 44_100)
    try worker.open(1, try tone("whole.wav", 0..<whole), rate: 48_000)
    let one = try worker.decodedGeneration(1).channel(0)
    try worker.open(2, try tone("a.wav", 0..<cut), rate: 48_000)
    try worker.wait(for: "opened") { $0.info(of: 2) != nil }
    try worker.follow(3, try tone("b.wav", cut..<whole), after: 2, rate: 48_000)
    let (a, b) = (try worker.decodedGeneration(2), try worker.decodedGeneration(3))
    #expect(isSame(a.channel(0) + b.channel(0), one))
  }

  @Test func changeOfTheOutputRate_losesNoFrame() throws {
    let (earlier, later) = (try tone("a.wav", 0..<44_100), try tone("b.wav", 0..<96_000, rate: 96_000))
    try worker.open(1, earlier, rate: 48_000)
    try worker.follow(2, later, after: 1, rate: 48_000)
    let (a, b) = (try worker.decodedGeneration(1), try worker.decodedGeneration(2))
    #expect(a.parts.map(\.format) == b.parts.map(\.format))
    #expect(abs(a.channel(0).count + b.channel(0).count - 96_000) <= 2)
  }

  /// The stream must be reopened for other channels anyway.
  @Test func resampling_keepsTheChannels() throws {
    let (earlier, later) = (try tone("a.wav", 0..<44_100), try tone("b.wav", 0..<44_100, channels: 1))
    try worker.open(1, earlier, rate: 48_000)
    try worker.follow(2, later, after: 1, rate: 48_000)
    let (a, b) = (try worker.decodedGeneration(1), try worker.decodedGeneration(2))
    #expect(b.parts.map(\.format) == [format(48_000, .mono)])
    #expect(abs(a.channel(0).count - 48_000) < 64)
    #expect(abs(b.channel(0).count - 48_000) <= 1)
  }

  @Test(arguments: ["a.flac", "float.wav"])
  func resamplingToTheSameRate_changesNoSample(_ name: String) throws {
    try worker.open(1, Fixture.path(name))
    let plain = try worker.decodedGeneration(1)
    let rate = try #require(plain.parts.first).format.rate
    try worker.open(2, Fixture.path(name), rate: rate.hertz)
    let float = try worker.decodedGeneration(2)
    #expect(isSame(float.channel(0), plain.channel(0)))
    #expect(isSame(float.channel(1), plain.channel(1)))
    #expect(float.end == plain.end)
  }

  /// The position at which a track begins is known at the output rate, as after a seek.
  @Test func startPosition_isCountedAtTheOutputRate() throws {
    try worker.open(1, try tone("a.wav", 0..<4 * 44_100), start: .seconds(3), rate: 48_000)
    let decoded = try worker.decodedGeneration(1)
    #expect(decoded.parts.first?.mediaFrame == Frames(3 * 48_000))
    #expect(decoded.end == Frames(4 * 48_000))
    #expect(abs(decoded.channel(0).count - 48_000) <= 1)
  }
}
