import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of the sleep timer.
@Suite struct PlaybackSleepTests {
  let stage: Stage

  init() throws {
    stage = try Stage()
    try stage.ask("repeat", #"{"mode":"all"}"#)
  }

  @Test func afterTheTrack() throws {
    try stage.add(try stage.album([60_000, 60_000]), play: true)
    try stage.ear.listen(toFrame: 4_000)
    #expect(try stage.ask("sleep", #"{"after":"track"}"#).sleep == .after(.track))
    try stage.ear.listenToTheEnd()
    #expect(stage.ear.score.sound == [Score.Run(first: 0, count: 60_000)])
    let status = try stage.waitForStop()
    #expect(status.sleep == nil, "it has done its work")
  }

  @Test func afterTheAlbum() throws {
    let paths = try ["a/1", "a/2", "b/1"].enumerated().map {
      try stage.track($1, ($0 * 30_000)..<($0 * 30_000 + 30_000))
    }
    try stage.add(paths, play: true)
    try stage.ask("sleep", #"{"after":"album"}"#)
    try stage.ear.listenToTheEnd()
    #expect(stage.ear.score.sound == [Score.Run(first: 0, count: 60_000)])
    #expect(try stage.waitForStop().sleep == nil)
  }

  @Test func afterTheQueue() throws {
    try stage.add(try stage.album([30_000, 30_000]), play: true)
    try stage.ask("sleep", #"{"after":"queue"}"#)
    try stage.ear.listenToTheEnd()
    #expect(stage.ear.score.sound == [Score.Run(first: 0, count: 60_000)])
    #expect(try stage.waitForStop().sleep == nil)
  }

  /// The end of the queue is found with consume and with shuffle as well.
  @Test(arguments: [("consume", #"{"on":true}"#), ("shuffle", #"{"mode":"tracks"}"#)])
  func afterTheQueue(with verb: String, _ params: String) throws {
    try stage.ask(verb, params)
    try stage.add(try stage.album([15_000, 15_000, 15_000, 15_000, 15_000, 15_000]), play: true)
    try stage.ask("sleep", #"{"after":"queue"}"#)
    try stage.ear.listenToTheEnd()
    let heard = stage.ear.score.sound.flatMap { run in stride(from: run.first ?? 0, to: run.end, by: 15_000) }
    #expect(heard.sorted() == (0..<6).map { $0 * 15_000 })
    #expect(try stage.waitForStop().sleep == nil)
  }

  @Test func afterSeconds() throws {
    try stage.add(try stage.album([900_000]), play: true)
    try stage.ear.listen(toFrame: 1_000)
    guard case .seconds(let left) = try stage.ask("sleep", #"{"seconds":1}"#).sleep else {
      throw Unexpected("no seconds")
    }
    #expect(left <= .seconds(1))
    let status = try stage.waitForStop()
    #expect(status.sleep == nil)
    try stage.ear.listenToTheEnd()
    let heard = try #require(stage.ear.score.sound.last).end
    #expect((30_000..<90_000).contains(heard), "about a second; \(heard) frames")
  }

  @Test func neverMind() throws {
    try stage.add(try stage.album([60_000, 30_000]), play: true)
    try stage.ask("sleep", #"{"after":"track"}"#)
    try stage.ear.listen(toFrame: 8_000)
    #expect(try stage.ask("sleep", #"{"off":true}"#).sleep == nil)
    try stage.ear.listen(for: "the second round") { $0.sound.count == 2 }
    #expect(stage.ear.score.sound.first == Score.Run(first: 0, count: 90_000))
  }
}
