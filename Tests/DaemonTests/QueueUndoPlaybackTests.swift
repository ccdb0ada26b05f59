import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of `queue.undo` and `queue.redo` during playback.
@Suite struct QueueUndoPlaybackTests {
  let fixture: DaemonFixture
  /// Two tracks, of which the first plays.
  let ids: [Int]

  init() throws {
    fixture = try DaemonFixture()
    ids = try fixture.add(try fixture.album([60_000, 30_000]), play: true)
    try fixture.recording.wait(forFrame: 4_000)
  }

  private func unrelatedTrack() throws -> FilePath { try fixture.track("unrelated", 1_000_000..<1_030_000) }

  private func replace() throws {
    try fixture.client.call("queue.replace", #"{"uris":\#(fixture.list([FileURI.encode(try unrelatedTrack())]))}"#)
  }

  @Test func theCurrentTrackContinuesWithoutInterruption() throws {
    try fixture.client.call("queue.remove", #"{"ids":[\#(ids[1])]}"#)
    try fixture.client.call("queue.undo")
    try fixture.client.call("queue.redo")
    try fixture.client.call("queue.undo")
    #expect(try fixture.ids() == ids)
    try fixture.recording.waitForSilence()
    #expect(fixture.recording.recordedFrames.sound == [RecordedFrames.Run(first: 0, count: 90_000)])
  }

  @Test func aTrackThatPlaysInPlaceOfARemovedOneContinues() throws {
    try fixture.client.call("queue.remove", #"{"ids":[\#(ids[0])]}"#)
    try fixture.recording.wait(forFrame: 61_000)
    try fixture.client.call("queue.undo")
    let status = try fixture.status()
    #expect(status.track?.id == UInt64(ids[1]))
    #expect(status.index == 1)
    try fixture.recording.waitForSilence()
    #expect(fixture.recording.recordedFrames.sound.last == RecordedFrames.Run(first: 60_000, count: 30_000))
  }

  @Test func undoingAReplacementReturnsToTheTrackAtItsPosition() throws {
    try replace()
    try fixture.recording.wait(forFrame: 1_002_000)
    try fixture.client.call("queue.undo")
    #expect(try fixture.ids() == ids)
    let status = try fixture.status()
    #expect(status.state == .playing)
    #expect(status.track?.id == UInt64(ids[0]))
    try fixture.recording.waitForSilence()
    let sound = fixture.recording.recordedFrames.sound
    #expect(sound.count == 3)
    #expect(try #require(sound.last?.first) > 1_000, "the track does not start again")
    #expect(sound.last?.end == 90_000)
  }

  @Test func aPausedTrackIsPausedAtItsPositionAfterUndoAndRedo() throws {
    try fixture.call("pause")
    let paused = try fixture.call("seek", #"{"position":0.75}"#)
    try replace()
    let other = try fixture.status()
    #expect(other.state == .paused)
    try fixture.client.call("queue.undo")
    let undone = try fixture.status()
    #expect(undone.state == .paused)
    #expect(undone.track?.id == UInt64(ids[0]))
    #expect(undone.position == paused.position)
    try fixture.client.call("queue.redo")
    let redone = try fixture.status()
    #expect(redone.state == .paused)
    #expect(redone.track?.id == other.track?.id)
  }

  @Test func undoingAClearedQueueIsPausedWhereItWasCleared() throws {
    try fixture.client.call("queue.clear")
    #expect(try fixture.status().state == .stopped)
    // The position is kept across a restart.
    fixture.daemon.kill()
    try fixture.daemon.start()
    try fixture.reconnect()
    try fixture.client.call("queue.undo")
    let status = try fixture.status()
    #expect(status.state == .paused)
    #expect(status.track?.id == UInt64(ids[0]))
    #expect(try #require(status.position) > .milliseconds(20))
    fixture.recording.discard()
    try fixture.call("play")
    try fixture.recording.waitForSilence()
    #expect(fixture.recording.recordedFrames.sound.last?.end == 90_000)
  }

  @Test func aStoppedQueueStaysStoppedAfterAnUndo() throws {
    try fixture.call("stop")
    try fixture.client.call("queue.clear")
    try fixture.client.call("queue.undo")
    let status = try fixture.status()
    #expect(status.state == .stopped)
    #expect(status.track?.id == UInt64(ids[0]))
  }

  @Test func undoingTheAdditionOfThePlayingTrackPlaysTheNext() throws {
    try fixture.add([try unrelatedTrack()], at: #""next""#, play: true)
    try fixture.recording.wait(forFrame: 1_002_000)
    try fixture.client.call("queue.undo")
    #expect(try fixture.status().track?.id == UInt64(ids[1]))
    try fixture.recording.waitForSilence()
    #expect(fixture.recording.recordedFrames.sound.last == RecordedFrames.Run(first: 60_000, count: 30_000))
  }

  @Test func consumedTracksDoNotReturn() throws {
    try fixture.client.call("consume", #"{"on":true}"#)
    try fixture.call("next")
    #expect(try fixture.ids() == [ids[1]])
    try fixture.client.call("queue.clear")
    try fixture.client.call("queue.undo")
    #expect(try fixture.ids() == [ids[1]])
    try fixture.client.call("queue.undo")
    #expect(try fixture.ids() == [])
    try fixture.client.call("queue.redo")
    #expect(try fixture.ids() == [ids[1]])
  }
}
