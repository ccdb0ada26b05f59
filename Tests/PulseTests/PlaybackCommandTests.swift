import SeguePulse
import SegueRing
import SegueSystem
import SegueTestKit
import Testing

/// Play, pause, resume, stop, follow: what is heard, and what is said about it.
@Suite(.serialized) struct PlaybackCommandTests {
  let server: PulseServer
  let recorder: Recorder
  let probe: SinkFixture

  init() throws {
    server = try PulseServer([.pipe("test")])
    recorder = try server.readFIFO("test")
    probe = SinkFixture(server)
  }

  private func expectSound(_ pcm: [UInt8], at location: SourceLocation = #_sourceLocation) throws {
    let heard = try #require(recorder.sound(), sourceLocation: location)
    #expect(heard.prefix(pcm.count).elementsEqual(pcm), sourceLocation: location)
    #expect(heard.dropFirst(pcm.count).allSatisfy { $0 == 0 }, "silence follows", sourceLocation: location)
  }

  @Test func aClipShorterThanTheBufferIsHeardWhole() throws {
    var worker = try Worker()
    let clip = noise(4410, .cd)
    probe.sink.send(.play(Generation(1), worker.ring, paused: false))
    worker.play(Generation(1), .cd, clip)
    probe.expect(.finished(Generation(1)))
    try expectSound(clip)
  }

  @Test func aTrackWithoutFramesFinishes() throws {
    var worker = try Worker()
    probe.sink.send(.play(Generation(1), worker.ring, paused: false))
    worker.play(Generation(1), .cd, [])
    probe.expect(.finished(Generation(1)))
  }

  @Test func pauseAndResumeLoseNothing() throws {
    var worker = try Worker()
    let pcm = noise(66_150, .cd)
    probe.sink.send(.play(Generation(1), worker.ring, paused: false))
    worker.play(Generation(1), .cd, pcm)
    for milliseconds in [300, 500] {
      let start = try #require(probe.audible(atLeast: 44 * milliseconds))
      probe.sink.send(.pause)
      let stood = try #require(probe.standing())
      #expect(stood >= start)
      probe.sink.send(.resume)
    }
    probe.expect(.finished(Generation(1)))
    // Silence in between is what a pause is; the pipe sink cannot take back what it has already rendered.
    let heard = try #require(recorder.sound())
    #expect(withoutSilence(heard) == pcm)
  }

  @Test func aPausedPlayIsSilentUntilResumed() throws {
    var worker = try Worker()
    let pcm = noise(22_050, .cd)
    probe.sink.send(.play(Generation(1), worker.ring, paused: true))
    worker.play(Generation(1), .cd, pcm)
    probe.expect("opened") { if case .opened = $0 { true } else { nil } }
    #expect(probe.sink.clock.position(at: .now) == nil)
    #expect(!recorder.bytes.contains { $0 != 0 })
    probe.sink.send(.resume)
    probe.expect(.finished(Generation(1)))
    try expectSound(pcm)
  }

  @Test func theLatestOfManyPlaysIsHeard() throws {
    var worker = try Worker()
    let pcm = noise(22_050, .cd, seed: 9)
    for number in 1...8 {
      probe.sink.send(.play(Generation(UInt32(number)), worker.ring, paused: false))
      worker.begin(Generation(UInt32(number)), .cd)
      worker.write(noise(7 * number, .cd))
    }
    probe.sink.send(.play(Generation(9), worker.ring, paused: false))
    worker.play(Generation(9), .cd, pcm)
    probe.expect(.finished(Generation(9)))
    let heard = try #require(recorder.sound())
    #expect(withoutSilence(heard).suffix(pcm.count) == pcm[...])
    #expect(
      !probe.journal.all.contains { if case .finished(let other) = $0.event { other != Generation(9) } else { false } })
  }

  @Test func stopEndsTheSoundAndTheStreamStays() throws {
    var worker = try Worker()
    probe.sink.send(.play(Generation(1), worker.ring, paused: false))
    worker.begin(Generation(1), .cd)
    worker.write(noise(88_200, .cd))
    try #require(probe.audible(atLeast: 4410) != nil)
    probe.sink.send(.stop)
    let pcm = noise(8820, .cd, seed: 2)
    probe.sink.send(.play(Generation(2), worker.ring, paused: false))
    worker.play(Generation(2), .cd, pcm)
    probe.expect(.finished(Generation(2)))
    let opened = probe.journal.all.filter { if case .opened = $0.event { true } else { false } }
    #expect(opened.count == 1)
    #expect(probe.sink.clock.position(at: .now) == nil)
    probe.sink.send(.release)
    probe.expect(.closed)
  }

  @Test func anotherFormatIsHeardAfterTheEndOfTheFirst() throws {
    var worker = try Worker()
    let mono = AudioFormat(sample: .signed16, rate: .cd, channels: .mono)
    let one = noise(22_050, .cd)
    probe.sink.send(.play(Generation(1), worker.ring, paused: false))
    probe.sink.send(.enqueue(Generation(2), worker.ring, after: Generation(1)))
    worker.play(Generation(1), .cd, one)
    worker.play(Generation(2), mono, level(0x1234, frames: 22_050, channels: 1))
    probe.expect(.finished(Generation(2)))
    let heard = withoutSilence(try #require(recorder.sound()))
    #expect(heard.prefix(one.count) == one[...])
    #expect(heard.dropFirst(one.count).elementsEqual(level(0x1234, frames: 22_050)))
    #expect(!probe.journal.all.contains { $0.event == .finished(Generation(1)) })
  }

  @Test func inputThatEndsWithoutAMarkIsPlayedOut() throws {
    var worker = try Worker()
    let pcm = noise(30_000, .cd)
    probe.sink.send(.play(Generation(1), worker.ring, paused: false))
    worker.begin(Generation(1), .cd)
    worker.write(pcm)
    probe.sink.send(.endOfInput(Generation(1)))
    probe.expect(.finished(Generation(1)))
    try expectSound(pcm)
  }

  @Test func runningDryIsCountedAndMended() throws {
    var worker = try Worker()
    let one = noise(11_025, .cd)
    let two = noise(11_025, .cd, seed: 2)
    probe.sink.send(.play(Generation(1), worker.ring, paused: false))
    worker.begin(Generation(1), .cd)
    worker.write(one)
    probe.expect(.underrun(total: 1))
    #expect(probe.standing() == Frames(11_025))
    worker.write(two)
    worker.end(Generation(1), .cd)
    probe.expect(.finished(Generation(1)))
    #expect(withoutSilence(try #require(recorder.sound())) == one + two)
  }

  @Test func aBrokenRingIsReportedAndAnotherTakesOver() throws {
    var broken = try Worker()
    probe.sink.send(.play(Generation(1), broken.ring, paused: false))
    broken.begin(Generation(1), .cd)
    broken.write(Array(noise(22_050, .cd).dropLast(3)))
    broken.end(Generation(1), .cd)
    probe.expect("corrupt") { if case .ringCorrupted(Generation(1), _) = $0 { true } else { nil } }
    var worker = try Worker()
    let pcm = noise(8820, .cd)
    probe.sink.send(.play(Generation(2), worker.ring, paused: false))
    worker.play(Generation(2), .cd, pcm)
    probe.expect(.finished(Generation(2)))
  }
}
