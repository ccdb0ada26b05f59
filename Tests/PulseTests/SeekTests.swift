import SeguePulse
import SegueRing
import SegueSystem
import SegueTestKit
import Testing

/// A new `play` ends the old sound, though seconds of it lie at the server: a sink that can rewind shows it.
@Suite(.serialized) struct SeekTests {
  private func count(_ value: Int16, in recorder: Recorder) -> Int {
    recorder.bytes.withUnsafeBytes { $0.bindMemory(to: Int16.self).count { $0 == value } } / 2
  }

  @Test func noOldFrameFollowsTheFirstNewOne() throws {
    let server = try PulseServer()
    let recorder = try server.record()
    let probe = SinkFixture(server)
    // The monitor of a new null sink begins to speak after two seconds.
    try #require(recorder.pieces.wait { $0.bytes.isEmpty ? nil : true } != nil)
    var worker = try Worker()
    let old = 88_200
    probe.sink.send(.play(Generation(1), worker.ring, paused: false))
    worker.play(Generation(1), .cd, level(1111, frames: old))
    try #require(probe.audible(atLeast: 4410) != nil)
    probe.sink.send(.play(Generation(2), worker.ring, paused: false))
    worker.play(Generation(2), .cd, level(2222, frames: 22_050))
    probe.expect(.finished(Generation(2)))
    _ = try #require(recorder.sound())
    let samples = recorder.bytes.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
    let firstNew = try #require(samples.firstIndex(of: 2222))
    #expect(samples.lastIndex(of: 1111).map { $0 < firstNew } == true)
    // Up to 20 ms hide in a null sink's monitor where a stream starts; more must be missing here.
    #expect(count(1111, in: recorder) < old - 4410)
    #expect((21_168...22_050).contains(count(2222, in: recorder)))
  }

  @Test func nothingIsHeardAfterStop() throws {
    let server = try PulseServer()
    let recorder = try server.record()
    let probe = SinkFixture(server)
    try #require(recorder.pieces.wait { $0.bytes.isEmpty ? nil : true } != nil)
    var worker = try Worker()
    probe.sink.send(.play(Generation(1), worker.ring, paused: false))
    worker.play(Generation(1), .cd, level(1111, frames: 88_200))
    try #require(probe.audible(atLeast: 4410) != nil)
    probe.sink.send(.stop)
    _ = try #require(recorder.sound())
    #expect(count(1111, in: recorder) < 88_200 - 4410)
    #expect(probe.sink.clock.position(at: .now) == nil)
    #expect(!probe.journal.all.contains { $0.event == .finished(Generation(1)) })
  }
}
