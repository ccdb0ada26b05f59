import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of seeks in a track that is being decoded, which the worker decodes from another position without opening it
/// again. The track is longer than what the worker decodes ahead.
@Suite(.timeLimit(.minutes(2))) struct PlaybackRestartTests {
  private let fixture: DaemonFixture
  private static let length = 30 * Signal.rate

  init() throws {
    fixture = try DaemonFixture()
    try fixture.add([try fixture.track("long", 0..<Self.length)], play: true)
    try fixture.recording.wait(forFrame: 4_000)
  }

  /// Expects that frame `first` is played directly after the frames before the seek.
  private func expectSeek(to first: Int, at location: SourceLocation = #_sourceLocation) throws {
    try fixture.recording.wait(forFrame: first + 4_000)
    #expect(fixture.recording.recordedFrames.sound.map(\.first) == [0, first], sourceLocation: location)
    #expect(try fixture.errors().allSatisfy { $0 == nil }, sourceLocation: location)
  }

  @Test func aSeekInAFileThatHasChanged_playsTheNewFile() throws {
    try fixture.track("long", 5_000_000..<(5_000_000 + Self.length))
    try fixture.call("seek", #"{"position":25}"#)
    try expectSeek(to: 5_000_000 + 25 * Signal.rate)
  }

  /// The worker has not begun with the seek, which another one performs.
  @Test func aSeekWhoseWorkerIsKilled_isExact() throws {
    let worker = try fixture.decoder()
    kill(worker, SIGSTOP)
    let status = try fixture.call("seek", #"{"position":25}"#)
    #expect(status.state == .playing)
    kill(worker, SIGKILL)
    try expectSeek(to: 25 * Signal.rate)
    #expect(try fixture.client.call("daemon.stats")["workersLost"]?.int == 1)
  }

  @Test func aSeekWhoseWorkerHangs_isPerformedByAnotherOne() throws {
    kill(try fixture.decoder(), SIGSTOP)
    try fixture.call("seek", #"{"position":25}"#)
    try expectSeek(to: 25 * Signal.rate)
    #expect(try fixture.client.call("daemon.stats")["workersLost"]?.int == 1)
  }

  /// The worker performs all seeks after it has received the last one.
  @Test func theLastOfSeveralSeeksThatTheWorkerHasNotBegun_isExact() throws {
    let worker = try fixture.decoder()
    kill(worker, SIGSTOP)
    for position in [20, 5, 15, 25] { try fixture.call("seek", #"{"position":\#(position)}"#) }
    kill(worker, SIGCONT)
    try expectSeek(to: 25 * Signal.rate)
  }

  /// Playback stops when the track leaves the queue, although the worker begins with it again.
  @Test func aTrackThatLeavesTheQueueDuringASeek_isNotPlayed() throws {
    let next = try fixture.add([try fixture.track("next", 5_000_000..<(5_000_000 + Self.length))])
    let worker = try fixture.decoder()
    kill(worker, SIGSTOP)
    try fixture.call("seek", #"{"position":25}"#)
    let id = try #require(try fixture.ids().first)
    try fixture.call("queue.remove", #"{"ids":[\#(id)]}"#)
    kill(worker, SIGCONT)
    try fixture.call("play", #"{"id":\#(next[0])}"#)
    try expectSeek(to: 5_000_000)
  }
}
