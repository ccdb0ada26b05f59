import SegueRing
import SegueSystem
import SegueTestKit
import SegueWire
import SegueWorkerProtocol
import Testing

/// Tests of tracks that are played faster or slower, with the pitch kept.
@Suite final class SpeedTests: ToneFixture {
  private func speed(_ factor: Double) throws -> PlaybackSpeed { try #require(PlaybackSpeed(factor: factor)) }

  /// The number of periods in `samples`, without the 200 ms at either end.
  private func frequency(of samples: [Float], rate: Int) -> Double {
    let middle = samples.dropFirst(rate / 5).dropLast(rate / 5)
    let crossings = zip(middle, middle.dropFirst()).count { $0 < 0 && $1 >= 0 }
    return Double(crossings) * Double(rate) / Double(middle.count)
  }

  /// The number of frames to which `count` frames are stretched.
  private func stretched(_ count: Int, _ speed: PlaybackSpeed) -> Int {
    Int((Double(count) / speed.factor).rounded())
  }

  @Test(
    arguments: [
      (0.5, 44_100, 2), (0.75, 48_000, 1), (1.01, 44_100, 2), (1.5, 44_100, 2), (2, 96_000, 6), (3, 192_000, 2),
    ])
  func stretchedSine_hasTheLengthOfTheSpeed_andItsPitch(factor: Double, rate: Int, channels: Int) throws {
    let speed = try speed(factor)
    let count = 3 * rate + 17
    try worker.open(1, try tone("tone.wav", 0..<count, rate: rate, channels: channels), speed: speed)
    let decoded = try worker.decodedGeneration(1)
    #expect(decoded.parts.map(\.speed) == [speed])
    #expect(decoded.parts.map(\.mediaFrame) == [.zero])
    #expect(decoded.end == Frames(count))
    #expect(worker.duration(of: 1) == SampleRate(UInt32(rate)).time(of: Frames(count)))
    for channel in 0..<channels {
      let output = decoded.channel(channel)
      #expect(output.count == stretched(count, speed))
      #expect(abs(frequency(of: output, rate: rate) - 997) < 4)
      #expect(output.dropFirst(rate / 5).dropLast(rate / 5).map(abs).max() ?? 1 < 0.52)
    }
  }

  /// SoundTouch supports no higher rate than 192 kHz.
  @Test(arguments: [(352_800, 176_400), (384_000, 192_000), (200_000, 192_000)])
  func tracksOfHigherRates_areStretchedAtALowerOne(rate: Int, played: Int) throws {
    try worker.open(1, try tone("tone.wav", 0..<rate, rate: rate), speed: try speed(2))
    let decoded = try worker.decodedGeneration(1)
    #expect(decoded.parts.map(\.format.rate) == [SampleRate(UInt32(played))])
    #expect(abs(decoded.channel(0).count - played / 2) < 4)
    #expect(abs(frequency(of: decoded.channel(0), rate: played) - 997) < 12)
    #expect(worker.duration(of: 1) == .seconds(1))
  }

  /// The latency of the stretcher is compensated. A sequence of the stretcher is played at the original speed, so that
  /// a sound is heard a part of a sequence too early or too late.
  @Test(arguments: [0.5, 0.8, 1.5, 2, 3])
  func stretchedSounds_areAtTheTimesOfTheSpeed(factor: Double) throws {
    let speed = try speed(factor)
    // Half a second of sound after every second of silence.
    var wave = SineWave.wave(0..<12 * 44_100)
    for frame in 0..<12 * 44_100 where frame % 66_150 < 44_100 {
      for byte in 44 + 4 * frame..<48 + 4 * frame { wave[byte] = 0 }
    }
    try worker.open(1, try folder.write("bursts.wav", wave), speed: speed)
    let output = try worker.decodedGeneration(1).channel(0)
    // The first loud frame after at least 300 ms of silence in the track.
    var starts: [Int] = []
    var silent = 0
    for (frame, sample) in output.enumerated() {
      if abs(sample) < 0.1 {
        silent += 1
      } else {
        if Double(silent) * factor > 0.3 * 44_100 { starts.append(frame) }
        silent = 0
      }
    }
    let times = starts.map { Double($0) * factor / 44_100 }
    try #require(times.count == 8)
    for (number, time) in times.enumerated() {
      #expect(abs(time - (Double(number) * 1.5 + 1)) < 0.08, "the sound \(number) is at \(time) s")
    }
  }

  /// The frame at which the halves meet is in the middle of a sequence of the stretcher.
  @Test(arguments: [0.5, 1.5, 3])
  func stretchedHalves_equalTheStretchedWhole(factor: Double) throws {
    let speed = try speed(factor)
    let (cut, whole) = (12 * 44_100 + 17, 14 * 44_100)
    try worker.open(1, try tone("whole.wav", 0..<whole), speed: speed)
    let one = try worker.decodedGeneration(1).channel(0)
    try worker.open(2, try tone("a.wav", 0..<cut), speed: speed)
    try worker.follow(3, try tone("b.wav", cut..<whole), after: 2, speed: speed)
    let (a, b) = (try worker.decodedGeneration(2), try worker.decodedGeneration(3))
    let (first, second) = (a.channel(0), b.channel(0))
    let isSame = first + second == one
    #expect(isSame)
    #expect(abs(first.count - stretched(cut, speed)) <= 1)
    #expect(b.parts.map(\.mediaFrame) == [.zero] && b.parts.map(\.speed) == [speed])
  }

  /// Tracks that are shorter than the latency of the stretcher end while a later one is decoded. The daemon expects the
  /// end of each before the next one is opened.
  @Test func stretchedShortTracks_endInTheirOrder() throws {
    let speed = try speed(0.5)
    try worker.open(1, try tone("1.wav", 0..<1_000), speed: speed)
    for number in 2...6 {
      try worker.wait(for: "opened") { $0.info(of: UInt32(number - 1)) != nil }
      let frames = (number - 1) * 1_000..<number * 1_000
      try worker.follow(
        UInt32(number), try tone("\(number).wav", frames), after: UInt32(number - 1), speed: speed)
    }
    let decoded = try (1...6).map { try worker.decodedGeneration($0) }
    #expect(decoded.map { $0.channel(0).count } == Array(repeating: 2_000, count: 6))
    let order = worker.events.compactMap { event -> String? in
      switch event {
      case .decoding(let generation, .opened): "opened \(generation.number)"
      case .decoding(let generation, .ended): "ended \(generation.number)"
      default: nil
      }
    }
    #expect(order == (1...6).flatMap { ["opened \($0)", "ended \($0)"] })
  }

  /// If the following file crashes the worker, the daemon attributes that to the first track that is not decoded. The
  /// crossfade with that file is known by then, too.
  @Test(arguments: [MediaTime.zero, .seconds(1)])
  func stretchedTrack_isReportedAsDecodedBeforeTheFollowingOneIsOpened(fade: MediaTime) throws {
    let speed = try speed(1.5)
    try worker.open(1, try tone("a.wav", 0..<100_000), fadeOut: fade, speed: speed)
    try worker.follow(2, try tone("b.wav", 0..<100_000), after: 1, fadeOut: fade, fadeIn: fade, speed: speed)
    _ = try worker.decodedGeneration(2)
    let order = worker.events.compactMap { event -> String? in
      switch event {
      case .decoding(let generation, .opened): "opened \(generation.number)"
      case .decoding(let generation, .faded): "faded \(generation.number)"
      case .decoding(let generation, .decoded): "decoded \(generation.number)"
      case .decoding(let generation, .ended): "ended \(generation.number)"
      default: nil
      }
    }
    let end = fade == .zero ? [] : ["faded 1"]
    #expect(order == ["opened 1"] + end + ["decoded 1", "ended 1", "opened 2", "ended 2"])
  }

  @Test(arguments: [(1.5, 1), (1, 1.5), (1.5, 2)])
  func changeOfTheSpeedAtABoundary_losesNoFrame(first: Double, second: Double) throws {
    let speeds = (try speed(first), try speed(second))
    try worker.open(1, try tone("a.wav", 0..<100_000), speed: speeds.0)
    try worker.follow(2, try tone("b.wav", 0..<100_000), after: 1, speed: speeds.1)
    let (a, b) = (try worker.decodedGeneration(1), try worker.decodedGeneration(2))
    #expect(a.channel(0).count == stretched(100_000, speeds.0))
    #expect(b.channel(0).count == stretched(100_000, speeds.1))
    #expect(a.parts.map(\.speed) == [speeds.0] && b.parts.map(\.speed) == [speeds.1])
    if speeds.1 == .normal { #expect(b.parts.map(\.format.sample) == [.signed16]) }
  }

  /// The end of the first track is in the stretcher while the second one is decoded, which another one replaces.
  @Test func replacedFollower_leavesTheEndOfTheTrackBeforeIt() throws {
    let speed = try speed(1.5)
    let (cut, whole) = (100_000, 1_100_000)
    try worker.open(1, try tone("a.wav", 0..<cut), speed: speed)
    try worker.follow(2, try tone("b.wav", cut..<whole), after: 1, speed: speed)
    _ = try worker.bufferedBytesWhenIdle()
    try worker.follow(3, try tone("c.wav", 0..<50_000), after: 1, speed: .normal)
    let (a, c) = (try worker.decodedGeneration(1), try worker.decodedGeneration(3))
    #expect(a.channel(0).count == stretched(cut, speed))
    #expect(c.channel(0).count == 50_000)
  }

  @Test func failedFollower_leavesTheEndOfTheTrackBeforeIt() throws {
    let speed = try speed(2)
    try worker.open(1, try tone("a.wav", 0..<100_000), speed: speed)
    try worker.follow(2, try folder.write("b.wav", Array("nonsense".utf8)), after: 1, speed: speed)
    let a = try worker.decodedGeneration(1)
    #expect(a.channel(0).count == stretched(100_000, speed))
    try worker.wait(for: "the failure") { $0.failure(of: 2) != nil }
  }

  @Test func restartAtAnotherSpeed_continuesAtThePosition() throws {
    let path = try tone("tone.wav", 0..<60 * 44_100)
    try worker.open(1, path)
    try worker.wait(for: "opened") { $0.info(of: 1) != nil }
    let speed = try speed(2)
    try worker.restart(2, of: 1, path, start: .seconds(40), speed: speed)
    let decoded = try worker.decodedGeneration(2)
    #expect(decoded.parts.map(\.mediaFrame) == [Frames(40 * 44_100)])
    #expect(decoded.parts.map(\.speed) == [speed])
    #expect(decoded.channel(0).count == 10 * 44_100)
  }

  /// A crossfade is as long in the tracks as at the original speed.
  @Test func stretchedCrossfade_overlapsTheTracks() throws {
    let (speed, fade) = (try speed(2), MediaTime.seconds(1))
    try worker.open(1, try tone("a.wav", 0..<4 * 44_100), fadeOut: fade, speed: speed)
    try worker.follow(
      2, try tone("b.wav", 0..<4 * 44_100), after: 1, fadeOut: fade, fadeIn: fade, speed: speed)
    let (a, b) = (try worker.decodedGeneration(1), try worker.decodedGeneration(2))
    #expect(abs(a.channel(0).count - 3 * 22_050) <= 1)
    #expect(abs(b.channel(0).count - 4 * 22_050) <= 1)
    #expect(worker.fade(of: 1)?.from == .seconds(3))
  }

  /// The library that stretches lets the processor treat the smallest numbers as zero when it is loaded.
  @Test func denormalSamples_areNotLostAtTheOriginalSpeed() throws {
    let count = 1_000
    var wave = SineWave.wave(0..<2 * count, channels: 1)
    // The same bytes as samples of 32-bit float.
    wave.replaceSubrange(20..<22, with: [3, 0])
    wave.replaceSubrange(28..<36, with: [0x10, 0xB1, 2, 0, 4, 0, 32, 0])
    // The bit patterns of denormal numbers are in proportion to the numbers.
    let pattern: UInt32 = 71_362
    let sample = withUnsafeBytes(of: pattern.littleEndian) { Array($0) }
    for frame in 0..<count { wave.replaceSubrange(44 + 4 * frame..<48 + 4 * frame, with: sample) }
    try worker.open(1, try folder.write("float.wav", wave), level: GainParameters(.track, fallback: -6))
    let decoded = try worker.decodedGeneration(1).channel(0)
    #expect(decoded.count == count)
    #expect(decoded.allSatisfy { (pattern / 2..<pattern / 2 + 100).contains($0.bitPattern) })
  }

  /// SoundTouch stretches 16 channels, and 32 from version 2.3.3 on.
  @Test func tracksOfManyChannels_areStretchedOrPlayedAtTheOriginalSpeed() throws {
    let double = try speed(2)
    try worker.open(1, try tone("a.wav", 0..<10_000, channels: 17), speed: double)
    let decoded = try worker.decodedGeneration(1)
    let isStretched = decoded.parts.first?.speed == double
    #expect(decoded.parts.map(\.speed) == [isStretched ? double : .normal])
    #expect(decoded.channel(16).count == (isStretched ? 5_000 : 10_000))
  }
}
