import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of the playback order with repeat, shuffle, consume, `next` and `prev`.
@Suite struct PlaybackModeTests {
  let fixture: DaemonFixture
  static let lengths = [6_000, 7_000, 8_000, 9_000]
  static let starts = [0, 6_000, 13_000, 21_000]

  init() throws { fixture = try DaemonFixture() }

  /// Returns the recorded tracks, by the number of their first frame.
  private func recordedTracks(_ recordedFrames: RecordedFrames) -> [Int] {
    recordedFrames.sound.flatMap { run in
      Self.starts.indices.filter { (run.first ?? 0)..<run.end ~= Self.starts[$0] }
    }
  }

  @Test func repeatOffStopsAtTheEnd() throws {
    let ids = try fixture.add(try fixture.album(Self.lengths), play: true)
    try fixture.recording.waitForSilence()
    #expect(recordedTracks(fixture.recording.recordedFrames) == [0, 1, 2, 3])
    let status = try fixture.waitForStop()
    #expect(status.track == nil)
    #expect(status.length == ids.count)
    // `play` starts again.
    fixture.recording.discard()
    try fixture.call("play")
    try fixture.recording.wait(forFrame: 3_000)
  }

  @Test func repeatAllIsGapless() throws {
    try fixture.call("repeat", #"{"mode":"all"}"#)
    try fixture.add(try fixture.album(Self.lengths), play: true)
    try fixture.recording.wait(for: "the third round") { $0.sound.count == 3 }
    #expect(
      fixture.recording.recordedFrames.sound.dropLast() == [
        RecordedFrames.Run(first: 0, count: 30_000), RecordedFrames.Run(first: 0, count: 30_000),
      ])
    #expect(!fixture.recording.recordedFrames.runs.dropFirst(2).contains { $0.first == nil })
  }

  @Test func repeatOneIsGaplessUntilNext() throws {
    try fixture.call("repeat", #"{"mode":"one"}"#)
    try fixture.add(try fixture.album(Self.lengths), play: true)
    try fixture.recording.wait(for: "the fourth time") { $0.sound.count == 4 }
    #expect(
      fixture.recording.recordedFrames.sound.dropLast().allSatisfy { $0 == RecordedFrames.Run(first: 0, count: 6_000) })
    let next = try fixture.call("next")
    #expect(next.index == 1)
    try fixture.recording.wait(forFrame: 6_500)
    // Repeat is turned off while the repetition is buffered, so the following boundary changes.
    try fixture.call("repeat", #"{"mode":"off"}"#)
    try fixture.recording.waitForSilence()
    #expect(fixture.recording.recordedFrames.sound.last?.end == 30_000)
  }

  @Test func shuffledTracksPlayOncePerRound() throws {
    try fixture.call("repeat", #"{"mode":"all"}"#)
    try fixture.call("shuffle", #"{"mode":"tracks"}"#)
    try fixture.add(try fixture.album(Self.lengths), play: true)
    try fixture.recording.wait(for: "three rounds") { recordedTracks($0).count > 12 }
    let order = recordedTracks(fixture.recording.recordedFrames)
    for round in 0..<3 { #expect(order[(round * 4)..<(round * 4 + 4)].sorted() == [0, 1, 2, 3]) }
    // Consecutive tracks form one run, and the last track may have begun within it.
    let sound = fixture.recording.recordedFrames.sound
    let last = try #require(sound.last?.first)
    let frames = sound.dropLast().reduce(0) { $0 + $1.count } + Self.starts[try #require(order.last)] - last
    #expect(frames == order.dropLast().reduce(0) { $0 + Self.lengths[$1] })
    #expect(
      !fixture.recording.recordedFrames.runs.dropFirst(2).contains { $0.first == nil },
      "there is a gap: \(fixture.recording.recordedFrames)")
  }

  @Test func shuffledAlbumsStayTogether() throws {
    var paths: [FilePath] = []
    var start = 0
    for album in 0..<4 {
      for track in 0..<3 {
        paths.append(try fixture.track("album \(album)/\(track)", start..<(start + 3_000)))
        start += 3_000
      }
    }
    try fixture.call("shuffle", #"{"mode":"albums"}"#)
    try fixture.add(paths, play: true)
    try fixture.recording.waitForSilence()
    let albums = fixture.recording.recordedFrames.sound.flatMap { run in
      stride(from: run.first ?? 0, to: run.end, by: 9_000).map { $0 / 9_000 }
    }
    #expect(albums.sorted() == [0, 1, 2, 3])
    #expect(fixture.recording.recordedFrames.sound.allSatisfy { ($0.first ?? 1) % 9_000 == 0 && $0.count % 9_000 == 0 })
  }

  @Test func consumedTracksLeaveTheQueue() throws {
    try fixture.call("consume", #"{"on":true}"#)
    let ids = try fixture.add(try fixture.album(Self.lengths), play: true)
    let third = try fixture.wait { $0.track?.id == UInt64(ids[2]) }
    #expect(third.length == 2)
    #expect(third.index == 0)
    try fixture.recording.waitForSilence()
    #expect(recordedTracks(fixture.recording.recordedFrames) == [0, 1, 2, 3])
    #expect(fixture.recording.recordedFrames.sound.count == 1)
    #expect(try fixture.waitForStop().length == 0)
  }

  @Test func nextAndPrevWrapAndKeepThePause() throws {
    try fixture.call("repeat", #"{"mode":"all"}"#)
    try fixture.add(
      try (0..<3).map { try fixture.track("\($0)", ($0 * 100_000)..<($0 * 100_000 + 60_000)) }, play: true)
    try fixture.recording.wait(forFrame: 2_000)
    #expect(try fixture.call("prev").index == 2)
    try fixture.recording.wait(forFrame: 202_000)
    #expect(try fixture.call("next").index == 0)
    try fixture.recording.wait(for: "the first track again") {
      ($0.lastFrame ?? 100_000) < 100_000 && ($0.lastFrame ?? 0) > 2_000
    }
    let paused = try fixture.call("pause")
    #expect(paused.index == 0)
    let next = try fixture.call("next")
    #expect(next.state == .paused)
    #expect(next.index == 1)
    #expect(next.position == .zero)
    fixture.recording.discard()
    try fixture.recording.wait(for: "silence") { $0.silence > 20_000 }
    #expect(fixture.recording.recordedFrames.sound.allSatisfy { $0.end <= 60_000 })
    try fixture.call("play")
    try fixture.recording.wait(forFrame: 104_000)
    #expect(fixture.recording.recordedFrames.sound.last?.first == 100_000)
  }

  @Test(arguments: ShuffleMode.allCases) func theStatusNamesTheTrackThatPlaysNext(_ shuffle: ShuffleMode) throws {
    try fixture.call("repeat", #"{"mode":"all"}"#)
    try fixture.call("shuffle", #"{"mode":"\#(shuffle.rawValue)"}"#)
    try fixture.add(
      try (0..<5).map { try fixture.track("\($0)", ($0 * 100_000)..<($0 * 100_000 + 60_000)) }, play: true)
    try fixture.call("pause")
    // Two rounds, and the beginning of the third.
    for _ in 0..<11 {
      let predicted = try #require(try fixture.status().next)
      #expect(try fixture.call("next").track?.id == predicted.id)
    }
  }

  @Test func theAnswerToNextNamesTheTrackThatFollowsWhileStopped() throws {
    let ids = try fixture.add(try (0..<3).map { try fixture.track("\($0)", 0..<6_000) })
    try fixture.call("repeat", #"{"mode":"off"}"#)
    try fixture.call("play")
    try fixture.call("stop")
    #expect(try fixture.status().next?.id == UInt64(ids[1]))
    #expect(try fixture.call("next").next?.id == UInt64(ids[2]))
    #expect(try fixture.call("next").next == nil)
  }

  @Test func theStatusNamesNoNextTrackIfPlaybackEnds() throws {
    let ids = try fixture.add(try (0..<2).map { try fixture.track("\($0)", 0..<60_000) })
    #expect(try fixture.status().next == nil, "no track is current")
    try fixture.call("repeat", #"{"mode":"off"}"#)
    try fixture.call("play")
    #expect(try fixture.call("pause").next?.id == UInt64(ids[1]))
    #expect(try fixture.call("sleep", #"{"after":"track"}"#).next == nil)
    try fixture.call("sleep", #"{"off":true}"#)
    #expect(try fixture.call("next").next == nil)
    #expect(try fixture.call("repeat", #"{"mode":"one"}"#).next?.id == UInt64(ids[1]))
    #expect(try fixture.call("repeat", #"{"mode":"all"}"#).next?.id == UInt64(ids[0]))
  }

  @Test func playingAnEmptyQueueIsAnError() throws {
    for method in ["play", "next", "prev", "toggle"] {
      #expect(try fixture.client.errorResponse(to: method).kind == "empty_queue")
    }
    #expect(try fixture.status().state == .stopped)
    #expect(try fixture.client.errorResponse(to: "play", #"{"index":3}"#).kind == "empty_queue")
    try fixture.add([try fixture.track("1", 0..<10)])
    #expect(try fixture.client.errorResponse(to: "play", #"{"index":3}"#).kind == "no_such_track")
    #expect(try fixture.client.errorResponse(to: "play", #"{"id":99}"#).kind == "no_such_track")
  }
}
