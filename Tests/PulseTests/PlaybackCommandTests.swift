import SegueOutput
import SeguePulse
import SegueRing
import SegueSystem
import SegueTestKit
import Testing

/// Tests of the commands play, pause, resume, stop and enqueue: the recorded sound, and the events.
@Suite(.serialized) final class PlaybackCommandTests: PipeFixture {
  private func expectSound(_ pcm: [UInt8], at location: SourceLocation = #_sourceLocation) throws {
    let recording = try #require(recorder.sound(), sourceLocation: location)
    #expect(recording.prefix(pcm.count).elementsEqual(pcm), sourceLocation: location)
    #expect(recording.dropFirst(pcm.count).allSatisfy { $0 == 0 }, "silence follows", sourceLocation: location)
  }

  @Test func aClipShorterThanTheBufferPlaysCompletely() throws {
    var worker = try StubWorker()
    let clip = noise(4410, .cd)
    fixture.sink.send(.play(Generation(1), worker.ring, paused: false))
    worker.play(Generation(1), .cd, clip)
    fixture.expect(.finished(Generation(1)))
    try expectSound(clip)
  }

  @Test func aTrackWithoutFramesFinishes() throws {
    var worker = try StubWorker()
    fixture.sink.send(.play(Generation(1), worker.ring, paused: false))
    worker.play(Generation(1), .cd, [])
    fixture.expect(.finished(Generation(1)))
  }

  @Test func pauseAndResumeLoseNoFrame() throws {
    var worker = try StubWorker()
    let pcm = noise(66_150, .cd)
    fixture.sink.send(.play(Generation(1), worker.ring, paused: false))
    worker.play(Generation(1), .cd, pcm)
    for milliseconds in [300, 500] {
      let start = try #require(fixture.audible(atLeast: 44 * milliseconds))
      fixture.sink.send(.pause)
      let stood = try #require(fixture.standing())
      #expect(stood >= start)
      fixture.sink.send(.resume)
    }
    fixture.expect(.finished(Generation(1)))
    // The pauses are silent. The pipe sink cannot rewind what it has rendered already.
    let recording = try #require(recorder.sound())
    #expect(withoutSilence(recording) == pcm)
  }

  @Test func aPausedPlayIsSilentUntilResumed() throws {
    var worker = try StubWorker()
    let pcm = noise(22_050, .cd)
    fixture.sink.send(.play(Generation(1), worker.ring, paused: true))
    worker.play(Generation(1), .cd, pcm)
    fixture.expect("opened") { if case .opened = $0 { true } else { nil } }
    #expect(fixture.sink.clock.position(at: .now) == nil)
    #expect(!recorder.bytes.contains { $0 != 0 })
    fixture.sink.send(.resume)
    fixture.expect(.finished(Generation(1)))
    try expectSound(pcm)
  }

  @Test func onlyTheLastOfManyPlaysFinishes() throws {
    var worker = try StubWorker()
    let pcm = noise(22_050, .cd, seed: 9)
    for number in 1...8 {
      fixture.sink.send(.play(Generation(UInt32(number)), worker.ring, paused: false))
      worker.begin(Generation(UInt32(number)), .cd)
      worker.write(noise(7 * number, .cd))
    }
    fixture.sink.send(.play(Generation(9), worker.ring, paused: false))
    worker.play(Generation(9), .cd, pcm)
    fixture.expect(.finished(Generation(9)))
    let recording = try #require(recorder.sound())
    #expect(withoutSilence(recording).suffix(pcm.count) == pcm[...])
    #expect(
      !fixture.events.all.contains { if case .finished(let other) = $0.event { other != Generation(9) } else { false } }
    )
  }

  @Test func aStopEndsTheSoundAndKeepsTheStream() throws {
    var worker = try StubWorker()
    fixture.sink.send(.play(Generation(1), worker.ring, paused: false))
    worker.begin(Generation(1), .cd)
    worker.write(noise(88_200, .cd))
    try #require(fixture.audible(atLeast: 4410) != nil)
    fixture.sink.send(.stop)
    let pcm = noise(8820, .cd, seed: 2)
    fixture.sink.send(.play(Generation(2), worker.ring, paused: false))
    worker.play(Generation(2), .cd, pcm)
    fixture.expect(.finished(Generation(2)))
    let opened = fixture.events.all.filter { if case .opened = $0.event { true } else { false } }
    #expect(opened.count == 1)
    #expect(fixture.sink.clock.position(at: .now) == nil)
    fixture.sink.send(.release)
    fixture.expect(.closed)
  }

  /// Libpulse keeps the memory of a connection for as long as the connection exists.
  @Test func aReleaseClosesTheConnectionAndTheNextSoundOpensAnother() throws {
    var worker = try StubWorker()
    fixture.sink.send(.play(Generation(1), worker.ring, paused: false))
    worker.begin(Generation(1), .cd)
    worker.write(noise(88_200, .cd))
    try #require(fixture.audible(atLeast: 4410) != nil)
    #expect(try server.pactl("list", "clients").contains("Segue test"))
    fixture.sink.send(.release)
    try waitUntil("the connection is closed") { try !server.pactl("list", "clients").contains("Segue test") }
    let pcm = noise(8820, .cd, seed: 2)
    fixture.sink.send(.play(Generation(2), worker.ring, paused: false))
    worker.play(Generation(2), .cd, pcm)
    fixture.expect(.finished(Generation(2)))
  }

  @Test func anotherFormatPlaysAfterTheEndOfTheFirst() throws {
    var worker = try StubWorker()
    let mono = AudioFormat(sample: .signed16, rate: .cd, channels: .mono)
    let one = noise(22_050, .cd)
    fixture.sink.send(.play(Generation(1), worker.ring, paused: false))
    fixture.sink.send(.enqueue(Generation(2), worker.ring, after: Generation(1)))
    worker.play(Generation(1), .cd, one)
    worker.play(Generation(2), mono, level(0x1234, frames: 22_050, channels: 1))
    fixture.expect(.finished(Generation(2)))
    let recording = withoutSilence(try #require(recorder.sound()))
    #expect(recording.prefix(one.count) == one[...])
    #expect(recording.dropFirst(one.count).elementsEqual(level(0x1234, frames: 22_050)))
    #expect(!fixture.events.all.contains { $0.event == .finished(Generation(1)) })
  }

  @Test func inputThatEndsWithoutAnEndMarkerPlaysToItsEnd() throws {
    var worker = try StubWorker()
    let pcm = noise(30_000, .cd)
    fixture.sink.send(.play(Generation(1), worker.ring, paused: false))
    worker.begin(Generation(1), .cd)
    worker.write(pcm)
    fixture.sink.send(.endOfInput(Generation(1)))
    fixture.expect(.finished(Generation(1)))
    try expectSound(pcm)
  }

  @Test func anUnderrunIsCountedAndPlaybackContinues() throws {
    var worker = try StubWorker()
    let one = noise(11_025, .cd)
    let two = noise(11_025, .cd, seed: 2)
    fixture.sink.send(.play(Generation(1), worker.ring, paused: false))
    worker.begin(Generation(1), .cd)
    worker.write(one)
    fixture.expect(.underrun(total: 1))
    #expect(fixture.standing() == Frames(11_025))
    worker.write(two)
    worker.end(Generation(1), .cd)
    fixture.expect(.finished(Generation(1)))
    #expect(withoutSilence(try #require(recorder.sound())) == one + two)
  }

  @Test func aCorruptRingIsReportedAndAnotherRingCanPlay() throws {
    var broken = try StubWorker()
    fixture.sink.send(.play(Generation(1), broken.ring, paused: false))
    broken.begin(Generation(1), .cd)
    broken.write(Array(noise(22_050, .cd).dropLast(3)))
    broken.end(Generation(1), .cd)
    fixture.expect("corrupt") { if case .ringCorrupted(Generation(1), _) = $0 { true } else { nil } }
    var worker = try StubWorker()
    let pcm = noise(8820, .cd)
    fixture.sink.send(.play(Generation(2), worker.ring, paused: false))
    worker.play(Generation(2), .cd, pcm)
    fixture.expect(.finished(Generation(2)))
  }
}
