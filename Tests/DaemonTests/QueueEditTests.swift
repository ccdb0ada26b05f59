import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of changes of the queue during playback, also directly before a track boundary.
@Suite struct QueueEditTests {
  let stage: Stage
  /// Plays two tracks. The first is audible, and the second is decoded and partly buffered by the server.
  let ids: [Int]

  init() throws {
    stage = try Stage()
    ids = try stage.add(try stage.album([60_000, 30_000]), play: true)
    try stage.ear.listen(toFrame: 4_000)
  }

  /// Makes an unrelated track.
  private func stranger() throws -> FilePath {
    try stage.track("stranger", 1_000_000..<1_030_000)
  }

  @Test func aRemovedFollowerIsNotHeard() throws {
    try stage.client.call("queue.remove", #"{"ids":[\#(ids[1])]}"#)
    try stage.ear.listenToTheEnd()
    #expect(stage.ear.score.sound == [Score.Run(first: 0, count: 60_000)])
  }

  @Test func whatIsInsertedNextIsHeardNext() throws {
    try stage.add([try stranger()], at: #""next""#)
    try stage.ear.listenToTheEnd()
    let expected = [
      Score.Run(first: 0, count: 60_000), Score.Run(first: 1_000_000, count: 30_000),
      Score.Run(first: 60_000, count: 30_000),
    ]
    #expect(stage.ear.score.sound == expected)
    #expect(stage.ear.score.runs.filter { $0.first == nil }.count <= 2, "no gap: \(stage.ear.score)")
  }

  /// The next track is changed repeatedly until the boundary.
  @Test func theJointStaysExactWhateverIsEdited() throws {
    var inserted: [Int] = []
    let path = try stranger()
    var edits = 0
    while stage.ear.score.sound.last.map({ $0.end < 50_000 }) ?? true {
      if let last = inserted.popLast() {
        try stage.client.call("queue.remove", #"{"ids":[\#(last)]}"#)
      } else {
        inserted += try stage.add([path], at: #""next""#)
      }
      edits += 1
      try stage.ear.listen(for: "more") { _ in true }
    }
    if let last = inserted.popLast() { try stage.client.call("queue.remove", #"{"ids":[\#(last)]}"#) }
    try stage.ear.listenToTheEnd()
    #expect(stage.ear.score.sound == [Score.Run(first: 0, count: 90_000)], "after \(edits) edits")
  }

  @Test func aMovedFollowerComesInItsNewPlace() throws {
    let third = try stage.add([try stranger()])
    try stage.client.call("queue.move", #"{"ids":[\#(third[0])],"to":1}"#)
    #expect(try stage.ids() == [ids[0], third[0], ids[1]])
    try stage.ear.listenToTheEnd()
    #expect(stage.ear.score.sound.map(\.first) == [0, 1_000_000, 60_000])
  }

  @Test func removingTheCurrentGoesOnWithTheNext() throws {
    let answer = try stage.client.call("queue.remove", #"{"ids":[\#(ids[0])]}"#)
    #expect(answer["length"]?.int == 1)
    let status = try stage.status()
    #expect(status.state == .playing)
    #expect(status.track?.id == UInt64(ids[1]))
    try stage.ear.listenToTheEnd()
    #expect(stage.ear.score.sound.count == 2)
    #expect(stage.ear.score.sound.last == Score.Run(first: 60_000, count: 30_000))
  }

  @Test func clearingSilences() throws {
    try stage.client.call("queue.clear")
    let status = try stage.status()
    #expect(status.state == .stopped)
    #expect(status.track == nil)
    #expect(status.position == nil)
    #expect(status.length == 0)
    try stage.ear.listenToTheEnd()
    #expect(stage.ear.score.sound.count == 1)
    #expect((stage.ear.score.sound.last?.end ?? 0) < 60_000)
  }

  @Test func replacingKeepsWhatPlays() throws {
    let answer = try stage.client.call(
      "queue.replace",
      #"{"uris":\#(stage.list([stage.folder.appending("1.wav"), try stranger()].map(FileURI.encode)))}"#)
    #expect(answer["added"]?.elements?.first?.int == ids[0], "it keeps its id")
    try stage.ear.listenToTheEnd()
    #expect(
      stage.ear.score.sound == [Score.Run(first: 0, count: 60_000), Score.Run(first: 1_000_000, count: 30_000)])
  }

  @Test func replacingWithOthersGoesOnWithThem() throws {
    try stage.client.call("queue.replace", #"{"uris":\#(stage.list([FileURI.encode(try stranger())]))}"#)
    #expect(try stage.status().state == .playing)
    try stage.ear.listenToTheEnd()
    #expect(stage.ear.score.sound.count == 2)
    #expect(stage.ear.score.sound.last == Score.Run(first: 1_000_000, count: 30_000))
  }

  @Test func playingAURIPutsItBehindTheCurrent() throws {
    let status = try stage.ask("play", #"{"uri":\#(quoted(FileURI.encode(try stranger())))}"#)
    #expect(status.index == 1)
    #expect(status.length == 3)
    try stage.ear.listenToTheEnd()
    #expect(stage.ear.score.sound.dropFirst().map(\.first) == [1_000_000, 60_000])
  }

  @Test func versionAndEventsGrow() throws {
    let before = try stage.status().version
    try stage.add([try stranger()])
    let event = try stage.watcher.event(of: "queue") { ($0["length"]?.int ?? 0) == 3 }
    #expect(UInt64(event["version"]?.int ?? 0) > before)
    #expect(try stage.client.refusal(of: "queue.remove", #"{"ids":[4711]}"#).kind == "no_such_track")
    #expect(try stage.client.refusal(of: "queue.move", #"{"ids":[\#(ids[0])],"to":9}"#).kind == "out_of_range")
    #expect(try stage.client.refusal(of: "queue.add", #"{"uris":[],"at":17}"#).kind == "out_of_range")
  }
}
