import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of ReplayGain with a daemon.
@Suite struct GainTests {
  private static let half = "-6.0206 dB"
  private static let quarter = "-12.0412 dB"

  private func flac(_ fixture: DaemonFixture, _ name: String, _ tags: [(String, String)]) throws -> FilePath {
    try fixture.write(name, FLACTags.replace(try AudioFile.read(Repository.fixture(name)), tags))
  }

  private func samples(_ bytes: some Collection<UInt8>) -> [Int16] {
    Array(bytes).withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
  }

  private func gain(_ fixture: DaemonFixture, _ params: String? = nil) throws -> Gain {
    Gain(try fixture.client.call("gain", params))
  }

  /// Expects that the recording is a.wav and b.wav without a gap, each multiplied by its factor.
  private func expect(_ fixture: DaemonFixture, _ factors: (a: Double, b: Double)) throws {
    try fixture.recording.waitForSilence()
    let parts = try ["a.wav", "b.wav"].map { samples(try AudioFile.read(Repository.fixture($0)).dropFirst(44)) }
    let expected = parts[0].map { Double($0) * factors.a } + parts[1].map { Double($0) * factors.b }
    let recorded = samples(fixture.recording.bytes)
    let first = try #require(recorded.firstIndex { $0 != 0 }) / 2 * 2
    // The first samples may round to zero.
    let starts = stride(from: max(0, first - 200), through: first, by: 2).filter { start in
      start + expected.count <= recorded.count
        && zip(recorded[start...], expected).allSatisfy { abs(Double($0) - $1) <= 1.6 }
    }
    #expect(starts.count == 1, "\(starts) of \(first)")
    guard let start = starts.first else { return }
    #expect(recorded[(start + expected.count)...].allSatisfy { $0 == 0 })
  }

  @Test func eachTrackHasItsOwnGainAtTheBoundary() throws {
    let fixture = try DaemonFixture()
    #expect(try gain(fixture, #"{"mode":"track"}"#).mode == .track)
    let paths = [
      try flac(fixture, "a.flac", [("REPLAYGAIN_TRACK_GAIN", Self.half), ("REPLAYGAIN_TRACK_PEAK", "0.9")]),
      try flac(fixture, "b.flac", [("REPLAYGAIN_TRACK_GAIN", Self.quarter), ("REPLAYGAIN_TRACK_PEAK", "0.9")]),
    ]
    try fixture.add(paths, play: true)
    try expect(fixture, (0.5, 0.25))
  }

  @Test func tagsDoNotChangeTheLevelWithoutReplayGain() throws {
    let fixture = try DaemonFixture()
    #expect(try gain(fixture).mode == .off)
    let tags = [("REPLAYGAIN_TRACK_GAIN", Self.half)]
    try fixture.add([try flac(fixture, "a.flac", tags), try flac(fixture, "b.flac", tags)], play: true)
    try fixture.recording.waitForSilence()
    let expected = try ["a.wav", "b.wav"].flatMap { samples(try AudioFile.read(Repository.fixture($0)).dropFirst(44)) }
    let sound = expected.drop { $0 == 0 }
    let recorded = samples(fixture.recording.bytes).drop { $0 == 0 }
    #expect(recorded.prefix(sound.count).elementsEqual(sound))
  }

  @Test func anAlbumInOrderUsesAlbumGain() throws {
    let fixture = try DaemonFixture()
    _ = try gain(fixture, #"{"mode":"auto"}"#)
    func tags(_ number: Int) -> [(String, String)] {
      [
        ("ALBUM", "Album"), ("TRACKNUMBER", "\(number)"), ("REPLAYGAIN_TRACK_GAIN", "-20 dB"),
        ("REPLAYGAIN_ALBUM_GAIN", Self.half), ("REPLAYGAIN_ALBUM_PEAK", "0.8"),
      ]
    }
    let paths = [try flac(fixture, "a.flac", tags(1)), try flac(fixture, "b.flac", tags(2))]
    // With consume, the first track is removed when the second is audible.
    try fixture.call("consume", #"{"on":true}"#)
    try fixture.add(paths)
    try fixture.call("play")
    try expect(fixture, (0.5, 0.5))
  }

  @Test(arguments: [("tracks", [1, 2]), ("off", [2, 1]), ("off", [1])])
  func tracksOutOfAlbumOrderUseTrackGain(shuffle: String, numbers: [Int]) throws {
    let fixture = try DaemonFixture(.pipe("test"))
    _ = try gain(fixture, #"{"mode":"auto"}"#)
    try fixture.client.call("shuffle", #"{"mode":"\#(shuffle)"}"#)
    let paths = try zip(["a.flac", "b.flac"], numbers).map { name, number in
      try flac(
        fixture, name,
        [
          ("ALBUM", "Album"), ("TRACKNUMBER", "\(number)"), ("REPLAYGAIN_TRACK_GAIN", "-20 dB"),
          ("REPLAYGAIN_ALBUM_GAIN", Self.half),
        ])
    }
    try fixture.add(paths)
    try fixture.call("play")
    try fixture.wait { $0.audio != nil }
    #expect(try gain(fixture).applied == -20)
  }

  @Test func gainDoesNotRaiseAPeakAboveFullScale() throws {
    let fixture = try DaemonFixture()
    _ = try gain(fixture, #"{"mode":"track"}"#)
    let tags = [("REPLAYGAIN_TRACK_GAIN", "+24 dB"), ("REPLAYGAIN_TRACK_PEAK", "0.5")]
    try fixture.add([try flac(fixture, "a.flac", tags), try flac(fixture, "b.flac", tags)], play: true)
    try expect(fixture, (2, 2))
  }

  @Test func theReasonForASmallerGainIsReported() throws {
    let fixture = try DaemonFixture(.pipe("test"), configuration: "[Player]\nFallbackGain=4\n")
    _ = try gain(fixture, #"{"mode":"track"}"#)
    let loud = [("REPLAYGAIN_TRACK_GAIN", "+24 dB"), ("REPLAYGAIN_TRACK_PEAK", "1.0")]
    let cases: [([(String, String)], applied: Double, requested: Double, GainLimit?)] = [
      (loud, 0, 24, .peak), ([("R128_TRACK_GAIN", "1024")], 9, 9, .limiter), ([], 4, 4, .limiter),
      ([("REPLAYGAIN_TRACK_GAIN", "-3 dB")], -3, -3, nil),
    ]
    for (tags, applied, requested, limit) in cases {
      try fixture.call("queue.clear")
      try fixture.add([try flac(fixture, "a.flac", tags)], play: true)
      try fixture.wait { $0.audio != nil }
      let gain = try gain(fixture)
      #expect(gain.applied == applied && gain.requested == requested && gain.limit == limit, "\(gain)")
    }
  }

  @Test func theGainModeIsReportedAtOnceAndSaved() throws {
    let fixture = try DaemonFixture(
      configuration: "[Player]\nReplayGain=track\nPreamp=-2\nFallbackGain=-5\nPreventClipping=no\n")
    let configured = Gain(mode: .track, preamp: -2, fallback: -5, preventsClipping: false, applied: nil)
    #expect(try gain(fixture) == configured)
    #expect(try gain(fixture, #"{"preamp":-1.25}"#).preamp == -1.25)
    #expect(try gain(fixture, #"{"mode":"album"}"#).mode == .album)
    fixture.daemon.kill()
    try fixture.daemon.start()
    try fixture.reconnect()
    #expect(try gain(fixture).mode == .album)
    #expect(try gain(fixture).preamp == -1.25)
    #expect(try fixture.client.errorResponse(to: "gain", #"{"preamp":31}"#).kind == "invalid_params")
  }

  /// The ring buffer contains frames that were decoded with the previous gain.
  @Test func aGainChangeAppliesToTheCurrentTrackAtOnce() throws {
    let fixture = try DaemonFixture(.pipe("test"), configuration: "[Player]\nFallbackGain=-6.0206\n")
    let frames = [UInt32](repeating: 0x1F40_1F40, count: 30 * Signal.rate)
    let path = try fixture.write("even.wav", AudioFile.wave(frames.withUnsafeBytes { Array($0) }))
    try fixture.add([path], play: true)
    try fixture.recording.wait(for: "one second") { $0.runs.count > Signal.rate + 1 }
    let before = try fixture.status().position ?? .zero
    _ = try gain(fixture, #"{"mode":"track"}"#)
    let after = try fixture.wait { $0.rate == 1 && $0.audio != nil }
    #expect((after.position ?? .zero) >= before)
    #expect(try gain(fixture).applied.map { abs($0 + 6.0206) < 0.001 } == true)
    try fixture.recording.wait(for: "half of the track") { recordedFrames in
      recordedFrames.runs.last?.first.map { (3_998...4_002).contains(($0 + 1) & 0xFFFF) } == true
    }
  }
}
