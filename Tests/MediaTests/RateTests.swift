import SegueRing
import SegueSystem
import SegueTestKit
import SegueWire
import SegueWorkerProtocol
import Testing

/// Tests of tracks that are resampled to a fixed rate.
@Suite final class RateTests: ToneFixture {
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

  /// A WAV file whose samples are all `sample`. It is as large as a packet, or larger.
  private func constant(_ name: String, _ sample: UInt8, frames: Int, rate: Int, channels: Int) throws -> FilePath {
    let header = SineWave.wave(0..<frames, rate: rate, channels: channels)[..<44]
    return try folder.write(name, header + [UInt8](repeating: sample, count: frames * channels * 2))
  }

  /// A packet of 4096 bytes of audio at 100 Hz becomes some 50 MB at 192,000 Hz, and twice as much in a buffer.
  @Test(arguments: [1, 8]) func audioOfALowRate_isResampledInParts(_ channels: Int) throws {
    try worker.open(1, try tone("cd.wav", 0..<44_100), rate: 192_000)
    _ = try worker.decodedGeneration(1)
    let before = try worker.peakMemory
    let path = try constant("low.wav", 0x20, frames: 4_096 / channels, rate: 100, channels: channels)
    try worker.open(2, path, rate: 192_000)
    let decoded = try worker.decodedGeneration(2)
    let count = 4_096 / channels * 1_920
    #expect(decoded.end == Frames(count))
    let part = try #require(decoded.parts.first)
    #expect(abs(part.frames.count - Int64(count)) <= 1)
    let samples = part.samples
    let middle = samples[samples.count / 4..<samples.count * 3 / 4]
    #expect((middle.min() ?? 0) > 0.24 && (middle.max() ?? 1) < 0.26)
    #expect(try worker.peakMemory - before < 8 << 20)
  }

  /// The rate of a track is that of its first frame.
  @Test func frameOfALowRateWithinATrack_isResampledInParts() throws {
    let first = FLACFile.Format(rate: 96_000)
    var file = FLACFile(first, total: 12 * FLACFile.blockSize)
    file.append(first, blocks: 4) { _, _ in 0x2000 }
    let before = file.bytes
    file.append(.init(rate: 8_000), blocks: 4) { _, _ in 0x2000 }
    file.append(first, blocks: 4) { _, _ in 0x2000 }
    #expect(file.bytes.starts(with: before))
    try worker.open(1, try folder.write("low.flac", file.bytes))
    let decoded = try worker.decodedGeneration(1)
    let lost = FFmpegVersion.losesFrameAfterChangeOfRate ? 1 : 0
    let count = (8 - lost + 4 * 12) * FLACFile.blockSize
    // The duration of the parts is rounded at their own rates.
    #expect(abs((decoded.end ?? .zero).count - Int64(count)) <= 12)
    #expect(abs(decoded.channel(0).count - count) <= 2)
    #expect(decoded.channel(0).dropFirst(8_192).dropLast(8_192).allSatisfy { abs($0 - 0.25) < 0.01 })
  }

  @Test(arguments: [1, 99, 3_000_000, 2_147_483_647]) func rateThatNoDevicePlays_isTheReasonOfAFailure(_ rate: Int)
    throws
  {
    try worker.open(1, try constant("rate.wav", 0x20, frames: 4_096, rate: rate, channels: 1), rate: 48_000)
    try worker.wait(for: "the failure") { $0.failure(of: 1) != nil }
    let failure = try #require(worker.failure(of: 1))
    #expect(failure.kind == .unplayable)
    #expect(failure.message == "audio with a sample rate of \(rate) Hz is not supported")
    try worker.open(2, Fixture.path("a.flac"), rate: 48_000)
    _ = try worker.decodedGeneration(2)
  }

  @Test(arguments: [0.5, 2]) func audioOfTheLowestRate_isPlayedAtAnySpeed(
    _ speed: Double
  ) throws {
    let path = try constant("slow.wav", 0x20, frames: 4_096, rate: 100, channels: 2)
    try worker.open(1, path, speed: PlaybackSpeed(clamping: speed))
    #expect(try worker.decodedGeneration(1).end == Frames(4_096))
  }
}
