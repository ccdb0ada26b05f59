import Glibc
import SeguePulse
import SegueRing
import SegueSystem
import SegueTestKit
import Testing

/// What comes after the current generation, and how it is changed when its PCM may have gone out already.
@Suite(.serialized) struct EnqueueTests {
  let server: PulseServer
  let recorder: Recorder
  let probe: SinkFixture
  let one = noise(44_100, .cd, seed: 1)
  let two = noise(30_000, .cd, seed: 2)
  let three = noise(22_050, .cd, seed: 3)

  init() throws {
    server = try PulseServer([.pipe("test")])
    recorder = try server.readFIFO("test")
    probe = SinkFixture(server)
  }

  private func expectScheduled(_ generation: Generation, from index: Int = 0) -> MonotonicTime? {
    probe.expect(from: index, "schedule of \(generation)") {
      if case .scheduled(generation, _, _, let time) = $0 { time } else { nil }
    }
  }

  /// Silence that comes now comes behind the last frame.
  private func expectSilence() throws {
    try #require(
      recorder.pieces.wait(from: recorder.pieces.count) { $0.bytes.contains { $0 != 0 } ? nil : true } != nil)
  }

  /// Of a disk that takes a second to answer nobody can have another track within a second.
  @Test(arguments: [true, false]) func aGapThatNobodyCouldFillIsNoUnderrun(_ isSlow: Bool) throws {
    var worker = try Worker()
    let long = noise(132_300, .cd, seed: 4)
    func write() {
      worker.play(Generation(1), .cd, long)
      worker.begin(Generation(2), .cd)
      worker.write(two)
    }
    if !isSlow { write() }
    probe.sink.send(.play(Generation(1), worker.ring, paused: false))
    probe.sink.send(.enqueue(Generation(2), worker.ring, after: Generation(1)))
    if isSlow {
      usleep(1_500_000)
      write()
    }
    #expect(probe.audible(atLeast: 48_200) != nil)
    probe.sink.send(.enqueue(Generation(3), worker.ring, after: Generation(1)))
    #expect(probe.standing() == Frames(132_300))
    worker.play(Generation(3), .cd, three)
    probe.expect(.finished(Generation(3)))
    #expect(withoutSilence(try #require(recorder.sound())) == long + three)
    let underruns = probe.journal.all.count { if case .underrun = $0.event { true } else { false } }
    #expect(underruns == (isSlow ? 0 : 1))
  }

  @Test func aFollowerWhosePCMWentOutIsTakenBack() throws {
    var worker = try Worker()
    probe.sink.send(.play(Generation(1), worker.ring, paused: false))
    probe.sink.send(.enqueue(Generation(2), worker.ring, after: Generation(1)))
    worker.play(Generation(1), .cd, one)
    worker.play(Generation(2), .cd, two)
    // Announced once it was handed over.
    _ = expectScheduled(Generation(2))
    probe.sink.send(.enqueue(Generation(3), worker.ring, after: Generation(1)))
    worker.play(Generation(3), .cd, three)
    probe.expect(.finished(Generation(3)))
    #expect(try #require(recorder.sound()).starts(with: one + three))
  }

  @Test func aFollowerTakenBackForNothingIsNotHeard() throws {
    var worker = try Worker()
    probe.sink.send(.play(Generation(1), worker.ring, paused: false))
    probe.sink.send(.enqueue(Generation(2), worker.ring, after: Generation(1)))
    worker.play(Generation(1), .cd, one)
    worker.play(Generation(2), .cd, two)
    _ = expectScheduled(Generation(2))
    probe.sink.send(.finish(after: Generation(1)))
    probe.expect(.finished(Generation(1)))
    #expect(withoutSilence(try #require(recorder.sound())) == one)
  }

  @Test func aFollowerReplacedBeforeItsPCMIsSkipped() throws {
    var worker = try Worker()
    probe.sink.send(.play(Generation(1), worker.ring, paused: false))
    probe.sink.send(.enqueue(Generation(2), worker.ring, after: Generation(1)))
    probe.sink.send(.enqueue(Generation(3), worker.ring, after: Generation(1)))
    worker.play(Generation(1), .cd, one)
    worker.begin(Generation(2), .cd)
    worker.write(two)
    worker.play(Generation(3), .cd, three)
    probe.expect(.finished(Generation(3)))
    #expect(withoutSilence(try #require(recorder.sound())) == one + three)
  }

  @Test func aFollowerThatComesWhileTheEndIsHeardJoins() throws {
    var worker = try Worker()
    probe.sink.send(.play(Generation(1), worker.ring, paused: false))
    worker.play(Generation(1), .cd, one)
    try #require(probe.audible(atLeast: 4410) != nil)
    probe.sink.send(.enqueue(Generation(2), worker.ring, after: Generation(1)))
    worker.play(Generation(2), .cd, two)
    probe.expect(.finished(Generation(2)))
    #expect(try #require(recorder.sound()).starts(with: one + two))
  }

  /// As long as the server is to say when the end has been heard, it tells of nothing else that it ran dry, if its sink
  /// does not render ahead.
  @Test func whatComesAfterTheEndWasHeardIsNotHeardYet() throws {
    var worker = try Worker()
    var second = try Worker()
    var third = try Worker()
    var fourth = try Worker()
    // Shorter than the silence before it.
    let short = noise(8_000, .cd, seed: 2)
    second.play(Generation(2), .cd, short)
    third.play(Generation(3), .cd, noise(30_000, .cd, seed: 5))
    fourth.play(Generation(4), .cd, three)
    probe.sink.send(.play(Generation(1), worker.ring, paused: false))
    worker.play(Generation(1), .cd, one)
    try #require(probe.audible(atLeast: 4410) != nil)
    // Late.
    probe.sink.send(.enqueue(Generation(2), worker.ring, after: Generation(1)))
    _ = try #require(recorder.sound(untilSilence: 64 << 10))
    probe.sink.send(.enqueue(Generation(2), second.ring, after: Generation(1)))
    probe.sink.send(.enqueue(Generation(3), third.ring, after: Generation(2)))
    probe.sink.send(.enqueue(Generation(4), fourth.ring, after: Generation(2)))
    probe.expect(.finished(Generation(4)))
    try expectSilence()
    #expect(withoutSilence(recorder.bytes) == one + short + three)
  }

  /// A sink that renders ahead says twice that it ran dry: when it has no more to render, and when that was heard.
  @Test func aGapIsOneUnderrunHoweverOftenItIsTold() throws {
    let server = try PulseServer([.null("test")])
    let recorder = try server.record()
    let probe = SinkFixture(server)
    var first = try Worker()
    var second = try Worker()
    probe.sink.send(.play(Generation(1), first.ring, paused: false))
    first.play(Generation(1), .cd, one)
    try #require(probe.audible(atLeast: 4410) != nil)
    probe.sink.send(.enqueue(Generation(2), second.ring, after: Generation(1)))
    second.begin(Generation(2), .cd)
    second.write(level(1111, frames: 44_100))
    // It stalls, until all is heard and beyond.
    try #require(probe.standing() == Frames(44_100))
    _ = try #require(recorder.sound(untilSilence: 256 << 10))
    second.write(level(2222, frames: 44_100))
    second.end(Generation(2), .cd)
    probe.expect(.finished(Generation(2)))
    let underruns = probe.journal.all.count { if case .underrun = $0.event { true } else { false } }
    #expect(underruns == 1)
  }

  @Test func manyShortTracksMakeAChain() throws {
    var worker = try Worker()
    var all: [UInt8] = []
    probe.sink.send(.play(Generation(1), worker.ring, paused: false))
    for number in UInt32(1)...12 {
      let pcm = noise(2000 + Int(number), .cd, seed: UInt64(number))
      probe.sink.send(.enqueue(Generation(number + 1), worker.ring, after: Generation(number)))
      worker.play(Generation(number), .cd, pcm)
      all += pcm
    }
    worker.play(Generation(13), .cd, one)
    all += one
    probe.expect(.finished(Generation(13)))
    #expect(try #require(recorder.sound()).starts(with: all))
  }

  @Test func theNextGenerationMayComeFromAnotherRing() throws {
    var first = try Worker()
    var second = try Worker()
    probe.sink.send(.play(Generation(1), first.ring, paused: false))
    probe.sink.send(.enqueue(Generation(2), second.ring, after: Generation(1)))
    first.begin(Generation(1), .cd)
    first.write(one)
    second.play(Generation(2), .cd, two)
    probe.sink.send(.endOfInput(Generation(1)))
    probe.expect(.finished(Generation(2)))
    #expect(try #require(recorder.sound()).starts(with: one + two))
  }

  @Test func theScheduleSaysWhenAFollowerIsHeard() throws {
    var worker = try Worker()
    probe.sink.send(.play(Generation(1), worker.ring, paused: false))
    probe.sink.send(.enqueue(Generation(2), worker.ring, after: Generation(1)))
    worker.play(Generation(1), .cd, one)
    worker.play(Generation(2), .cd, two, at: Frames(77))
    let start = try #require(expectScheduled(Generation(1)))
    let joint = try #require(expectScheduled(Generation(2)))
    let clock = probe.sink.clock
    #expect(((joint - start) - SampleRate.cd.time(of: Frames(44_100))).seconds.magnitude < 0.021)
    let before = clock.position(at: joint + MediaTime(seconds: -0.03))
    let after = clock.position(at: joint + MediaTime.milliseconds(30))
    #expect(before?.generation == Generation(1))
    #expect(after?.generation == Generation(2))
    #expect(after.map { ($0.frame - Frames(77)).count < 44 * 52 } == true)
  }

  // MARK: An order that crosses the news

  /// The follower took the place of one that was heard to its end; who changes their mind knows only that one.
  @Test func aFollowerOfWhatIsOverCanBeReplaced() throws {
    var worker = try Worker()
    probe.sink.send(.play(Generation(1), worker.ring, paused: false))
    worker.play(Generation(1), .cd, one)
    probe.expect(.finished(Generation(1)))
    probe.sink.send(.enqueue(Generation(2), worker.ring, after: Generation(1)))
    probe.sink.send(.enqueue(Generation(3), worker.ring, after: Generation(1)))
    worker.play(Generation(3), .cd, three)
    probe.expect(.finished(Generation(3)))
    #expect(withoutSilence(try #require(recorder.sound(untilSilence: 256 << 10))) == one + three)
  }

  @Test func aFollowerOfWhatIsOverCanBeCutOff() throws {
    var worker = try Worker()
    probe.sink.send(.play(Generation(1), worker.ring, paused: false))
    worker.play(Generation(1), .cd, one)
    probe.expect(.finished(Generation(1)))
    let before = probe.count
    probe.sink.send(.enqueue(Generation(2), worker.ring, after: Generation(1)))
    probe.sink.send(.finish(after: Generation(1)))
    probe.expect(.finished(Generation(1)), from: before)
  }

  /// It began without a frame before it that could be written again.
  @Test func aFollowerOfAnEmptyOneCanBeCutOff() throws {
    var worker = try Worker()
    probe.sink.send(.play(Generation(1), worker.ring, paused: false))
    probe.sink.send(.enqueue(Generation(2), worker.ring, after: Generation(1)))
    worker.play(Generation(1), .cd, [])
    worker.begin(Generation(2), .cd)
    worker.write(noise(88_200, .cd))
    try #require(probe.audible(atLeast: 1) != nil)
    probe.sink.send(.finish(after: Generation(1)))
    probe.expect(.finished(Generation(1)))
    #expect(probe.sink.clock.position(at: .now) == nil)
  }

  @Test(arguments: [true, false]) func aFollowerThatIsHeardCanBeTakenAway(_ isReplaced: Bool) throws {
    var worker = try Worker()
    probe.sink.send(.play(Generation(1), worker.ring, paused: false))
    probe.sink.send(.enqueue(Generation(2), worker.ring, after: Generation(1)))
    worker.play(Generation(1), .cd, noise(4410, .cd))
    worker.begin(Generation(2), .cd)
    worker.write(level(1111, frames: 176_400))
    // What comes before is forgotten by the time the server has said so; standing, it has.
    try #require(probe.audible(atLeast: 22_050) != nil)
    probe.sink.send(.pause)
    try #require(probe.standing() != nil)
    let before = probe.count
    if isReplaced {
      probe.sink.send(.enqueue(Generation(3), worker.ring, after: Generation(1)))
      worker.play(Generation(3), .cd, three)
      probe.sink.send(.resume)
      probe.expect(.finished(Generation(3)), from: before)
      try expectSilence()
      #expect(withoutSilence(recorder.bytes).suffix(three.count).elementsEqual(three))
    } else {
      probe.sink.send(.finish(after: Generation(1)))
      probe.expect(.finished(Generation(1)), from: before)
    }
  }
}
