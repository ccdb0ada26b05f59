import SegueOutput
import SeguePulse
import SegueRing
import SegueSystem
import SegueTestKit
import Testing

/// Tests that a new `play` ends the old sound, of which the server has seconds. The sink is one that can rewind.
@Suite(.serialized) struct SeekTests {
  private func count(_ value: Int16, in recorder: Recorder) -> Int {
    recorder.bytes.withUnsafeBytes { $0.bindMemory(to: Int16.self).count { $0 == value } } / 2
  }

  @Test func noFrameOfTheOldSoundFollowsTheNewSound() throws {
    let server = try PulseServer()
    let recorder = try server.record()
    let fixture = SinkFixture(server)
    // The monitor of a new null sink delivers nothing for two seconds.
    try #require(recorder.pieces.wait { $0.bytes.isEmpty ? nil : true } != nil)
    var worker = try StubWorker()
    let old = 88_200
    fixture.sink.send(.play(Generation(1), worker.ring, paused: false))
    worker.play(Generation(1), .cd, level(1111, frames: old))
    try #require(fixture.audible(atLeast: 4410) != nil)
    fixture.sink.send(.play(Generation(2), worker.ring, paused: false))
    worker.play(Generation(2), .cd, level(2222, frames: 22_050))
    fixture.expect(.finished(Generation(2)))
    _ = try #require(recorder.sound())
    let samples = recorder.bytes.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
    let firstNew = try #require(samples.firstIndex(of: 2222))
    #expect(samples.lastIndex(of: 1111).map { $0 < firstNew } == true)
    // A null sink's monitor may lose up to 20 ms at the start of a stream; more must be missing here.
    #expect(count(1111, in: recorder) < old - 4410)
    #expect((21_168...22_050).contains(count(2222, in: recorder)))
  }

  @Test func nothingPlaysAfterAStop() throws {
    let server = try PulseServer()
    let recorder = try server.record()
    let fixture = SinkFixture(server)
    try #require(recorder.pieces.wait { $0.bytes.isEmpty ? nil : true } != nil)
    var worker = try StubWorker()
    fixture.sink.send(.play(Generation(1), worker.ring, paused: false))
    worker.play(Generation(1), .cd, level(1111, frames: 88_200))
    try #require(fixture.audible(atLeast: 4410) != nil)
    fixture.sink.send(.stop)
    _ = try #require(recorder.sound())
    #expect(count(1111, in: recorder) < 88_200 - 4410)
    #expect(fixture.sink.clock.position(at: .now) == nil)
    #expect(!fixture.events.all.contains { $0.event == .finished(Generation(1)) })
  }
}
