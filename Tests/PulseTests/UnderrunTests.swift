import SegueOutput
import SeguePulse
import SegueRing
import SegueSystem
import SegueTestKit
import Testing

/// Tests of the recovery from underruns, on sinks that read far ahead, which PulseAudio rewinds, and on others.
@Suite(.serialized) struct UnderrunTests {
  /// A sink, and its recorder.
  enum Output: CaseIterable {
    /// A sink that reads a second ahead.
    case deep
    case shallow
    /// A sink that cannot rewind, but is recorded from the first frame on.
    case pipe
  }

  /// A sink with a worker that has delivered the first part of a sound.
  private final class Player {
    let server: PulseServer
    let recorder: Recorder
    let fixture: SinkFixture
    let ring: SharedRing
    var worker: StubWorker
    private(set) var written: [UInt8] = []

    static let piece = 4_410
    /// The bytes that the monitor of a null sink may hide where two sounds start: a block of the shallow sink each.
    static let hidden = 2 * 4 * 2_205

    init(on output: Output) throws {
      switch output {
      case .deep, .shallow:
        server = try PulseServer([.null("test")])
        recorder = try server.record(latency: output == .deep ? .seconds(2) : .milliseconds(50))
        // The monitor of a new null sink delivers nothing for two seconds.
        try #require(recorder.pieces.wait { $0.bytes.isEmpty ? nil : true } != nil)
      case .pipe:
        server = try PulseServer([.pipe("test")])
        recorder = try server.readFIFO("test")
      }
      fixture = SinkFixture(server)
      worker = try StubWorker()
      ring = worker.ring
    }

    func play() {
      fixture.sink.send(.play(Generation(1), ring, paused: false))
      worker.begin(Generation(1), .cd)
    }

    func write(_ frames: Int) {
      let pcm = noise(frames, .cd, seed: UInt64(written.count + 1))
      written += pcm
      worker.write(pcm)
    }

    /// Writes at the pace of a station until `isDone`, for at most ten seconds.
    func writeInRealTime(until isDone: () -> Bool) {
      for _ in 0..<100 where !isDone() {
        write(Self.piece)
        // A station sends in real time.
        _ = fixture.events.wait(from: fixture.count, within: .milliseconds(100)) { _ -> Bool? in nil }
      }
    }

    func waitUntilDry(from index: Int = 0) { fixture.expect(.ranDry, from: index) }

    var underruns: Int { fixture.events.all.count { if case .underrun = $0.event { true } else { false } } }

    /// The sounds that were recorded, divided by silence of a millisecond or more.
    func sounds() throws -> [[UInt8]] {
      try #require(
        recorder.pieces.wait(from: recorder.pieces.count) { $0.bytes.contains { $0 != 0 } ? nil : true } != nil)
      var sounds: [[UInt8]] = []
      var silence = 44
      let bytes = recorder.bytes
      for start in stride(from: 0, to: bytes.count - 3, by: 4) {
        if bytes[start..<(start + 4)].allSatisfy({ $0 == 0 }) {
          silence += 1
          continue
        }
        if silence >= 44 { sounds.append([]) }
        sounds[sounds.count - 1] += bytes[start..<(start + 4)]
        silence = 0
      }
      return sounds
    }
  }

  @Test(arguments: Output.allCases) func aSourceThatContinuesInRealTime_isHeardAfterOneGap(_ output: Output) throws {
    let player = try Player(on: output)
    player.play()
    player.write(66_150)
    try #require(player.fixture.standing(atLeast: 66_150) != nil)
    let start = MonotonicTime.now
    player.writeInRealTime { MonotonicTime.now - start > .seconds(6) }
    player.worker.end(Generation(1), .cd)
    player.fixture.expect(.finished(Generation(1)))
    #expect(player.underruns == 1)
    let sounds = try player.sounds()
    try #require(sounds.count == 2)
    #expect(player.written.suffix(sounds[1].count).elementsEqual(sounds[1]))
    #expect(sounds[0].count + sounds[1].count > player.written.count - Player.hidden)
  }

  /// PCM that arrives while a sink plays the rest of what it has read would replace a part of that rest.
  @Test(arguments: Output.allCases) func pcmThatArrivesBeforeTheSilence_isHeardCompletely(_ output: Output) throws {
    let player = try Player(on: output)
    player.play()
    player.write(66_150)
    player.waitUntilDry()
    for _ in 0..<40 { player.write(4_410) }
    player.worker.end(Generation(1), .cd)
    player.fixture.expect(.finished(Generation(1)))
    #expect(player.underruns == 1)
    let sounds = try player.sounds()
    let last = try #require(sounds.last)
    #expect(sounds.joined().count > player.written.count - Player.hidden)
    #expect(player.written.suffix(last.count).elementsEqual(last))
  }

  /// A station without a burst starts with what a sink reads at once, and one piece more.
  @Test(arguments: Output.allCases) func aSourceInRealTime_startsWithoutAnUnderrun(_ output: Output) throws {
    let player = try Player(on: output)
    player.play()
    let start = MonotonicTime.now
    player.writeInRealTime { MonotonicTime.now - start > .seconds(5) }
    player.worker.end(Generation(1), .cd)
    player.fixture.expect(.finished(Generation(1)))
    #expect(player.underruns == 0)
    #expect(try player.sounds().count == 1)
  }

  @Test func aSourceThatEndsAfterAnUnderrun_isPlayedToItsEnd() throws {
    let player = try Player(on: .pipe)
    player.play()
    player.write(66_150)
    try #require(player.fixture.standing(atLeast: 66_150) != nil)
    // This is less than the head start.
    player.write(4_410)
    player.worker.end(Generation(1), .cd)
    player.fixture.expect(.finished(Generation(1)))
    #expect(try player.sounds().flatMap(\.self) == player.written)
  }

  /// A track whose follower comes too late continues with a head start, too.
  @Test func anUnderrunAtABoundary_isOneGap() throws {
    let player = try Player(on: .deep)
    player.play()
    player.write(66_150)
    player.fixture.sink.send(.enqueue(Generation(2), player.ring, after: Generation(1)))
    player.worker.end(Generation(1), .cd)
    try #require(player.fixture.standing(atLeast: 66_150) != nil)
    player.worker.begin(Generation(2), .cd)
    var begun = MonotonicTime.now
    player.writeInRealTime { MonotonicTime.now - begun > .seconds(4) }
    player.worker.end(Generation(2), .cd)
    player.fixture.expect("the start of the follower") { event -> Bool? in
      guard case .scheduled(Generation(2), let time) = event else { return nil }
      begun = time
      return true
    }
    player.fixture.expect(.finished(Generation(2)))
    #expect(player.underruns <= 1)
    #expect(try player.sounds().count == 2)
  }

  /// The follower of a track is enqueued when the worker has opened the track, which may be written completely by then.
  @Test(arguments: Output.allCases) func tracksShorterThanTheHeadStart_arePlayedWithoutAGap(_ output: Output) throws {
    let player = try Player(on: output)
    player.play()
    for number in UInt32(1)...8 {
      player.write(17_640)
      player.worker.end(Generation(number), .cd)
      guard number < 8 else { break }
      try waitUntil("the track is read", every: .microseconds(200)) {
        player.ring.bytesRead == UInt64(player.written.count)
      }
      player.fixture.sink.send(.enqueue(Generation(number + 1), player.ring, after: Generation(number)))
      player.worker.begin(Generation(number + 1), .cd)
    }
    player.fixture.expect(.finished(Generation(8)))
    let sounds = try player.sounds()
    try #require(sounds.count == 1)
    // The monitor of a sink that reads ahead may hide up to a second where the first sound starts.
    #expect(sounds[0].count > player.written.count - 4 * 44_100)
    #expect(player.written.suffix(sounds[0].count).elementsEqual(sounds[0]))
  }

  // MARK: Commands while PCM is collected

  /// Plays until an underrun, and delivers less than the head start after it. Returns the player.
  private func rebuffering() throws -> Player {
    let player = try Player(on: .pipe)
    player.play()
    player.write(66_150)
    try #require(player.fixture.standing(atLeast: 66_150) != nil)
    player.write(22_050)
    try waitUntil("the PCM is read") { player.ring.bytesRead == UInt64(player.written.count) }
    return player
  }

  @Test func aPauseWhilePCMIsCollected_lastsUntilTheResumption() throws {
    let player = try rebuffering()
    player.fixture.sink.send(.pause)
    player.write(88_200)
    try waitUntil("the PCM is read") { player.ring.bytesRead > 4 * 66_150 + 4 * 55_000 }
    #expect(player.fixture.sink.clock.position(at: .now)?.advancing == false)
    let index = player.fixture.count
    player.fixture.sink.send(.resume)
    player.fixture.expect(from: index, "resumption") { if case .resumed = $0 { true } else { nil } }
    player.worker.end(Generation(1), .cd)
    player.fixture.expect(.finished(Generation(1)))
    #expect(try player.sounds().flatMap(\.self) == player.written)
  }

  @Test func anotherTrackWhilePCMIsCollected_startsAtOnce() throws {
    let player = try rebuffering()
    var other = try StubWorker()
    let pcm = noise(30_000, .cd, seed: 77)
    player.fixture.sink.send(.play(Generation(2), other.ring, paused: false))
    other.play(Generation(2), .cd, pcm)
    player.fixture.expect(.finished(Generation(2)))
    #expect(try #require(try player.sounds().last) == pcm)
  }

  @Test func aFollowerWhilePCMIsCollected_isPlayedAfterIt() throws {
    let player = try rebuffering()
    var other = try StubWorker()
    let pcm = noise(30_000, .cd, seed: 77)
    player.fixture.sink.send(.enqueue(Generation(2), other.ring, after: Generation(1)))
    other.play(Generation(2), .cd, pcm)
    player.worker.end(Generation(1), .cd)
    player.fixture.expect(.finished(Generation(2)))
    #expect(try player.sounds().flatMap(\.self) == player.written + pcm)
  }

  @Test func aStopWhilePCMIsCollected_discardsIt() throws {
    let player = try rebuffering()
    player.fixture.sink.send(.stop)
    player.fixture.sink.send(.play(Generation(2), player.ring, paused: false))
    let pcm = noise(30_000, .cd, seed: 77)
    player.worker.play(Generation(2), .cd, pcm)
    player.fixture.expect(.finished(Generation(2)))
    #expect(try #require(try player.sounds().last) == pcm)
  }
}
