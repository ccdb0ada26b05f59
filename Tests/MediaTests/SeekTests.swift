import SegueRing
import SegueSystem
import SegueTestKit
import SegueWire
import SegueWorkerProtocol
import Testing

/// The largest difference between samples.
enum MaximumDifference {
  static func of(_ parts: [WorkerProcess.Part], to wanted: ArraySlice<Float>) -> Float {
    let samples = parts.flatMap(\.samples)
    guard samples.count == wanted.count else { return .infinity }
    var largest: Float = 0
    // A plain loop is used because anything generic takes seconds in a debug build.
    samples.withUnsafeBufferPointer { samples in
      wanted.withUnsafeBufferPointer { wanted in
        for index in 0..<samples.count { largest = max(largest, abs(samples[index] - wanted[index])) }
      }
    }
    return largest
  }
}

/// Tests that a seek returns the same samples as decoding from the start.
@Suite struct SeekTests {
  static let exact = ["long.flac", "long.alac.m4a", "long.wv", "lossy.wv", "a.wav", "fragments.m4a"]
  static let lossy = [
    "long.cbr.mp3", "long.vbr.mp3", "long.untagged.mp3", "long.ogg", "long.m4a", "long.aac", "long.opus",
    "long.vorbis.mka", "long.opus.webm", "long.wma", "long.mpc", "video.mp4", "long.dts.mka", "hybrid.m4a",
    "long.adpcm.wav",
  ]
  static let frames: [Int64] = [0, 1, 1151, 4096, 20_001, 60_007, 88_200, 123_456, 160_000]

  @Test(arguments: exact) func losslessFormats_seekBitExactly(_ name: String) throws {
    let (whole, worker) = try Fixture.decode(name)
    let format = try #require(whole.parts.first).format
    for (index, frame) in Self.frames.enumerated() where Frames(frame) < whole.end ?? .zero {
      let generation = UInt32(index + 2)
      try worker.open(generation, Fixture.path(name), start: format.rate.time(of: Frames(frame)))
      let decoded = try worker.decodedGeneration(generation)
      #expect(decoded.parts.first?.mediaFrame == Frames(frame))
      #expect(
        decoded.bytes == Array(whole.bytes[Int(frame) * format.bytesPerFrame..<whole.bytes.count]), "from \(frame)")
      #expect(decoded.end == whole.end)
      #expect(worker.duration(of: generation) == worker.duration(of: 1))
    }
  }

  @Test(arguments: lossy) func lossyFormats_seekToTheExactFrame(_ name: String) throws {
    let (whole, worker) = try Fixture.decode(name)
    let part = try #require(whole.parts.first)
    let samples = part.samples
    for (index, frame) in Self.frames.enumerated() where Frames(frame) < whole.end ?? .zero {
      let generation = UInt32(index + 2)
      try worker.open(generation, Fixture.path(name), start: part.format.rate.time(of: Frames(frame)))
      let decoded = try worker.decodedGeneration(generation)
      #expect(decoded.parts.first?.mediaFrame == Frames(frame))
      #expect(decoded.end == whole.end, "from \(frame)")
      let wanted = samples[Int(frame) * Int(part.format.channels.count)..<samples.count]
      #expect(MaximumDifference.of(decoded.parts, to: wanted) < 0.0005, "from \(frame)")
    }
  }

  /// The files in which an exact position can only be found by decoding from the beginning.
  private static let reopened: Set = ["long.wma", "long.mpc", "long.adpcm.wav"]

  /// The track that is being decoded is not opened again. Its first PCM has no room in the ring, which the test has not
  /// read yet, so that it is certainly being decoded.
  @Test(arguments: exact + lossy) func seekWhileTheTrackIsDecoded_isExact(_ name: String) throws {
    let (whole, worker) = try Fixture.decode(name)
    let part = try #require(whole.parts.first)
    let samples = part.samples
    let (path, folder) = (Fixture.path(name), try TemporaryFolder())
    let filler = try folder.write("filler.wav", WaveFile.large)
    var generation: UInt32 = 1
    for frame: Int64 in [123_456, 60_007, 100_000, 88_200] where Frames(frame) < whole.end ?? .zero {
      generation += 3
      try worker.open(generation - 2, filler)
      _ = try worker.bufferedBytesWhenIdle()
      try worker.open(generation - 1, path, start: part.format.rate.time(of: Frames(frame / 2)))
      try worker.wait(for: "the track to be opened", draining: false) { $0.info(of: generation - 1) != nil }
      try worker.restart(generation, of: generation - 1, path, start: part.format.rate.time(of: Frames(frame)))
      try worker.wait(for: "the response", draining: false) {
        $0.info(of: generation) != nil || $0.needsSource(of: generation)
      }
      let isReopened = worker.needsSource(of: generation)
      // A position near the beginning may be decoded from there.
      if frame >= 88_200 { #expect(isReopened == Self.reopened.contains(name), "from \(frame)") }
      if isReopened { try worker.open(generation, path, start: part.format.rate.time(of: Frames(frame))) }
      let decoded = try worker.decodedGeneration(generation)
      #expect(decoded.parts.first?.mediaFrame == Frames(frame))
      #expect(decoded.end == whole.end, "from \(frame)")
      let wanted = samples[Int(frame) * Int(part.format.channels.count)..<samples.count]
      let largest: Float = Self.exact.contains(name) ? .leastNonzeroMagnitude : 0.0005
      #expect(MaximumDifference.of(decoded.parts, to: wanted) < largest, "from \(frame)")
      #expect(worker.duration(of: generation) == worker.duration(of: 1))
    }
  }

  @Test(arguments: exact + lossy) func startBeyondTheEnd_isTheEnd(_ name: String) throws {
    let (whole, worker) = try Fixture.decode(name)
    try worker.open(2, Fixture.path(name), start: .seconds(5000))
    let decoded = try worker.decodedGeneration(2)
    #expect(decoded.bytes.isEmpty)
    #expect(decoded.end == whole.end)
    #expect(worker.duration(of: 2) == worker.duration(of: 1))
  }

  /// The second half of a track that is a range of a file.
  @Test func seekInARange_isRelativeToTheRange() throws {
    let (whole, worker) = try Fixture.decode("long.flac")
    let format = try #require(whole.parts.first).format
    let time = { (frame: Int64) in format.rate.time(of: Frames(frame)) }
    try worker.open(2, Fixture.path("long.flac"), start: time(30_000), from: time(70_000), to: time(120_001))
    let decoded = try worker.decodedGeneration(2)
    #expect(decoded.parts.first?.mediaFrame == Frames(Int64(30_000)))
    #expect(decoded.end == Frames(Int64(50_001)))
    #expect(decoded.bytes == Array(whole.bytes[100_000 * format.bytesPerFrame..<120_001 * format.bytesPerFrame]))
  }
}
