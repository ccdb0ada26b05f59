import Glibc
import SeguePulse
import SegueRing
import SegueSystem
import SegueTestKit
import Testing

/// The short fade on pause and stop, heard frame by frame. The sink can take nothing back: what it has taken is heard as
/// it was, and the ramp lies behind that.
@Suite(.serialized) struct FadeTests {
  private static let rate = 44_100
  private static let fade = 22_050
  /// By so many frames a server without time may come too late for the beginning of a ramp.
  private static let late = fade / 2
  private let server: PulseServer
  private let recorder: Recorder
  private let probe: SinkFixture

  init() throws {
    server = try PulseServer([.pipe("test")])
    recorder = try server.readFIFO("test")
    probe = SinkFixture(server)
    probe.sink.send(.fadeLength(.milliseconds(500)))
  }

  // MARK: What was heard

  /// The left channel.
  private func left(_ bytes: [UInt8]) -> [Int] {
    bytes.withUnsafeBytes { raw in
      let samples = raw.bindMemory(to: Int16.self)
      return stride(from: 0, to: samples.count - 1, by: 2).map { Int(samples[$0]) }
    }
  }

  /// So many frames of one level, played as generation 1.
  private func playLevel(_ frames: Int, of worker: inout Worker) throws {
    probe.sink.send(.play(Generation(1), worker.ring, paused: false))
    worker.play(Generation(1), .cd, level(Int16(Self.loud), frames: frames))
    try #require(probe.audible(atLeast: 4_410) != nil)
  }

  private static let loud = 16_000

  /// The same, until a fade of a second that `order` begins has it this low.
  private func fadeLevel(
    _ frames: Int, of worker: inout Worker, by order: SinkCommand, below limit: Int
  ) throws {
    probe.sink.send(.fadeLength(.seconds(1)))
    try playLevel(frames, of: &worker)
    probe.sink.send(order)
    try waitForLevel(below: limit)
  }

  /// Waits until what is heard is this low.
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

  /// The sound without the silence around it, and the farthest that two frames of it in a row are apart.
  private func sound() throws -> (samples: ArraySlice<Int>, step: Int) {
    _ = try #require(recorder.sound())
    let all = left(recorder.bytes)
    let samples = all[try #require(all.firstIndex { $0 != 0 })...(try #require(all.lastIndex { $0 != 0 }))]
    return (samples, farthest(samples))
  }

  private func farthest(_ samples: ArraySlice<Int>) -> Int {
    zip(samples, samples.dropFirst()).reduce(0) { max($0, abs($1.0 - $1.1)) }
  }

  /// Half a cosine moves by 3 from frame to frame; where its beginning is missing, by more, but never as a cut would.
  private static let smooth = loud / 2

  // MARK: Pause

  @Test func aPauseFadesAndGoesOnWithTheFirstSilentFrame() throws {
    var worker = try Worker()
    let pcm = noise(3 * Self.rate, .cd)
    let tone = left(pcm)
    probe.sink.send(.play(Generation(1), worker.ring, paused: false))
    worker.play(Generation(1), .cd, pcm)
    try #require(probe.audible(atLeast: Self.rate / 2) != nil)
    probe.sink.send(.pause)
    probe.expect(.pauseFading)
    let stood = Int(try #require(probe.standing()).count)
    try #require(recorder.sound() != nil)
    let silence = left(recorder.bytes).count
    #expect(probe.standing() == Frames(stood), "it stands where it said")
    probe.sink.send(.resume)
    probe.expect("going on") { if case .resumed(Generation(1), _) = $0 { true } else { nil } }
    probe.expect(.finished(Generation(1)))
    _ = recorder.pieces.wait(from: recorder.pieces.count) { $0.bytes.contains { $0 != 0 } ? nil : true }
    let heard = left(recorder.bytes)

    // Before the ramp and on it, to the frame where it stood.
    let before = try #require(place(of: tone[8_000..<8_064], in: heard[..<silence])) - 8_000
    #expect(heard[before + 8_000..<before + stood - Self.fade].elementsEqual(tone[8_000..<stood - Self.fade]))
    let ramp = stood - Self.fade + Self.late
    expect(heard[(before + ramp)...], tone[ramp..<stood]) { stood - ramp - $0 }
    #expect(heard[before + stood..<silence].allSatisfy { $0 == 0 })
    // From that frame on, and to the end.
    let later = stood + 30_000
    let after = try #require(place(of: tone[later..<later + 64], in: heard[silence...])) - later
    #expect(heard[after + stood + Self.fade..<after + tone.count].elementsEqual(tone[(stood + Self.fade)...]))
    expect(heard[(after + stood)...], tone[stood..<stood + Self.fade]) { $0 }
    #expect(!probe.journal.all.contains { if case .underrun = $0.event { true } else { false } })
  }

  private func place(of piece: ArraySlice<Int>, in heard: ArraySlice<Int>) -> Int? {
    heard.indices.dropLast(piece.count).first { heard[$0..<$0 + piece.count].elementsEqual(piece) }
  }

  /// Whether `heard` begins with `tone` as it is where the sound is so far, in frames, from silence.
  private func expect(
    _ heard: ArraySlice<Int>, _ tone: ArraySlice<Int>, at location: SourceLocation = #_sourceLocation,
    fromSilence: (Int) -> Int
  ) {
    let worst = zip(heard, tone).enumerated().reduce(0.0) { worst, pair in
      let gain = (1 - cos(Double(fromSilence(pair.offset)) / Double(Self.fade) * Double.pi)) / 2
      return max(worst, abs(Double(pair.element.0) - Double(pair.element.1) * gain))
    }
    #expect(worst <= 1, sourceLocation: location)
  }

  @Test func aSecondPressTurnsTheRampRound() throws {
    var worker = try Worker()
    try fadeLevel(3 * Self.rate, of: &worker, by: .pause, below: Self.loud / 2)
    probe.sink.send(.resume)
    probe.expect("going on") { if case .resumed(Generation(1), _) = $0 { true } else { nil } }
    probe.expect(.finished(Generation(1)))
    let (samples, step) = try sound()
    #expect(step < Self.smooth, "no corner where it turns")
    #expect(samples.contains { (1..<Self.loud / 2).contains($0) })
    #expect(samples.last == Self.loud)
    #expect(samples.count == 3 * Self.rate, "not one frame is missing, or comes twice")
  }

  /// The server has less than that by then: what it gets later is on the ramp as well.
  @Test func theLongestFadeComesBackSoftly() throws {
    probe.sink.send(.fadeLength(.seconds(1)))
    var worker = try Worker()
    try playLevel(4 * Self.rate, of: &worker)
    try #require(probe.audible(atLeast: 18_000) != nil)
    probe.sink.send(.pause)
    try #require(recorder.sound() != nil)
    probe.sink.send(.resume)
    probe.expect(.finished(Generation(1)))
    let samples = try sound().samples
    let rise = samples[try #require(samples.lastIndex(of: 0))...]
    #expect(farthest(rise) < Self.loud / 64)
    #expect(samples.last == Self.loud)
  }

  /// On its way back it is soft still, and falls from there.
  @Test func aThirdPressTurnsItRoundAgain() throws {
    var worker = try Worker()
    try fadeLevel(4 * Self.rate, of: &worker, by: .pause, below: Self.loud / 4)
    probe.sink.send(.resume)
    probe.sink.send(.pause)
    let (samples, step) = try sound()
    #expect(step < Self.smooth, "it does not get loud to fall")
    #expect(samples.count < 2 * Self.rate)
    #expect(samples.contains { (1..<Self.loud / 4).contains($0) })
  }

  @Test func whatFollowsMayBeToldWhileItFades() throws {
    var worker = try Worker()
    let frames = 2 * Self.rate
    try playLevel(frames, of: &worker)
    probe.sink.send(.pause)
    probe.sink.send(.enqueue(Generation(2), worker.ring, after: Generation(1)))
    try waitForSilence()
    worker.play(Generation(2), .cd, level(4_000, frames: Self.rate))
    probe.sink.send(.resume)
    probe.expect(.finished(Generation(2)))
    let samples = try sound().samples
    #expect(samples.suffix(Self.rate).allSatisfy { $0 == 4_000 })
    // Near silence a frame is 0.
    let first = samples.dropLast(Self.rate).count { $0 != 0 }
    #expect((frames - 400...frames).contains(first), "of the first all is heard once: \(first) frames")
  }

  /// Then it stands at once.
  @Test func whatFollowsMayBeTakenBackWhileItFades() throws {
    var worker = try Worker()
    probe.sink.send(.play(Generation(1), worker.ring, paused: false))
    probe.sink.send(.enqueue(Generation(2), worker.ring, after: Generation(1)))
    worker.play(Generation(1), .cd, level(Int16(Self.loud), frames: Self.rate))
    worker.play(Generation(2), .cd, level(-4_000, frames: Self.rate))
    try #require(probe.audible(atLeast: 4_410) != nil)
    probe.sink.send(.pause)
    probe.sink.send(.finish(after: Generation(1)))
    try waitForSilence()
    probe.sink.send(.resume)
    probe.expect(.finished(Generation(1)))
    let samples = try sound().samples
    #expect(samples.last == Self.loud)
    #expect(!samples.contains(-4_000))
  }

  @Test func withoutFadeAPauseIsThatOfBefore() throws {
    probe.sink.send(.fadeLength(.zero))
    var worker = try Worker()
    try playLevel(Self.rate, of: &worker)
    probe.sink.send(.pause)
    try #require(probe.standing() != nil)
    probe.sink.send(.resume)
    probe.expect(.finished(Generation(1)))
    #expect(!probe.journal.all.contains { $0.event == .pauseFading })
    _ = try #require(recorder.sound())
    #expect(left(recorder.bytes).allSatisfy { $0 == 0 || $0 == Self.loud })
  }

  // MARK: Stop

  /// A sink that renders ahead has a second of sound by then, and gives it back.
  @Test func whatWasRenderedAheadFades() throws {
    let server = try PulseServer()
    let recorder = try server.record()
    let probe = SinkFixture(server)
    // The monitor of a new null sink begins to speak after two seconds.
    try #require(recorder.pieces.wait { $0.bytes.isEmpty ? nil : true } != nil)
    probe.sink.send(.fadeLength(.milliseconds(500)))
    var worker = try Worker()
    probe.sink.send(.play(Generation(1), worker.ring, paused: false))
    worker.play(Generation(1), .cd, level(Int16(Self.loud), frames: 3 * Self.rate))
    try #require(probe.audible(atLeast: 4_410) != nil)
    probe.sink.send(.stop)
    let heard = left(try #require(recorder.sound()))
    #expect(heard.count { $0 == Self.loud } < Self.rate / 2)
    let falling = heard.drop { $0 == Self.loud }.prefix { $0 != 0 }
    // Its monitor may tell of a piece of the old sound that nobody heard.
    #expect(falling.count > Self.fade / 2)
    #expect(zip(falling, falling.dropFirst()).allSatisfy { $0 >= $1 })
  }

  @Test func aStopFades() throws {
    var worker = try Worker()
    try playLevel(2 * Self.rate, of: &worker)
    probe.sink.send(.stop)
    probe.sink.send(.release)
    probe.expect(.closed)
    #expect(probe.sink.clock.position(at: .now) == nil)
    let (samples, step) = try sound()
    #expect(step < Self.smooth)
    #expect(samples.count < Self.rate)
    let falling = samples.drop { $0 == Self.loud }
    #expect((Self.fade - Self.late...Self.fade).contains(falling.count))
    #expect(zip(falling, falling.dropFirst()).allSatisfy { $0 >= $1 })
    #expect(!probe.journal.all.contains { $0.event == .finished(Generation(1)) })
  }

  @Test func aStopDuringTheFadeOfAPauseLetsItEnd() throws {
    var worker = try Worker()
    try playLevel(2 * Self.rate, of: &worker)
    probe.sink.send(.pause)
    probe.sink.send(.stop)
    let (samples, step) = try sound()
    #expect(step < Self.smooth)
    #expect(samples.count < Self.rate)
    #expect(probe.sink.clock.position(at: .now) == nil)
  }

  @Test func whatIsPlayedMeanwhileIsHeardAtOnce() throws {
    var worker = try Worker()
    try fadeLevel(2 * Self.rate, of: &worker, by: .stop, below: Self.loud)
    probe.sink.send(.play(Generation(2), worker.ring, paused: false))
    worker.play(Generation(2), .cd, level(-4_000, frames: Self.rate / 2))
    probe.expect(.finished(Generation(2)))
    let samples = try sound().samples
    let first = try #require(samples.firstIndex(of: -4_000))
    #expect(samples[..<first].contains { $0 > Self.loud / 2 })
    #expect(samples[first...].allSatisfy { $0 == -4_000 }, "the old sound is over, and the new one at full level")
    #expect(samples[first...].count == Self.rate / 2)
  }

  // MARK: Trouble

  /// A server that renders ahead has to do that again with every piece that is written again.
  @Test func noUnderrunIsCountedForAFade() throws {
    let server = try PulseServer()
    let probe = SinkFixture(server)
    probe.sink.send(.fadeLength(.milliseconds(500)))
    var worker = try Worker()
    probe.sink.send(.play(Generation(1), worker.ring, paused: false))
    worker.play(Generation(1), .cd, level(Int16(Self.loud), frames: 5 * Self.rate))
    try #require(probe.audible(atLeast: 4_410) != nil)
    for step in 1...4 {
      probe.sink.send(.pause)
      probe.sink.send(.resume)
      try #require(probe.audible(atLeast: 4_410 + step * Self.rate / 2) != nil)
    }
    probe.sink.send(.stop)
    probe.sink.send(.play(Generation(2), worker.ring, paused: false))
    worker.play(Generation(2), .cd, level(Int16(Self.loud), frames: 2 * Self.rate))
    probe.expect(.finished(Generation(2)))
    #expect(!probe.journal.all.contains { if case .underrun = $0.event { true } else { false } })
  }

  /// A suspended sink plays nothing: the fade is over, and so it stands after the resume that follows at once.
  @Test func aSinkMayBeSuspendedOnTheRamp() throws {
    probe.sink.send(.fadeLength(.seconds(1)))
    var worker = try Worker()
    try playLevel(4 * Self.rate, of: &worker)
    probe.sink.send(.pause)
    try server.control("suspend-sink", "test", "1")
    // What was asked later is answered later: it has heard of that.
    probe.sink.send(.listSinks(token: 1))
    probe.expect("sinks") { if case .sinks(1, _) = $0 { true } else { nil } }
    probe.sink.send(.resume)
    probe.sink.send(.listSinks(token: 2))
    probe.expect("sinks") { if case .sinks(2, _) = $0 { true } else { nil } }
    #expect(probe.sink.clock.position(at: .now)?.advancing == false)
    let index = probe.count
    try server.control("suspend-sink", "test", "0")
    probe.expect(.finished(Generation(1)), from: index)
  }

  /// A stream that is to be closed is closed, whatever else is ordered.
  @Test func aPauseBehindAReleaseHoldsNothingUp() throws {
    var worker = try Worker()
    try playLevel(2 * Self.rate, of: &worker)
    probe.sink.send(.release)
    probe.sink.send(.pause)
    probe.expect(.closed)
  }

  @Test(arguments: [SinkCommand.pause, .stop]) func aServerMayDieOnTheRamp(_ order: SinkCommand) throws {
    var worker = try Worker()
    try fadeLevel(3 * Self.rate, of: &worker, by: order, below: Self.loud)
    server.kill()
    try server.start()
    let again = try server.record()
    try #require(again.pieces.wait { $0.bytes.isEmpty ? nil : true } != nil)
    probe.sink.send(.play(Generation(2), worker.ring, paused: false))
    worker.play(Generation(2), .cd, level(5_000, frames: Self.rate / 2))
    probe.expect(.finished(Generation(2)))
    #expect(left(try #require(again.sound())).contains(5_000))
    let losses = probe.journal.all.count { if case .lost = $0.event { true } else { false } }
    if case .stop = order { #expect(losses == 0) } else { #expect(losses == 1) }
  }
}
