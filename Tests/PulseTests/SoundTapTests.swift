import SegueOutput
import SeguePulse
import SegueRing
import SegueSystem
import SegueTestKit
import Testing

/// Tests of the copy of the sound for those who show it.
@Suite(.serialized) final class SoundTapTests: PipeFixture {
  private typealias Sample = (left: Int16, right: Int16)

  private func read(_ tap: SoundTap, _ numbers: Range<Int64>) -> [Sample] {
    var samples: [Sample] = []
    tap.read(numbers) { samples.append(($0, $1)) }
    return samples
  }

  private func expect(_ samples: [Sample], _ expected: [Sample], at location: SourceLocation = #_sourceLocation) {
    #expect(samples.map(\.left) == expected.map(\.left), sourceLocation: location)
    #expect(samples.map(\.right) == expected.map(\.right), sourceLocation: location)
  }

  // MARK: Samples

  private func bytes<Value>(_ values: [Value]) -> [UInt8] { values.withUnsafeBytes(Array.init) }

  private func write(_ pcm: [UInt8], to tap: SoundTap, at frame: Int = 0, _ format: AudioFormat) {
    pcm.withUnsafeBytes { tap.write($0, at: Frames(frame), format) }
  }

  @Test func everyFormatHasTheSameSamples() {
    let values: [Int16] = [0, 1, -1, 32_767, -32_768, 1_000]
    for format in SampleFormat.allCases {
      let pcm =
        switch format {
        case .signed16: bytes(values)
        case .signed32: bytes(values.map { Int32($0) << 16 })
        case .float32: bytes(values.map { Float($0) / 32_768 })
        }
      let tap = SoundTap()
      write(pcm, to: tap, AudioFormat(sample: format, rate: .cd, channels: .stereo))
      expect(read(tap, 0..<3), [(0, 1), (-1, 32_767), (-32_768, 1_000)])
    }
  }

  @Test func valuesBeyondFullScaleAreLimited() {
    let tap = SoundTap()
    write(
      bytes([Float(3), -3, .nan, .infinity]), to: tap, AudioFormat(sample: .float32, rate: .cd, channels: .stereo))
    expect(read(tap, 0..<2), [(32_767, -32_768), (0, 0)])
  }

  @Test func channelsAreMixedByTheirPositions() {
    let surround = AudioFormat(sample: .signed16, rate: .cd, channels: ChannelLayout(count: 6, mask: 0x3F))
    let tap = SoundTap()
    // Front left, front right, centre, low frequencies, back left, back right.
    let frames: [[Int16]] = [[1_000, 0, 0, 0, 100, 0], [0, 1_000, 0, 0, 0, 100], [0, 0, 1_000, 9_000, 0, 0]]
    write(bytes(frames.flatMap { $0 }), to: tap, surround)
    expect(read(tap, 0..<3), [(1_100, 0), (0, 1_100), (707, 707)])
    let mono = AudioFormat(sample: .signed16, rate: .cd, channels: .mono)
    write(bytes([Int16(5), 6]), to: tap, mono)
    expect(read(tap, 0..<2), [(5, 5), (6, 6)])
  }

  @Test func framesOfAHighRateAreAveraged_howeverTheyAreDivided() {
    let format = AudioFormat(sample: .signed16, rate: SampleRate(192_000), channels: .mono)
    #expect(SoundTap.framesPerSample(at: format.rate) == 4)
    let values = (0..<80).map { Int16($0 * 4) }
    let means = (0..<20).map { Int16($0 * 16 + 6) }
    for length in [1, 3, 4, 7, 80] {
      let tap = SoundTap()
      for start in stride(from: 0, to: values.count, by: length) {
        write(bytes(Array(values[start..<min(start + length, values.count)])), to: tap, at: start, format)
      }
      #expect(read(tap, 0..<20).map(\.left) == means, "\(length) frames at a time")
    }
  }

  // MARK: The output

  /// Returns the sample that is audible now, and its number.
  private func audible(_ tap: SoundTap) throws -> (number: Int64, sample: Sample) {
    let clock = fixture.sink.clock
    let frame = try #require(clock.streamFrame(at: .now)?.frame)
    let start = try #require(clock.tapStart)
    try #require(start <= frame)
    return (frame.count, try #require(read(tap, frame.count..<frame.count + 1).first))
  }

  /// Plays numbered frames until some are audible.
  private func playNumbers(of worker: inout StubWorker) throws {
    fixture.sink.send(.play(Generation(1), worker.ring, paused: false))
    worker.play(Generation(1), .cd, Signal.pcm(0..<220_500))
    try #require(fixture.audible(atLeast: 22_050) != nil)
  }

  private func expectAudible(_ tap: SoundTap) throws {
    let (number, sample) = try audible(tap)
    let value = UInt32(UInt16(bitPattern: sample.left)) | UInt32(UInt16(bitPattern: sample.right)) << 16
    #expect(value == UInt32(number) + 1)
  }

  @Test func aTapHasWhatIsAudible() throws {
    let tap = SoundTap()
    fixture.sink.send(.tap(tap))
    var worker = try StubWorker()
    try playNumbers(of: &worker)
    try expectAudible(tap)
    try #require(fixture.audible(atLeast: 44_100) != nil)
    try expectAudible(tap)
  }

  /// With fades, there is a copy of what the server has got.
  @Test func aLaterTapHasWhatIsAudibleAtOnce_ifThereIsACopy() throws {
    fixture.sink.send(.fadeLength(.milliseconds(500)))
    var worker = try StubWorker()
    try playNumbers(of: &worker)
    let tap = SoundTap()
    fixture.sink.send(.tap(tap))
    try waitUntil("the tap is used") { fixture.sink.clock.tapStart != nil }
    let frame = try #require(fixture.sink.clock.streamFrame(at: .now)?.frame)
    #expect(try #require(fixture.sink.clock.tapStart) < frame)
    try expectAudible(tap)
  }

  @Test func aLaterTapHasWhatFollows() throws {
    var worker = try StubWorker()
    try playNumbers(of: &worker)
    let tap = SoundTap()
    fixture.sink.send(.tap(tap))
    try waitUntil("what was written to the tap is audible") {
      let clock = fixture.sink.clock
      return clock.tapStart.map { $0 <= clock.streamFrame(at: .now)?.frame ?? .zero } ?? false
    }
    try expectAudible(tap)
    fixture.sink.send(.tap(nil))
    try waitUntil("the tap is released") { fixture.sink.clock.tapStart == nil }
  }
}
