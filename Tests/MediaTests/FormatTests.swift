import SegueRing
import SegueSystem
import SegueTestKit
import SegueWire
import SegueWorkerProtocol
import Testing

/// Tests of the PCM that is decoded from files of every depth, channel count, rate and container.
@Suite struct FormatTests {
  struct Expected: Sendable, CustomStringConvertible {
    var name: String
    var codec: String
    var container: String
    var sample = SampleFormat.signed16
    var rate: UInt32 = 44_100
    var channels = ChannelLayout.mono
    var bits: Int?
    var frames: Int64
    var description: String { name }
  }

  static let files = [
    Expected(name: "eight.wav", codec: "pcm_u8", container: "wav", bits: 8, frames: 2205),
    Expected(name: "short.aiff", codec: "pcm_s16be", container: "aiff", bits: 16, frames: 2205),
    Expected(
      name: "deep.wav", codec: "pcm_s24le", container: "wav", sample: .signed32, channels: .stereo, bits: 24,
      frames: 2205),
    Expected(
      name: "deep.flac", codec: "flac", container: "flac", sample: .signed32, channels: .stereo, bits: 24, frames: 2205),
    Expected(
      name: "long32.wav", codec: "pcm_s32le", container: "wav", sample: .signed32, channels: .stereo, bits: 32,
      frames: 2205),
    Expected(
      name: "float.wav", codec: "pcm_f32le", container: "wav", sample: .float32, channels: .stereo, bits: 32,
      frames: 2205),
    Expected(
      name: "double.wav", codec: "pcm_f64le", container: "wav", sample: .float32, channels: .stereo, bits: 64,
      frames: 2205),
    Expected(
      name: "surround.flac", codec: "flac", container: "flac", rate: 48_000,
      channels: ChannelLayout(count: 6, mask: 0x3F), bits: 16, frames: 4800),
    Expected(
      name: "fast.flac", codec: "flac", container: "flac", sample: .signed32, rate: 192_000, channels: .stereo,
      bits: 24, frames: 19_200),
    Expected(name: "slow.wav", codec: "pcm_s16le", container: "wav", rate: 8000, bits: 16, frames: 800),
    Expected(name: "lying.wav", codec: "pcm_s16le", container: "wav", rate: 8000, bits: 16, frames: 800),
    Expected(name: "cover.flac", codec: "flac", container: "flac", bits: 16, frames: 2205),
    Expected(name: "cover.mp3", codec: "mp3", container: "mp3", sample: .float32, frames: 2205),
    Expected(name: "cover.m4a", codec: "aac", container: "mp4", sample: .float32, frames: 2205),
    Expected(
      name: "one-bit.dsf", codec: "dsd_lsbf_planar", container: "dsf", sample: .float32, rate: 352_800, bits: 1,
      frames: 32_768
    ),
  ]

  @Test(arguments: files) func decodedPCM_equalsTheSource(_ file: Expected) throws {
    let (decoded, worker) = try Fixture.decode(file.name)
    let part = try #require(decoded.parts.first)
    #expect(decoded.parts.count == 1)
    #expect(
      part.format
        == AudioFormat(sample: file.sample, rate: SampleRate(file.rate), channels: file.channels))
    #expect(decoded.end == Frames(file.frames))
    #expect(part.frames == Frames(file.frames))
    let info = try #require(worker.info(of: 1))
    #expect(info.audio.codec == file.codec)
    #expect(info.audio.container == file.container)
    #expect(info.audio.sampleRate == Int(file.rate))
    #expect(info.audio.channels == Int(file.channels.count))
    #expect(info.audio.bitDepth == file.bits)
    #expect(info.audio.gapless == .exact)
    #expect(info.durationKind == .exact)
    #expect(info.duration == worker.duration(of: 1))
    #expect(info.seekable)
    #expect(part.samples.contains { abs($0) > 0.2 }, "it is not silent")
  }

  @Test func everySampleDepth_keepsItsBits() throws {
    let deep = Array(try Fixture.bytes("deep.wav").dropFirst(44))
    let (wave, _) = try Fixture.decode("deep.wav")
    let (flac, _) = try Fixture.decode("deep.flac")
    // 24 bits are in the upper three of four bytes.
    let widened = stride(from: 0, to: deep.count, by: 3).flatMap { [0] + deep[$0..<$0 + 3] }
    #expect(wave.bytes == widened)
    #expect(flac.bytes == widened)
    let eight = Array(try Fixture.bytes("eight.wav").dropFirst(44))
    let (narrow, _) = try Fixture.decode("eight.wav")
    #expect(narrow.bytes == eight.flatMap { [0, $0 ^ 0x80] })
    let (wide, _) = try Fixture.decode("long32.wav")
    let samples = Array(try Fixture.bytes("long32.wav").dropFirst(44))
    #expect(wide.bytes == samples)
  }

  /// WavPack has a lossless and a hybrid mode, and DTS has a lossless extension. Hybrid WavPack keeps the number of
  /// samples. DTS does not, and no header states its delay.
  @Test(arguments: [
    ("long.wv", true, Audio.Gapless.exact), ("lossy.wv", false, .exact), ("long.dts.mka", false, .approximate),
  ])
  func losslessness_dependsOnTheModeOfTheFile(_ name: String, isLossless: Bool, gapless: Audio.Gapless) throws {
    let (decoded, worker) = try Fixture.decode(name)
    let facts = try Fixture.facts(of: Fixture.path(name))
    for info in [try #require(worker.info(of: 1)), facts.info] {
      #expect(info.audio.lossless == isLossless)
      #expect(info.audio.bitDepth == (isLossless ? 16 : nil))
      #expect(info.audio.gapless == gapless)
      if gapless == .exact {
        #expect(info.durationKind == .exact)
        #expect(info.duration == worker.duration(of: 1))
      }
    }
    if gapless == .exact { #expect(decoded.end == Frames(Int64(176_400))) }
  }

  /// Discs begin with silence. CDs have words of 14 bits, too.
  @Test(arguments: [0, 4096, 200_000]) func dtsInWAV_isDecoded(silence: Int) throws {
    let packed = try Fixture.bytes("long.dts.mka")
    var stream: [UInt8] = []
    for start in packed.indices.dropLast(8) where packed[start..<start + 4].elementsEqual([0x7F, 0xFE, 0x80, 0x01]) {
      let header = packed[start + 4..<start + 8].reduce(0) { $0 << 8 | Int($1) }
      let size = (header >> 4 & 0x3FFF) + 1
      stream += packed[start..<min(start + size, packed.count)]
    }
    let swapped = stride(from: 0, to: stream.count - 1, by: 2).flatMap { [stream[$0 + 1], stream[$0]] }
    func little(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> (8 * $0) & 0xFF) } }
    let samples = [UInt8](repeating: 0, count: silence) + swapped
    let format = little(1, 2) + little(2, 2) + little(44_100, 4) + little(176_400, 4) + little(4, 2) + little(16, 2)
    let chunks = joined("WAVEfmt ".utf8, little(16, 4), format, "data".utf8, little(samples.count, 4), samples)
    let folder = try TemporaryFolder()
    let path = try folder.write("disc.wav", joined("RIFF".utf8, little(chunks.count, 4), chunks))
    let worker = try WorkerProcess()
    try worker.open(1, path)
    let decoded = try worker.decodedGeneration(1)
    let (expected, _) = try Fixture.decode("long.dts.mka")
    #expect(worker.info(of: 1)?.audio.codec == "dts")
    #expect(try Fixture.facts(of: path).info.audio.codec == "dts")
    let count = min(decoded.parts[0].samples.count, expected.parts[0].samples.count)
    #expect(count > 100_000)
    #expect(decoded.parts[0].samples.prefix(count).elementsEqual(expected.parts[0].samples.prefix(count)))
  }

  @Test func nanSamples_becomeSilence() throws {
    let (decoded, _) = try Fixture.decode("nan.wav")
    #expect(Array(decoded.parts[0].samples.prefix(5)) == [0.25, 0, 0, 0, 0.5])
    let isClean = decoded.parts[0].samples.allSatisfy(\.isFinite)
    #expect(isClean)
  }

  /// DSD256 decodes to 1.4 MHz, which is four times the rate of the worker's output.
  @Test func ratesAboveTheMaximum_areResampled() throws {
    var file = try Fixture.bytes("one-bit.dsf")
    file.replaceSubrange(56..<60, with: withUnsafeBytes(of: UInt32(256 * 44_100).littleEndian, Array.init))
    let folder = try TemporaryFolder()
    let path = try folder.write("one-bit-256.dsf", file)
    let worker = try WorkerProcess()
    try worker.open(1, path)
    let decoded = try worker.decodedGeneration(1)
    #expect(decoded.parts.map(\.format.rate) == [SampleRate(352_800)])
    #expect(decoded.end == Frames(Int64(8192)))
    #expect(abs((decoded.parts.first?.frames.count ?? 0) - 8192) <= 1)
    try worker.open(2, path, start: SampleRate(352_800).time(of: Frames(Int64(2000))))
    let rest = try worker.decodedGeneration(2)
    #expect(rest.parts.first?.mediaFrame == Frames(Int64(2000)))
  }

  /// The file has eight notes, one row each. A seek returns the audio at that position, not the beginning of the row.
  @Test func trackerModules_play() throws {
    let (decoded, worker) = try Fixture.decode("scale.mod")
    let info = try #require(worker.info(of: 1))
    #expect(info.audio.container == "module")
    #expect(info.metadata.title == "Scale")
    let part = try #require(decoded.parts.first)
    // The module has 64 rows of three ticks of 20 ms.
    let wanted = part.format.rate.frames(in: .seconds(3.84)).count
    #expect(abs(part.frames.count - wanted) <= part.format.rate.frames(in: .milliseconds(200)).count)
    #expect(part.samples.contains { abs($0) > 0.1 }, "it is not silent")
    let from = Frames(Int64(100_003))
    try worker.open(2, Fixture.path("scale.mod"), start: part.format.rate.time(of: from))
    let rest = try worker.decodedGeneration(2)
    #expect(rest.parts.first?.mediaFrame == from)
    #expect(rest.bytes == Array(decoded.bytes.dropFirst(Int(from.count) * part.format.bytesPerFrame)))
  }

  @Test func audioOfAVideo_plays() throws {
    let (decoded, worker) = try Fixture.decode("video.mp4")
    #expect(worker.info(of: 1)?.audio.codec == "aac")
    #expect((decoded.end ?? .zero).count > 20_000)
  }

  /// The two links of the Ogg file have 44.1 kHz mono and 22.05 kHz stereo.
  @Test(.enabled(if: FFmpegVersion.decodesLinksOfOtherChannels)) func linkOfAnotherFormat_plays() throws {
    let (decoded, worker) = try Fixture.decode("chained.ogg")
    #expect(decoded.parts.map(\.format.rate.hertz) == [44_100])
    #expect(decoded.parts.map(\.format.channels) == [.mono])
    // libavformat does not cut off all padding of the last block.
    #expect((264_600 - 2..<264_600 + 2048).contains(decoded.parts[0].frames.count))
    #expect(abs((decoded.end ?? .zero).count - decoded.parts[0].frames.count) <= 2)
    #expect(worker.info(of: 1)?.durationKind == .estimated)
    #expect(worker.info(of: 1)?.audio.gapless == .approximate)
  }

  @Test(.disabled(if: FFmpegVersion.decodesLinksOfOtherChannels)) func rejectedLink_isReported() throws {
    let (decoded, worker) = try Fixture.decode("chained.ogg")
    #expect(decoded.parts.map(\.frames.count) == [176_400])
    #expect(
      worker.interruption(of: 1)?.message
        == "decoding stopped at 0:04 of 0:06: it uses a feature of its format that FFmpeg does not decode")
  }
}
