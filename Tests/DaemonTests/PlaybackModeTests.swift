import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of the playback order with repeat, shuffle, consume, `next` and `prev`.
@Suite struct PlaybackModeTests {
  let stage: Stage
  static let lengths = [6_000, 7_000, 8_000, 9_000]
  static let starts = [0, 6_000, 13_000, 21_000]

  init() throws { stage = try Stage() }

  /// The recorded tracks, by the number of their first frame.
  private func heard(_ score: Score) -> [Int] {
    score.sound.flatMap { run in
      Self.starts.indices.filter { (run.first ?? 0)..<run.end ~= Self.starts[$0] }
    }
  }

  @Test func repeatOffEnds() throws {
    let ids = try stage.add(try stage.album(Self.lengths), play: true)
    try stage.ear.listenToTheEnd()
    #expect(heard(stage.ear.score) == [0, 1, 2, 3])
    let status = try stage.waitForStop()
    #expect(status.track == nil)
    #expect(status.length == ids.count)
    // `play` starts again.
    stage.ear.forget()
    try stage.ask("play")
    try stage.ear.listen(toFrame: 3_000)
  }

  @Test func repeatAllWrapsWithoutAGap() throws {
    try stage.ask("repeat", #"{"mode":"all"}"#)
    try stage.add(try stage.album(Self.lengths), play: true)
    try stage.ear.listen(for: "the third round") { $0.sound.count == 3 }
    #expect(
      stage.ear.score.sound.dropLast() == [Score.Run(first: 0, count: 30_000), Score.Run(first: 0, count: 30_000)])
    #expect(!stage.ear.score.runs.dropFirst(2).contains { $0.first == nil })
  }

  @Test func repeatOneRepeatsWithoutAGapUntilNext() throws {
    try stage.ask("repeat", #"{"mode":"one"}"#)
    try stage.add(try stage.album(Self.lengths), play: true)
    try stage.ear.listen(for: "the fourth time") { $0.sound.count == 4 }
    #expect(stage.ear.score.sound.dropLast().allSatisfy { $0 == Score.Run(first: 0, count: 6_000) })
    let next = try stage.ask("next")
    #expect(next.index == 1)
    try stage.ear.listen(toFrame: 6_500)
    // Repeat is turned off while the repetition is buffered, so the following boundary changes.
    try stage.ask("repeat", #"{"mode":"off"}"#)
    try stage.ear.listenToTheEnd()
    #expect(stage.ear.score.sound.last?.end == 30_000)
  }

  @Test func shuffledTracksComeOnceARound() throws {
    try stage.ask("repeat", #"{"mode":"all"}"#)
    try stage.ask("shuffle", #"{"mode":"tracks"}"#)
    try stage.add(try stage.album(Self.lengths), play: true)
    try stage.ear.listen(for: "three rounds") { heard($0).count > 12 }
    let order = heard(stage.ear.score)
    for round in 0..<3 { #expect(order[(round * 4)..<(round * 4 + 4)].sorted() == [0, 1, 2, 3]) }
    // Consecutive tracks form one run, and the last track may have begun within it.
    let sound = stage.ear.score.sound
    let last = try #require(sound.last?.first)
    let frames = sound.dropLast().reduce(0) { $0 + $1.count } + Self.starts[try #require(order.last)] - last
    #expect(frames == order.dropLast().reduce(0) { $0 + Self.lengths[$1] })
    #expect(!stage.ear.score.runs.dropFirst(2).contains { $0.first == nil }, "no gap: \(stage.ear.score)")
  }

  @Test func shuffledAlbumsStayWhole() throws {
    var paths: [FilePath] = []
    var start = 0
    for album in 0..<4 {
      for track in 0..<3 {
        paths.append(try stage.track("album \(album)/\(track)", start..<(start + 3_000)))
        start += 3_000
      }
    }
    try stage.ask("shuffle", #"{"mode":"albums"}"#)
    try stage.add(paths, play: true)
    try stage.ear.listenToTheEnd()
    let albums = stage.ear.score.sound.flatMap { run in
      stride(from: run.first ?? 0, to: run.end, by: 9_000).map { $0 / 9_000 }
    }
    #expect(albums.sorted() == [0, 1, 2, 3])
    #expect(stage.ear.score.sound.allSatisfy { ($0.first ?? 1) % 9_000 == 0 && $0.count % 9_000 == 0 })
  }

  @Test func consumedTracksLeaveTheQueue() throws {
    try stage.ask("consume", #"{"on":true}"#)
    let ids = try stage.add(try stage.album(Self.lengths), play: true)
    let third = try stage.wait { $0.track?.id == UInt64(ids[2]) }
    #expect(third.length == 2)
    #expect(third.index == 0)
    try stage.ear.listenToTheEnd()
    #expect(heard(stage.ear.score) == [0, 1, 2, 3])
    #expect(stage.ear.score.sound.count == 1)
    #expect(try stage.waitForStop().length == 0)
  }

  @Test func stepsWrapAndPausedStaysPaused() throws {
    try stage.ask("repeat", #"{"mode":"all"}"#)
    try stage.add(try (0..<3).map { try stage.track("\($0)", ($0 * 100_000)..<($0 * 100_000 + 60_000)) }, play: true)
    try stage.ear.listen(toFrame: 2_000)
    #expect(try stage.ask("prev").index == 2)
    try stage.ear.listen(toFrame: 202_000)
    #expect(try stage.ask("next").index == 0)
    try stage.ear.listen(for: "the first again") { ($0.now ?? 100_000) < 100_000 && ($0.now ?? 0) > 2_000 }
    let paused = try stage.ask("pause")
    #expect(paused.index == 0)
    let next = try stage.ask("next")
    #expect(next.state == .paused)
    #expect(next.index == 1)
    #expect(next.position == .zero)
    stage.ear.forget()
    try stage.ear.listen(for: "silence") { $0.silence > 20_000 }
    #expect(stage.ear.score.sound.allSatisfy { $0.end <= 60_000 })
    try stage.ask("play")
    try stage.ear.listen(toFrame: 104_000)
    #expect(stage.ear.score.sound.last?.first == 100_000)
  }

  @Test func anEmptyQueueSaysSo() throws {
    for method in ["play", "next", "prev", "toggle"] {
      #expect(try stage.client.refusal(of: method).kind == "empty_queue")
    }
    #expect(try stage.status().state == .stopped)
    #expect(try stage.client.refusal(of: "play", #"{"index":3}"#).kind == "empty_queue")
    try stage.add([try stage.track("1", 0..<10)])
    #expect(try stage.client.refusal(of: "play", #"{"index":3}"#).kind == "no_such_track")
    #expect(try stage.client.refusal(of: "play", #"{"id":99}"#).kind == "no_such_track")
  }
}
