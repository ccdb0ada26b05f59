import Glibc
import SegueOutput
import SeguePulse
import SegueRing
import SegueSystem
import SegueTestKit
import Testing

/// Tests of the short fade on pause and stop, compared frame by frame. The sink cannot rewind: it plays what it has
/// read without a change, and the ramp comes after that.
@Suite(.serialized) final class FadeTests: PipeFixture {
  private static let rate = 44_100
  private static let fade = 22_050
  /// The frames by which a busy server may be late for the start of a ramp.
  private static let late = fade / 2

  override init() throws {
    try super.init()
    fixture.sink.send(.fadeLength(.milliseconds(500)))
  }

  // MARK: The recording

  /// Returns the left channel.
  private func left(_ bytes: [UInt8]) -> [Int] {
    bytes.withUnsafeBytes { raw in
      let samples = raw.bindMemory(to: Int16.self)
      return stride(from: 0, to: samples.count - 1, by: 2).map { Int(samples[$0]) }
    }
  }

  /// Plays this number of frames of one level as generation 1.
  private func playLevel(_ frames: Int, of worker: inout StubWorker) throws {
    fixture.sink.send(.play(Generation(1), worker.ring, paused: false))
    worker.play(Generation(1), .cd, level(Int16(Self.loud), frames: frames))
    try #require(fixture.audible(atLeast: 4_410) != nil)
  }

  private static let loud = 16_000

  /// Plays the same until a fade of one second, which `command` starts, has reached a level below `limit`.
  private func fadeLevel(
    _ frames: Int, of worker: inout StubWorker, by command: SinkCommand, below limit: Int
  ) throws {
    fixture.sink.send(.fadeLength(.seconds(1)))
    try playLevel(frames, of: &worker)
    fixture.sink.send(command)
    try waitForLevel(below: limit)
  }

  /// Waits until the recorded level is below `limit`.
  private func waitForLevel(below limit: Int) throws {
    try #require(
      recorder.pieces.wait(from: recorder.pieces.count) { piece in
        left(piece.bytes).contains { (0..<limit).contains($0) } ? true : nil
      } != nil)
  }

  /// Waits for a tenth of a second of silence.
  private func waitForSilence() throws {
    var silence = 0
    try #require(
      recorder.pieces.wait(from: recorder.pieces.count) { piece in
        silence = piece.bytes.contains { $0 != 0 } ? 0 : silence + piece.bytes.count
        return silence > 4 * Self.rate / 10 ? true : nil
      } != nil)
  }

  /// Returns the recorded sound without the silence around it, and the largest step between two frames of it.
  private func sound() throws -> (samples: ArraySlice<Int>, step: Int) {
    _ = try #require(recorder.sound())
    let all = left(recorder.bytes)
    let samples = all[try #require(all.firstIndex { $0 != 0 })...(try #require(all.lastIndex { $0 != 0 }))]
    return (samples, largestStep(samples))
  }

  private func largestStep(_ samples: ArraySlice<Int>) -> Int {
    zip(samples, samples.dropFirst()).reduce(0) { max($0, abs($1.0 - $1.1)) }
  }

  /// The largest step of a smooth sound. Half a cosine has steps of 3; if its start is missing, the steps are larger,
  /// but never as large as that of a cut.
  private static let smooth = loud / 2

  // MARK: Pause

  @Test func aPauseFadesAndAResumeContinuesWithTheFirstSilentFrame() throws {
    var worker = try StubWorker()
    let pcm = noise(3 * Self.rate, .cd)
    let tone = left(pcm)
    fixture.sink.send(.play(Generation(1), worker.ring, paused: false))
    worker.play(Generation(1), .cd, pcm)
    try #require(fixture.audible(atLeast: Self.rate / 2) != nil)
    fixture.sink.send(.pause)
    fixture.expect(.pauseFading)
    let stood = Int(try #require(fixture.standing()).count)
    try #require(recorder.sound() != nil)
    let silence = left(recorder.bytes).count
    #expect(fixture.standing() == Frames(stood), "the clock stands where it stood at the start of the fade")
    fixture.sink.send(.resume)
    fixture.expect("resumption") { if case .resumed(Generation(1), _) = $0 { true } else { nil } }
    fixture.expect(.finished(Generation(1)))
    _ = recorder.pieces.wait(from: recorder.pieces.count) { $0.bytes.contains { $0 != 0 } ? nil : true }
    let recording = left(recorder.bytes)

    // The sound before the ramp and on the ramp, up to the frame at which it stopped.
    let before = try #require(place(of: tone[8_000..<8_064], in: recording[..<silence])) - 8_000
    #expect(recording[before + 8_000..<before + stood - Self.fade].elementsEqual(tone[8_000..<stood - Self.fade]))
    let ramp = stood - Self.fade + Self.late
    expect(recording[(before + ramp)...], tone[ramp..<stood]) { stood - ramp - $0 }
    #expect(recording[before + stood..<silence].allSatisfy { $0 == 0 })
    // The sound from that frame to the end.
    let later = stood + 30_000
    let after = try #require(place(of: tone[later..<later + 64], in: recording[silence...])) - later
    #expect(recording[after + stood + Self.fade..<after + tone.count].elementsEqual(tone[(stood + Self.fade)...]))
    expect(recording[(after + stood)...], tone[stood..<stood + Self.fade]) { $0 }
    #expect(!fixture.events.all.contains { if case .underrun = $0.event { true } else { false } })
  }

  private func place(of piece: ArraySlice<Int>, in recording: ArraySlice<Int>) -> Int? {
    recording.indices.dropLast(piece.count).first { recording[$0..<$0 + piece.count].elementsEqual(piece) }
  }

  /// Expects that `recording` begins with `tone` under a ramp. `fromSilence` returns the distance in frames of a frame
  /// from the silent end of the ramp.
  private func expect(
    _ recording: ArraySlice<Int>, _ tone: ArraySlice<Int>, at location: SourceLocation = #_sourceLocation,
    fromSilence: (Int) -> Int
  ) {
    let worst = zip(recording, tone).enumerated().reduce(0.0) { worst, pair in
      let gain = (1 - cos(Double(fromSilence(pair.offset)) / Double(Self.fade) * Double.pi)) / 2
      return max(worst, abs(Double(pair.element.0) - Double(pair.element.1) * gain))
    }
    #expect(worst <= 1, sourceLocation: location)
  }

  @Test func aResumeDuringAFadeReversesTheRamp() throws {
    var worker = try StubWorker()
    try fadeLevel(3 * Self.rate, of: &worker, by: .pause, below: Self.loud / 2)
    fixture.sink.send(.resume)
    fixture.expect("resumption") { if case .resumed(Generation(1), _) = $0 { true } else { nil } }
    fixture.expect(.finished(Generation(1)))
    let (samples, step) = try sound()
    #expect(step < Self.smooth, "no step where the ramp is reversed")
    #expect(samples.contains { (1..<Self.loud / 2).contains($0) })
    #expect(samples.last == Self.loud)
    #expect(samples.count == 3 * Self.rate, "no frame is missing or repeated")
  }

  /// The server has less than a second of sound at that time: what it gets later is on the ramp as well.
  @Test func theLongestFadeComesBackOnARamp() throws {
    fixture.sink.send(.fadeLength(.seconds(1)))
    var worker = try StubWorker()
    try playLevel(4 * Self.rate, of: &worker)
    try #require(fixture.audible(atLeast: 18_000) != nil)
    fixture.sink.send(.pause)
    try #require(recorder.sound() != nil)
    fixture.sink.send(.resume)
    fixture.expect(.finished(Generation(1)))
    let samples = try sound().samples
    let rise = samples[try #require(samples.lastIndex(of: 0))...]
    #expect(largestStep(rise) < Self.loud / 64)
    #expect(samples.last == Self.loud)
  }

  /// During the fade back the sound is not at full level, and fades from its present level.
  @Test func aPauseDuringTheFadeBackReversesTheRampAgain() throws {
    var worker = try StubWorker()
    try fadeLevel(4 * Self.rate, of: &worker, by: .pause, below: Self.loud / 4)
    fixture.sink.send(.resume)
    fixture.sink.send(.pause)
    let (samples, step) = try sound()
    #expect(step < Self.smooth, "the level does not rise before it falls")
    #expect(samples.count < 2 * Self.rate)
    #expect(samples.contains { (1..<Self.loud / 4).contains($0) })
  }

  @Test func aFollowerCanBeEnqueuedDuringAFade() throws {
    var worker = try StubWorker()
    let frames = 2 * Self.rate
    try playLevel(frames, of: &worker)
    fixture.sink.send(.pause)
    fixture.sink.send(.enqueue(Generation(2), worker.ring, after: Generation(1)))
    try waitForSilence()
    worker.play(Generation(2), .cd, level(4_000, frames: Self.rate))
    fixture.sink.send(.resume)
    fixture.expect(.finished(Generation(2)))
    let samples = try sound().samples
    #expect(samples.suffix(Self.rate).allSatisfy { $0 == 4_000 })
    // Near silence, frames are 0.
    let first = samples.dropLast(Self.rate).count { $0 != 0 }
    #expect((frames - 400...frames).contains(first), "every frame of the first generation plays once: \(first) frames")
  }

  /// The sound stops at once in that case.
  @Test func aFollowerCanBeRemovedDuringAFade() throws {
    var worker = try StubWorker()
    fixture.sink.send(.play(Generation(1), worker.ring, paused: false))
    fixture.sink.send(.enqueue(Generation(2), worker.ring, after: Generation(1)))
    worker.play(Generation(1), .cd, level(Int16(Self.loud), frames: Self.rate))
    worker.play(Generation(2), .cd, level(-4_000, frames: Self.rate))
    try #require(fixture.audible(atLeast: 4_410) != nil)
    fixture.sink.send(.pause)
    fixture.sink.send(.finish(after: Generation(1)))
    try waitForSilence()
    fixture.sink.send(.resume)
    fixture.expect(.finished(Generation(1)))
    let samples = try sound().samples
    #expect(samples.last == Self.loud)
    #expect(!samples.contains(-4_000))
  }

  @Test func withoutAFadeLengthAPauseDoesNotFade() throws {
    fixture.sink.send(.fadeLength(.zero))
    var worker = try StubWorker()
    try playLevel(Self.rate, of: &worker)
    fixture.sink.send(.pause)
    try #require(fixture.standing() != nil)
    fixture.sink.send(.resume)
    fixture.expect(.finished(Generation(1)))
    #expect(!fixture.events.all.contains { $0.event == .pauseFading })
    _ = try #require(recorder.sound())
    #expect(left(recorder.bytes).allSatisfy { $0 == 0 || $0 == Self.loud })
  }

  // MARK: Stop

  /// A sink that renders ahead has a second of sound at that time, and returns it.
  @Test func soundThatTheSinkHasRenderedAheadFades() throws {
    let server = try PulseServer()
    let recorder = try server.record()
    let fixture = SinkFixture(server)
    // The monitor of a new null sink delivers nothing for two seconds.
    try #require(recorder.pieces.wait { $0.bytes.isEmpty ? nil : true } != nil)
    fixture.sink.send(.fadeLength(.milliseconds(500)))
    var worker = try StubWorker()
    fixture.sink.send(.play(Generation(1), worker.ring, paused: false))
    worker.play(Generation(1), .cd, level(Int16(Self.loud), frames: 3 * Self.rate))
    try #require(fixture.audible(atLeast: 4_410) != nil)
    fixture.sink.send(.stop)
    let recording = left(try #require(recorder.sound()))
    #expect(recording.count { $0 == Self.loud } < Self.rate / 2)
    let falling = recording.drop { $0 == Self.loud }.prefix { $0 != 0 }
    // The sink's monitor may contain a piece of the old sound that was not played.
    #expect(falling.count > Self.fade / 2)
    #expect(zip(falling, falling.dropFirst()).allSatisfy { $0 >= $1 })
  }

  @Test func aStopFades() throws {
    var worker = try StubWorker()
    try playLevel(2 * Self.rate, of: &worker)
    fixture.sink.send(.stop)
    fixture.sink.send(.release)
    fixture.expect(.closed)
    try waitUntil("the connection is closed") { try !server.pactl("list", "clients").contains("Segue test") }
    #expect(fixture.sink.clock.position(at: .now) == nil)
    let (samples, step) = try sound()
    #expect(step < Self.smooth)
    #expect(samples.count < Self.rate)
    let falling = samples.drop { $0 == Self.loud }
    #expect((Self.fade - Self.late...Self.fade).contains(falling.count))
    #expect(zip(falling, falling.dropFirst()).allSatisfy { $0 >= $1 })
    #expect(!fixture.events.all.contains { $0.event == .finished(Generation(1)) })
  }

  @Test func aStopDuringTheFadeOfAPauseLetsTheFadeEnd() throws {
    var worker = try StubWorker()
    try playLevel(2 * Self.rate, of: &worker)
    fixture.sink.send(.pause)
    fixture.sink.send(.stop)
    let (samples, step) = try sound()
    #expect(step < Self.smooth)
    #expect(samples.count < Self.rate)
    #expect(fixture.sink.clock.position(at: .now) == nil)
  }

  @Test func aPlayDuringAFadeStartsAtOnceAtFullLevel() throws {
    var worker = try StubWorker()
    try fadeLevel(2 * Self.rate, of: &worker, by: .stop, below: Self.loud)
    fixture.sink.send(.play(Generation(2), worker.ring, paused: false))
    worker.play(Generation(2), .cd, level(-4_000, frames: Self.rate / 2))
    fixture.expect(.finished(Generation(2)))
    let samples = try sound().samples
    let first = try #require(samples.firstIndex(of: -4_000))
    #expect(samples[..<first].contains { $0 > Self.loud / 2 })
    #expect(samples[first...].allSatisfy { $0 == -4_000 }, "the old sound has ended, and the new one is at full level")
    #expect(samples[first...].count == Self.rate / 2)
  }

  // MARK: Faults of the server

  /// A server that renders ahead renders again with every piece that is written again.
  @Test func aFadeCountsNoUnderrun() throws {
    let server = try PulseServer()
    let fixture = SinkFixture(server)
    fixture.sink.send(.fadeLength(.milliseconds(500)))
    var worker = try StubWorker()
    fixture.sink.send(.play(Generation(1), worker.ring, paused: false))
    worker.play(Generation(1), .cd, level(Int16(Self.loud), frames: 5 * Self.rate))
    try #require(fixture.audible(atLeast: 4_410) != nil)
    for step in 1...4 {
      fixture.sink.send(.pause)
      fixture.sink.send(.resume)
      try #require(fixture.audible(atLeast: 4_410 + step * Self.rate / 2) != nil)
    }
    fixture.sink.send(.stop)
    fixture.sink.send(.play(Generation(2), worker.ring, paused: false))
    worker.play(Generation(2), .cd, level(Int16(Self.loud), frames: 2 * Self.rate))
    fixture.expect(.finished(Generation(2)))
    #expect(!fixture.events.all.contains { if case .underrun = $0.event { true } else { false } })
  }

  /// A suspended sink plays nothing: the fade is over, and the clock stands still even after an immediate resume.
  @Test func aSinkCanBeSuspendedDuringAFade() throws {
    fixture.sink.send(.fadeLength(.seconds(1)))
    var worker = try StubWorker()
    try playLevel(4 * Self.rate, of: &worker)
    fixture.sink.send(.pause)
    try server.pactl("suspend-sink", "test", "1")
    // Responses come in the order of the requests: by then the sink knows of the suspension.
    fixture.sink.send(.listSinks(token: 1))
    fixture.expect("sinks") { if case .sinks(1, _) = $0 { true } else { nil } }
    fixture.sink.send(.resume)
    fixture.sink.send(.listSinks(token: 2))
    fixture.expect("sinks") { if case .sinks(2, _) = $0 { true } else { nil } }
    #expect(fixture.sink.clock.position(at: .now)?.advancing == false)
    let index = fixture.count
    try server.pactl("suspend-sink", "test", "0")
    fixture.expect(.finished(Generation(1)), from: index)
  }

  /// A stream that must be closed is closed, whatever command follows.
  @Test func aPauseAfterAReleaseDoesNotKeepTheStreamOpen() throws {
    var worker = try StubWorker()
    try playLevel(2 * Self.rate, of: &worker)
    fixture.sink.send(.release)
    fixture.sink.send(.pause)
    fixture.expect(.closed)
  }

  @Test(arguments: [SinkCommand.pause, .stop]) func aServerCanDieDuringAFade(_ command: SinkCommand) throws {
    var worker = try StubWorker()
    try fadeLevel(3 * Self.rate, of: &worker, by: command, below: Self.loud)
    server.kill()
    try server.start()
    let again = try server.record()
    try #require(again.pieces.wait { $0.bytes.isEmpty ? nil : true } != nil)
    fixture.sink.send(.play(Generation(2), worker.ring, paused: false))
    worker.play(Generation(2), .cd, level(5_000, frames: Self.rate / 2))
    fixture.expect(.finished(Generation(2)))
    #expect(left(try #require(again.sound())).contains(5_000))
    let losses = fixture.events.all.count { if case .lost = $0.event { true } else { false } }
    if case .stop = command { #expect(losses == 0) } else { #expect(losses == 1) }
  }
}
