import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of changes of the queue during playback, also directly before a track boundary.
@Suite struct QueueEditTests {
  let fixture: DaemonFixture
  /// Plays two tracks. The first is audible, and the second is decoded and partly buffered by the server.
  let ids: [Int]

  init() throws {
    fixture = try DaemonFixture()
    ids = try fixture.add(try fixture.album([60_000, 30_000]), play: true)
    try fixture.recording.wait(forFrame: 4_000)
  }

  /// Makes an unrelated track.
  private func unrelatedTrack() throws -> FilePath {
    try fixture.track("unrelated", 1_000_000..<1_030_000)
  }

  @Test func aRemovedNextTrackIsNotPlayed() throws {
    try fixture.client.call("queue.remove", #"{"ids":[\#(ids[1])]}"#)
    try fixture.recording.waitForSilence()
    #expect(fixture.recording.recordedFrames.sound == [RecordedFrames.Run(first: 0, count: 60_000)])
  }

  @Test func aTrackInsertedNextPlaysNext() throws {
    try fixture.add([try unrelatedTrack()], at: #""next""#)
    try fixture.recording.waitForSilence()
    let expected = [
      RecordedFrames.Run(first: 0, count: 60_000), RecordedFrames.Run(first: 1_000_000, count: 30_000),
      RecordedFrames.Run(first: 60_000, count: 30_000),
    ]
    #expect(fixture.recording.recordedFrames.sound == expected)
    #expect(
      fixture.recording.recordedFrames.runs.filter { $0.first == nil }.count <= 2,
      "there is a gap: \(fixture.recording.recordedFrames)")
  }

  /// The next track is changed repeatedly until the boundary.
  @Test func editingTheQueueKeepsTheBoundaryExact() throws {
    var inserted: [Int] = []
    let path = try unrelatedTrack()
    var edits = 0
    while fixture.recording.recordedFrames.sound.last.map({ $0.end < 50_000 }) ?? true {
      if let last = inserted.popLast() {
        try fixture.client.call("queue.remove", #"{"ids":[\#(last)]}"#)
      } else {
        inserted += try fixture.add([path], at: #""next""#)
      }
      edits += 1
      try fixture.recording.wait(for: "more") { _ in true }
    }
    if let last = inserted.popLast() { try fixture.client.call("queue.remove", #"{"ids":[\#(last)]}"#) }
    try fixture.recording.waitForSilence()
    #expect(
      fixture.recording.recordedFrames.sound == [RecordedFrames.Run(first: 0, count: 90_000)], "after \(edits) edits")
  }

  @Test func aMovedNextTrackPlaysAtItsNewPlace() throws {
    let third = try fixture.add([try unrelatedTrack()])
    try fixture.client.call("queue.move", #"{"ids":[\#(third[0])],"to":1}"#)
    #expect(try fixture.ids() == [ids[0], third[0], ids[1]])
    try fixture.recording.waitForSilence()
    #expect(fixture.recording.recordedFrames.sound.map(\.first) == [0, 1_000_000, 60_000])
  }

  @Test func removingTheCurrentTrackPlaysTheNext() throws {
    let response = try fixture.client.call("queue.remove", #"{"ids":[\#(ids[0])]}"#)
    #expect(response["length"]?.int == 1)
    let status = try fixture.status()
    #expect(status.state == .playing)
    #expect(status.track?.id == UInt64(ids[1]))
    try fixture.recording.waitForSilence()
    #expect(fixture.recording.recordedFrames.sound.count == 2)
    #expect(fixture.recording.recordedFrames.sound.last == RecordedFrames.Run(first: 60_000, count: 30_000))
  }

  @Test func clearingTheQueueStopsPlayback() throws {
    try fixture.client.call("queue.clear")
    let status = try fixture.status()
    #expect(status.state == .stopped)
    #expect(status.track == nil)
    #expect(status.position == nil)
    #expect(status.length == 0)
    try fixture.recording.waitForSilence()
    #expect(fixture.recording.recordedFrames.sound.count == 1)
    #expect((fixture.recording.recordedFrames.sound.last?.end ?? 0) < 60_000)
  }

  @Test func replacingTheQueueKeepsTheCurrentTrack() throws {
    let response = try fixture.client.call(
      "queue.replace",
      #"{"uris":\#(fixture.list([fixture.folder.appending("1.wav"), try unrelatedTrack()].map(FileURI.encode)))}"#)
    #expect(response["added"]?.elements?.first?.int == ids[0], "the current track keeps its id")
    try fixture.recording.waitForSilence()
    #expect(
      fixture.recording.recordedFrames.sound == [
        RecordedFrames.Run(first: 0, count: 60_000), RecordedFrames.Run(first: 1_000_000, count: 30_000),
      ])
  }

  @Test func replacingTheQueueWithoutTheCurrentTrackPlaysTheNewOne() throws {
    try fixture.client.call("queue.replace", #"{"uris":\#(fixture.list([FileURI.encode(try unrelatedTrack())]))}"#)
    #expect(try fixture.status().state == .playing)
    try fixture.recording.waitForSilence()
    #expect(fixture.recording.recordedFrames.sound.count == 2)
    #expect(fixture.recording.recordedFrames.sound.last == RecordedFrames.Run(first: 1_000_000, count: 30_000))
  }

  @Test(arguments: [1, 2])
  func replacingTheQueueStartsTheRequestedTrackEvenIfAnotherOnePlays(position: Int) throws {
    let uris = [fixture.folder.appending("1.wav"), fixture.folder.appending("2.wav"), try unrelatedTrack()]
      .map(FileURI.encode)
    let response = try fixture.client.call(
      "queue.replace", #"{"uris":\#(fixture.list(uris)),"play":\#(quoted(uris[position]))}"#)
    #expect(response["addedTotal"]?.int == 3)
    let status = try fixture.status()
    #expect(status.state == .playing)
    #expect(status.index == position)
    try fixture.recording.waitForSilence()
    #expect(
      fixture.recording.recordedFrames.sound.dropFirst().map(\.first)
        == (position == 1 ? [60_000, 1_000_000] : [1_000_000]))
  }

  @Test func replacingTheQueueRestartsTheCurrentTrackIfItIsRequested() throws {
    let uris = [try unrelatedTrack(), fixture.folder.appending("1.wav")].map(FileURI.encode)
    let response = try fixture.client.call(
      "queue.replace", #"{"uris":\#(fixture.list(uris)),"play":\#(quoted(uris[1]))}"#)
    #expect(response["added"]?.elements?.last?.int == ids[0], "the current track keeps its id")
    #expect(try fixture.status().index == 1)
    try fixture.recording.waitForSilence()
    #expect(fixture.recording.recordedFrames.sound.last == RecordedFrames.Run(first: 0, count: 60_000))
  }

  @Test func replacingTheQueueStartsTheFirstTrackIfTheRequestedOneIsMissing() throws {
    try fixture.client.call("stop")
    let uris = [try unrelatedTrack(), fixture.folder.appending("2.wav")].map(FileURI.encode)
    try fixture.client.call("queue.replace", #"{"uris":\#(fixture.list(uris)),"play":"file:///missing.wav"}"#)
    let status = try fixture.status()
    #expect(status.state == .playing)
    #expect(status.index == 0)
  }

  @Test func playingAURIInsertsItAfterTheCurrentTrack() throws {
    let status = try fixture.call("play", #"{"uri":\#(quoted(FileURI.encode(try unrelatedTrack())))}"#)
    #expect(status.index == 1)
    #expect(status.length == 3)
    try fixture.recording.waitForSilence()
    #expect(fixture.recording.recordedFrames.sound.dropFirst().map(\.first) == [1_000_000, 60_000])
  }

  @Test func editsIncreaseTheVersionAndSendEvents() throws {
    let before = try fixture.status().version
    try fixture.add([try unrelatedTrack()])
    let event = try fixture.watcher.event(of: "queue") { ($0["length"]?.int ?? 0) == 3 }
    #expect(UInt64(event["version"]?.int ?? 0) > before)
    #expect(try fixture.client.errorResponse(to: "queue.remove", #"{"ids":[4711]}"#).kind == "no_such_track")
    #expect(try fixture.client.errorResponse(to: "queue.move", #"{"ids":[\#(ids[0])],"to":9}"#).kind == "out_of_range")
    #expect(try fixture.client.errorResponse(to: "queue.add", #"{"uris":[],"at":17}"#).kind == "out_of_range")
  }
}
