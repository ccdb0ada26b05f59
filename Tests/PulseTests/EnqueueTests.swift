import Glibc
import SegueOutput
import SeguePulse
import SegueRing
import SegueSystem
import SegueTestKit
import Testing

/// Tests of followers of the current generation, and of changing them when their PCM may have been written already.
@Suite(.serialized) final class EnqueueTests: PipeFixture {
  let one = noise(44_100, .cd, seed: 1)
  let two = noise(30_000, .cd, seed: 2)
  let three = noise(22_050, .cd, seed: 3)

  private func expectScheduled(_ generation: Generation, from index: Int = 0) -> MonotonicTime? {
    fixture.expect(from: index, "schedule of \(generation)") {
      if case .scheduled(generation, let time) = $0 { time } else { nil }
    }
  }

  /// Waits for silence, which comes after the last frame.
  private func expectSilence() throws {
    try #require(
      recorder.pieces.wait(from: recorder.pieces.count) { $0.bytes.contains { $0 != 0 } ? nil : true } != nil)
  }

  /// A disk that takes a second to respond cannot provide another track within a second.
  @Test(arguments: [true, false]) func aGapIsAnUnderrunUnlessTheFollowerWasEnqueuedTooLate(_ isSlow: Bool) throws {
    var worker = try StubWorker()
    let long = noise(264_600, .cd, seed: 4)
    var underruns: Int { fixture.events.all.count { if case .underrun = $0.event { true } else { false } } }
    func write() {
      worker.play(Generation(1), .cd, long)
      worker.begin(Generation(2), .cd)
      worker.write(two)
    }
    if !isSlow { write() }
    fixture.sink.send(.play(Generation(1), worker.ring, paused: false))
    fixture.sink.send(.enqueue(Generation(2), worker.ring, after: Generation(1)))
    if isSlow {
      // The delay is that of the simulated disk.
      usleep(1_500_000)
      write()
    }
    // From the command to the gap, it is a second after a slow start and five after a fast one.
    #expect(fixture.audible(atLeast: isSlow ? 220_000 : 48_200) != nil)
    let earlier = underruns
    fixture.sink.send(.enqueue(Generation(3), worker.ring, after: Generation(1)))
    #expect(fixture.standing(atLeast: 264_600) == Frames(264_600))
    // The clock stops at the end of what was written, and a slow server may not have played all of it.
    try expectSilence()
    worker.play(Generation(3), .cd, three)
    fixture.expect(.finished(Generation(3)))
    try expectSilence()
    #expect(withoutSilence(recorder.bytes) == long + three)
    #expect(underruns - earlier == (isSlow ? 0 : 1))
  }

  @Test func aFollowerThatWasWrittenCanBeReplaced() throws {
    var worker = try StubWorker()
    fixture.sink.send(.play(Generation(1), worker.ring, paused: false))
    fixture.sink.send(.enqueue(Generation(2), worker.ring, after: Generation(1)))
    worker.play(Generation(1), .cd, one)
    worker.play(Generation(2), .cd, two)
    // The generation is scheduled once it has been written.
    _ = expectScheduled(Generation(2))
    fixture.sink.send(.enqueue(Generation(3), worker.ring, after: Generation(1)))
    worker.play(Generation(3), .cd, three)
    fixture.expect(.finished(Generation(3)))
    #expect(try #require(recorder.sound()).starts(with: one + three))
  }

  @Test func aFollowerThatWasWrittenCanBeRemoved() throws {
    var worker = try StubWorker()
    fixture.sink.send(.play(Generation(1), worker.ring, paused: false))
    fixture.sink.send(.enqueue(Generation(2), worker.ring, after: Generation(1)))
    worker.play(Generation(1), .cd, one)
    worker.play(Generation(2), .cd, two)
    _ = expectScheduled(Generation(2))
    fixture.sink.send(.finish(after: Generation(1)))
    fixture.expect(.finished(Generation(1)))
    #expect(withoutSilence(try #require(recorder.sound())) == one)
  }

  @Test func aFollowerThatWasReplacedBeforeItWasWrittenIsSkipped() throws {
    var worker = try StubWorker()
    fixture.sink.send(.play(Generation(1), worker.ring, paused: false))
    fixture.sink.send(.enqueue(Generation(2), worker.ring, after: Generation(1)))
    fixture.sink.send(.enqueue(Generation(3), worker.ring, after: Generation(1)))
    worker.play(Generation(1), .cd, one)
    worker.begin(Generation(2), .cd)
    worker.write(two)
    worker.play(Generation(3), .cd, three)
    fixture.expect(.finished(Generation(3)))
    #expect(withoutSilence(try #require(recorder.sound())) == one + three)
  }

  @Test func aFollowerEnqueuedDuringTheDrainPlaysWithoutAGap() throws {
    var worker = try StubWorker()
    fixture.sink.send(.play(Generation(1), worker.ring, paused: false))
    worker.play(Generation(1), .cd, one)
    try #require(fixture.audible(atLeast: 4410) != nil)
    fixture.sink.send(.enqueue(Generation(2), worker.ring, after: Generation(1)))
    worker.play(Generation(2), .cd, two)
    fixture.expect(.finished(Generation(2)))
    #expect(try #require(recorder.sound()).starts(with: one + two))
  }

  /// While a drain is pending, a server whose sink does not render ahead reports no underflow.
  @Test func aFollowerWrittenAfterAnUnderrunCanBeReplacedBeforeItPlays() throws {
    var worker = try StubWorker()
    var second = try StubWorker()
    var third = try StubWorker()
    var fourth = try StubWorker()
    // The generation is shorter than the silence before it.
    let short = noise(8_000, .cd, seed: 2)
    second.play(Generation(2), .cd, short)
    third.play(Generation(3), .cd, noise(30_000, .cd, seed: 5))
    fourth.play(Generation(4), .cd, three)
    fixture.sink.send(.play(Generation(1), worker.ring, paused: false))
    worker.play(Generation(1), .cd, one)
    try #require(fixture.audible(atLeast: 4410) != nil)
    // This command comes late.
    fixture.sink.send(.enqueue(Generation(2), worker.ring, after: Generation(1)))
    _ = try #require(recorder.sound(untilSilence: 64 << 10))
    fixture.sink.send(.enqueue(Generation(2), second.ring, after: Generation(1)))
    fixture.sink.send(.enqueue(Generation(3), third.ring, after: Generation(2)))
    fixture.sink.send(.enqueue(Generation(4), fourth.ring, after: Generation(2)))
    fixture.expect(.finished(Generation(4)))
    try expectSilence()
    #expect(withoutSilence(recorder.bytes) == one + short + three)
  }

  /// A sink that renders ahead reports an underflow twice: when it has no more to render, and when that was played.
  @Test func oneGapIsOneUnderrunEvenIfTheServerReportsItTwice() throws {
    let server = try PulseServer([.null("test")])
    let recorder = try server.record()
    let fixture = SinkFixture(server)
    var first = try StubWorker()
    var second = try StubWorker()
    fixture.sink.send(.play(Generation(1), first.ring, paused: false))
    first.play(Generation(1), .cd, one)
    try #require(fixture.audible(atLeast: 4410) != nil)
    fixture.sink.send(.enqueue(Generation(2), second.ring, after: Generation(1)))
    second.begin(Generation(2), .cd)
    second.write(level(1111, frames: 44_100))
    // The worker stalls until everything has been played, and longer.
    try #require(fixture.standing() == Frames(44_100))
    _ = try #require(recorder.sound(untilSilence: 256 << 10))
    second.write(level(2222, frames: 44_100))
    second.end(Generation(2), .cd)
    fixture.expect(.finished(Generation(2)))
    let underruns = fixture.events.all.count { if case .underrun = $0.event { true } else { false } }
    #expect(underruns == 1)
  }

  @Test func manyShortTracksPlayWithoutGaps() throws {
    var worker = try StubWorker()
    var all: [UInt8] = []
    fixture.sink.send(.play(Generation(1), worker.ring, paused: false))
    for number in UInt32(1)...12 {
      let pcm = noise(2000 + Int(number), .cd, seed: UInt64(number))
      fixture.sink.send(.enqueue(Generation(number + 1), worker.ring, after: Generation(number)))
      worker.play(Generation(number), .cd, pcm)
      all += pcm
    }
    worker.play(Generation(13), .cd, one)
    all += one
    fixture.expect(.finished(Generation(13)))
    #expect(try #require(recorder.sound()).starts(with: all))
  }

  @Test func theNextGenerationCanComeFromAnotherRing() throws {
    var first = try StubWorker()
    var second = try StubWorker()
    fixture.sink.send(.play(Generation(1), first.ring, paused: false))
    fixture.sink.send(.enqueue(Generation(2), second.ring, after: Generation(1)))
    first.begin(Generation(1), .cd)
    first.write(one)
    second.play(Generation(2), .cd, two)
    fixture.sink.send(.endOfInput(Generation(1)))
    fixture.expect(.finished(Generation(2)))
    #expect(try #require(recorder.sound()).starts(with: one + two))
  }

  @Test func aFollowerIsScheduledForTheTimeAtWhichItPlays() throws {
    var worker = try StubWorker()
    fixture.sink.send(.play(Generation(1), worker.ring, paused: false))
    fixture.sink.send(.enqueue(Generation(2), worker.ring, after: Generation(1)))
    worker.play(Generation(1), .cd, one)
    worker.play(Generation(2), .cd, two, at: Frames(77))
    let start = try #require(expectScheduled(Generation(1)))
    let boundary = try #require(expectScheduled(Generation(2)))
    let clock = fixture.sink.clock
    let distance: MediaTime = boundary - start
    #expect((distance - SampleRate.cd.time(of: Frames(44_100))).seconds.magnitude < 0.021)
    let before = clock.position(at: boundary + MediaTime(seconds: -0.03))
    let after = clock.position(at: boundary + MediaTime.milliseconds(30))
    #expect(before?.generation == Generation(1))
    #expect(after?.generation == Generation(2))
    #expect(after.map { ($0.frame - Frames(77)).count < 44 * 52 } == true)
  }

  // MARK: Commands that cross an event

  /// The follower plays after a finished generation, and the sender of the next command knows only the finished one.
  @Test func aFollowerOfAFinishedGenerationCanBeReplaced() throws {
    var worker = try StubWorker()
    fixture.sink.send(.play(Generation(1), worker.ring, paused: false))
    worker.play(Generation(1), .cd, one)
    fixture.expect(.finished(Generation(1)))
    fixture.sink.send(.enqueue(Generation(2), worker.ring, after: Generation(1)))
    fixture.sink.send(.enqueue(Generation(3), worker.ring, after: Generation(1)))
    worker.play(Generation(3), .cd, three)
    fixture.expect(.finished(Generation(3)))
    #expect(withoutSilence(try #require(recorder.sound(untilSilence: 256 << 10))) == one + three)
  }

  @Test func aFollowerOfAFinishedGenerationCanBeRemoved() throws {
    var worker = try StubWorker()
    fixture.sink.send(.play(Generation(1), worker.ring, paused: false))
    worker.play(Generation(1), .cd, one)
    fixture.expect(.finished(Generation(1)))
    let before = fixture.count
    fixture.sink.send(.enqueue(Generation(2), worker.ring, after: Generation(1)))
    fixture.sink.send(.finish(after: Generation(1)))
    fixture.expect(.finished(Generation(1)), from: before)
  }

  /// No frame before the follower can be written again.
  @Test func aFollowerOfAnEmptyGenerationCanBeRemoved() throws {
    var worker = try StubWorker()
    fixture.sink.send(.play(Generation(1), worker.ring, paused: false))
    fixture.sink.send(.enqueue(Generation(2), worker.ring, after: Generation(1)))
    worker.play(Generation(1), .cd, [])
    worker.begin(Generation(2), .cd)
    worker.write(noise(88_200, .cd))
    try #require(fixture.audible(atLeast: 1) != nil)
    fixture.sink.send(.finish(after: Generation(1)))
    fixture.expect(.finished(Generation(1)))
    #expect(fixture.sink.clock.position(at: .now) == nil)
  }

  @Test(arguments: [true, false]) func aFollowerThatPlaysCanBeReplacedOrRemoved(_ isReplaced: Bool) throws {
    var worker = try StubWorker()
    fixture.sink.send(.play(Generation(1), worker.ring, paused: false))
    fixture.sink.send(.enqueue(Generation(2), worker.ring, after: Generation(1)))
    worker.play(Generation(1), .cd, noise(4410, .cd))
    worker.begin(Generation(2), .cd)
    worker.write(level(1111, frames: 176_400))
    // The sink forgets the first generation once the server's timing shows that it is over, at the latest in the pause.
    try #require(fixture.audible(atLeast: 22_050) != nil)
    fixture.sink.send(.pause)
    try #require(fixture.standing() != nil)
    let before = fixture.count
    if isReplaced {
      fixture.sink.send(.enqueue(Generation(3), worker.ring, after: Generation(1)))
      worker.play(Generation(3), .cd, three)
      fixture.sink.send(.resume)
      fixture.expect(.finished(Generation(3)), from: before)
      try expectSilence()
      #expect(withoutSilence(recorder.bytes).suffix(three.count).elementsEqual(three))
    } else {
      fixture.sink.send(.finish(after: Generation(1)))
      fixture.expect(.finished(Generation(1)), from: before)
    }
  }
}
