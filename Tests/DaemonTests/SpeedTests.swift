import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of playback at another speed than the original one, as the sound server receives it.
@Suite struct SpeedTests {
  private static let rate = 44_100

  private func tone(_ fixture: DaemonFixture, _ name: String, _ frames: Range<Int>) throws -> FilePath {
    try fixture.write(name, SineWave.wave(frames))
  }

  /// Returns the left channel of the recording from the first to the last nonzero sample.
  private func samples(_ fixture: DaemonFixture) throws -> [Double] {
    let samples = fixture.recording.bytes.withUnsafeBytes { raw in
      let both = raw.bindMemory(to: Int16.self)
      return stride(from: 0, to: both.count - 1, by: 2).map { Double(both[$0]) / 32_768 }
    }
    let first = try #require(samples.firstIndex { $0 != 0 })
    let last = try #require(samples.lastIndex { $0 != 0 })
    return Array(samples[first...last])
  }

  private func frequency(of samples: some Collection<Double>) -> Double {
    let crossings = zip(samples, samples.dropFirst()).count { $0 < 0 && $1 >= 0 }
    return Double(crossings) * Double(Self.rate) / Double(samples.count)
  }

  /// The speed is set while nothing plays, and is that of the next track. The second track continues the sine of the
  /// first one.
  @Test(arguments: [0.5, 2]) func tracksArePlayedAtTheSpeedWithTheirPitchAndWithoutAGap(factor: Double) throws {
    let fixture = try DaemonFixture()
    let (cut, whole) = (3 * Self.rate + 17, 6 * Self.rate)
    let ids = try fixture.add([try tone(fixture, "a.wav", 0..<cut), try tone(fixture, "b.wav", cut..<whole)])
    #expect(try fixture.call("speed", #"{"factor":\#(factor)}"#).speed.factor == factor)
    try fixture.call("play")
    #expect(try fixture.wait { $0.rate > 0 }.rate == factor)
    let second = try fixture.wait { $0.track?.id == UInt64(ids[1]) && $0.rate > 0 }
    #expect((second.position ?? .maximum) < .seconds(1) && second.duration == .seconds(Double(whole - cut) / 44_100))
    try fixture.recording.waitForSilence()
    let status = try fixture.waitForStop()
    #expect(status.output.underruns == 0 && status.rate == 0)
    let recorded = try samples(fixture)
    #expect(abs(Double(recorded.count) * factor - Double(whole)) < 500)
    let middle = recorded.dropFirst(5_000).dropLast(5_000)
    #expect(abs(frequency(of: middle) - 997) < 4)
    // A gap or a missing frame would be a larger step than the steepest one of the sine.
    #expect(zip(middle, middle.dropFirst()).map { abs($1 - $0) }.max() ?? 1 < 0.08)
    try waitUntil("both tracks are counted as played") {
      let plays: ListPage<PlayedTrack> = ListPage(try fixture.client.call("history.list"))
      return plays.items.count == 2
    }
  }

  /// What was buffered at the former speed is not played. At the original speed, the output is bit-exact again.
  @Test func aChangeDuringPlaybackIsAudibleAtOnce() throws {
    let fixture = try DaemonFixture()
    try fixture.add([try fixture.track("long", 0..<(60 * Self.rate))], play: true)
    try fixture.recording.wait(forFrame: 2 * Self.rate)
    let fast = try fixture.call("speed", #"{"factor":1.5}"#)
    let position = try #require(fast.position).seconds
    #expect(fast.state == .playing && fast.speed.factor == 1.5)
    #expect(try fixture.wait { $0.rate > 0 }.rate == 1.5)
    try waitUntil("two seconds of the track are played", every: .milliseconds(50)) {
      (try fixture.status().position ?? .zero).seconds > position + 2
    }
    let last = try #require(fixture.recording.recordedFrames.sound.last { $0.count > 1_000 })
    #expect(abs(Double(last.end) / 44_100 - position) < 0.1, "the original speed ended at another position")
    let normal = try fixture.call("speed", #"{"factor":1}"#)
    fixture.recording.discard()
    try fixture.recording.wait(for: "the original frames") { $0.sound.contains { $0.count > 20_000 } }
    // An underrun of a busy machine may divide the frames.
    let run = try #require(fixture.recording.recordedFrames.sound.first { $0.count > 1_000 })
    #expect(abs(Double(run.first ?? 0) / 44_100 - (try #require(normal.position)).seconds) < 0.1)
    #expect(try fixture.wait { $0.rate > 0 }.rate == 1)
  }

  @Test func aChangeDuringAPauseKeepsThePosition() throws {
    let fixture = try DaemonFixture()
    try fixture.add([try fixture.track("long", 0..<(60 * Self.rate))], play: true)
    try fixture.recording.wait(forFrame: 2 * Self.rate)
    let paused = try fixture.call("pause")
    let changed = try fixture.call("speed", #"{"delta":0.75}"#)
    #expect(changed.state == .paused && changed.speed.factor == 1.75)
    #expect(abs((changed.position ?? .zero).seconds - (paused.position ?? .zero).seconds) < 0.2)
    try fixture.call("play")
    let playing = try fixture.wait { $0.rate > 0 }
    #expect(playing.rate == 1.75)
    #expect((playing.position ?? .zero) >= (changed.position ?? .maximum))
    #expect(try fixture.call("speed", #"{"delta":3}"#).speed == .fastest)
    #expect(try fixture.call("speed", #"{"delta":-3}"#).speed == .slowest)
  }

  /// Compares `Status` with the times at which sounds arrive that begin at known positions.
  @Test(arguments: [0.5, 1.5]) func thePositionMatchesWhatIsHeard(factor: Double) throws {
    let fixture = try DaemonFixture(.null("test"))
    // Half a second of sound after every second of silence.
    var wave = SineWave.wave(0..<9 * Self.rate)
    for frame in 0..<9 * Self.rate where frame % 66_150 < 44_100 {
      for byte in 44 + 4 * frame..<48 + 4 * frame { wave[byte] = 0 }
    }
    try fixture.call("speed", #"{"factor":\#(factor)}"#)
    try fixture.add([try fixture.write("bursts.wav", wave)], play: true)
    var responses: [Status] = []
    while (responses.last?.position ?? .zero) < .seconds(4.4) {
      responses.append(try fixture.status())
      let count = fixture.recording.pieceCount
      try fixture.recording.wait(for: "more output") { _ in fixture.recording.pieceCount > count + 4 }
    }
    for (earlier, later) in zip(responses, responses.dropFirst()) {
      #expect((earlier.position ?? .zero) <= (later.position ?? .zero))
    }
    let playing = responses.filter { $0.rate == factor }
    let onsets = fixture.recording.onsets(afterSilence: Int(0.3 / factor * Double(Self.rate)))
    try #require(onsets.count >= 2 && playing.count > 5)
    for (number, time) in onsets.prefix(2).enumerated() {
      let nearest = try #require(
        playing.min { abs(($0.monotonic - time).nanoseconds) < abs(($1.monotonic - time).nanoseconds) })
      let shown = try #require(nearest.position).seconds + (time - nearest.monotonic).seconds * factor
      let actual = Double(number) * 1.5 + 1
      // A part of a sequence of the stretcher (0.06 s), and the delay of the recorder.
      #expect(abs(shown - actual) < 0.12, "the sound at \(actual) s was heard at the position \(shown) s")
    }
  }

  @Test func theSleepTimerStopsAtTheEndOfTheTrack() throws {
    let fixture = try DaemonFixture()
    try fixture.call("speed", #"{"factor":3}"#)
    try fixture.add([try tone(fixture, "a.wav", 0..<150_000), try tone(fixture, "b.wav", 0..<150_000)], play: true)
    try fixture.call("sleep", #"{"after":"track"}"#)
    try fixture.recording.waitForSilence()
    #expect(try fixture.waitForStop().index == 1)
    #expect(abs(try samples(fixture).count - 50_000) < 200)
  }

  @Test func aLiveStreamIsPlayedAtItsOwnSpeed() throws {
    let fixture = try DaemonFixture()
    let station = try Station("Radio Q", .sending)
    try fixture.call("speed", #"{"factor":2}"#)
    try fixture.add(uris: [station.url], play: true)
    let live = try fixture.wait { $0.stream?.state == .live && $0.rate > 0 }
    #expect(live.rate == 1 && live.speed.factor == 2)
  }

  @Test func theSpeedSurvivesARestart() throws {
    let fixture = try DaemonFixture()
    try fixture.call("speed", #"{"factor":1.25}"#)
    fixture.daemon.kill()
    try fixture.daemon.start()
    try fixture.reconnect()
    #expect(try fixture.status().speed.factor == 1.25)
  }

  /// A long track continues at the speed at which it was left, also after a restart of the daemon, and other tracks do
  /// not.
  @Test func aBookmarkKeepsTheSpeed() throws {
    let fixture = try DaemonFixture(configuration: "[Player]\nBookmarkAfter=1\nRestore=resume\n")
    try fixture.add([
      try fixture.track("long", 0..<(120 * Self.rate)), try fixture.track("short", 0..<(50 * Self.rate)),
    ])
    try fixture.call("play", #"{"index":0}"#)
    try fixture.call("seek", #"{"position":20}"#)
    try fixture.call("speed", #"{"factor":2}"#)
    try fixture.wait { $0.rate == 2 && ($0.position ?? .zero) > .seconds(20) }
    try fixture.call("play", #"{"index":1}"#)
    #expect(try fixture.call("speed", #"{"factor":1}"#).speed == .normal)
    try fixture.wait { $0.rate == 1 }
    let long = try fixture.call("play", #"{"index":0}"#)
    #expect((long.position ?? .zero) > .seconds(20) && long.speed.factor == 2)
    try fixture.wait { $0.rate == 2 }
    #expect(fixture.daemon.stop() == 0)
    try fixture.daemon.start()
    try fixture.reconnect()
    try fixture.wait { $0.rate == 2 && $0.speed.factor == 2 }
    #expect(try fixture.call("play", #"{"index":1}"#).speed == .normal)
    #expect(try fixture.call("play", #"{"index":0}"#).speed.factor == 2)
    // A change while the long track plays is one of the general speed, too.
    try fixture.call("speed", #"{"factor":0.5}"#)
    #expect(try fixture.call("play", #"{"index":1}"#).speed == .slowest)
    #expect(try fixture.call("play", #"{"index":0}"#).speed == .slowest)
  }

  /// Returns a fixture whose first track is long and was left at double speed. The second one is short and plays at the
  /// original speed, which is the chosen one.
  private func fixtureWithSpeedOfLongTrack(seconds: Int) throws -> DaemonFixture {
    let fixture = try DaemonFixture(configuration: "[Player]\nBookmarkAfter=1\nRestore=resume\n")
    try fixture.add([
      try fixture.track("long", 0..<(seconds * Self.rate)), try fixture.track("short", 0..<(50 * Self.rate)),
    ])
    try fixture.call("speed", #"{"factor":2}"#)
    try fixture.call("play", #"{"index":0}"#)
    try fixture.call("seek", #"{"position":20}"#)
    try fixture.wait { $0.rate == 2 && ($0.position ?? .zero) > .seconds(20) }
    try fixture.call("play", #"{"index":1}"#)
    try fixture.call("speed", #"{"factor":1}"#)
    return fixture
  }

  /// The end of a long track, from which it is not continued, is played at the speed of the track, also after a pause,
  /// a restart of the daemon and a seek. A track that was left there has been played, and starts like one without a
  /// bookmark.
  @Test func theLastSecondsOfALongTrackHaveItsSpeed() throws {
    let fixture = try fixtureWithSpeedOfLongTrack(seconds: 120)
    try fixture.call("play", #"{"index":0}"#)
    try fixture.call("seek", #"{"position":107}"#)
    try fixture.wait { $0.rate == 2 && ($0.position ?? .zero) > .seconds(107) }
    #expect(try fixture.call("pause").speed.factor == 2)
    for isOrderly in [true, false] {
      if isOrderly { #expect(fixture.daemon.stop() == 0) } else { fixture.daemon.kill() }
      try fixture.daemon.start()
      try fixture.reconnect()
      let restarted = try fixture.wait { $0.speed.factor == 2 }
      #expect(restarted.state == .paused && (restarted.position ?? .zero) > .seconds(107))
    }
    try fixture.call("play")
    try fixture.wait { $0.rate == 2 && ($0.position ?? .zero) > .seconds(107) }
    try fixture.call("pause")
    try fixture.call("seek", #"{"position":30}"#)
    try fixture.call("play")
    try fixture.wait { $0.rate == 2 && ($0.position ?? .zero) > .seconds(30) }
    try fixture.call("seek", #"{"position":107}"#)
    try fixture.wait { $0.rate == 2 && ($0.position ?? .zero) > .seconds(107) }
    try fixture.call("pause")
    #expect(try fixture.call("play", #"{"index":1}"#).speed == .normal)
    let again = try fixture.call("play", #"{"index":0}"#)
    #expect(again.speed == .normal && again.position == .zero)
  }

  @Test func aRepeatedLongTrackKeepsItsSpeed() throws {
    let fixture = try fixtureWithSpeedOfLongTrack(seconds: 61)
    try fixture.call("repeat", #"{"mode":"one"}"#)
    try fixture.call("play", #"{"index":0}"#)
    try fixture.call("seek", #"{"position":59}"#)
    let repeated = try fixture.wait { $0.rate == 2 && ($0.position ?? .zero) < .seconds(10) }
    #expect(repeated.speed.factor == 2)
    try fixture.call("seek", #"{"position":30}"#)
    let sought = try fixture.wait { $0.rate > 0 && ($0.position ?? .zero) > .seconds(30) }
    #expect(sought.rate == 2 && sought.speed.factor == 2)
  }
}
