import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Long tracks resume where they were left. In these tests, a track of a minute is long.
@Suite struct BookmarkTests {
  private static let seconds = 75

  private func stage(_ configuration: String = "BookmarkAfter=1") throws -> (stage: Stage, long: FilePath) {
    let stage = try Stage(configuration: "[Player]\n\(configuration)\n")
    try stage.client.call("repeat", #"{"mode":"all"}"#)
    let long = try stage.track("long", 0..<(Self.seconds * Signal.rate))
    try stage.add([long, try stage.track("short", 0..<(20 * Signal.rate))])
    return (stage, long)
  }

  /// Plays the first track from `position` until it is audible.
  private func hear(_ stage: Stage, from seconds: Int) throws {
    try stage.ask("play", #"{"index":0}"#)
    try stage.wait { $0.rate == 1 }
    try stage.ask("seek", #"{"position":\#(seconds)}"#)
    try stage.ear.listen(toFrame: seconds * Signal.rate)
    try stage.wait { $0.rate == 1 && ($0.position ?? .zero) >= MediaTime(seconds: Double(seconds)) }
  }

  private func isNear(_ position: MediaTime?, _ seconds: Int) -> Bool {
    let now = (position ?? .zero).seconds
    return now >= Double(seconds) && now < Double(Self.seconds - 15)
  }

  @Test func itGoesOnWhereItWasLeft() throws {
    let (stage, _) = try stage()
    try hear(stage, from: 30)
    #expect(try stage.ask("play", #"{"index":1}"#).position == .zero)
    stage.ear.forget()
    let again = try stage.ask("play", #"{"index":0}"#)
    #expect(isNear(again.position, 30))
    try stage.ear.listen(for: "where it was") { score in
      score.sound.contains { $0.first.map { $0 >= 30 * Signal.rate } == true }
    }
    let stopped = try stage.ask("stop")
    #expect(stopped.state == .stopped && isNear(stopped.position, 30), "the place where it will go on")
    #expect(try stage.ask("play").position == stopped.position, "stopped is left too")
    #expect(isNear(try stage.ask("next").position, 0))
    #expect(isNear(try stage.ask("prev").position, 30), "and a step leads there as well")
    let start = try stage.ask("prev")
    #expect(start.index == 0)
    #expect(start.position == .zero, "back in the midst of a long track is its start")
    #expect(try stage.ask("prev").index == 1, "and from there the track before")
  }

  @Test func itGoesOnWhenItsTurnComesByItself() throws {
    let (stage, _) = try stage()
    try hear(stage, from: 30)
    try stage.ask("play", #"{"index":1}"#)
    try stage.ask("seek", #"{"position":18}"#)
    let next = try stage.wait { $0.index == 0 }
    #expect(isNear(next.position, 30))
    stage.ear.forget()
    try stage.ear.listen(for: "where it was") { score in
      score.sound.contains { $0.first.map { $0 >= 30 * Signal.rate } == true }
    }
    // After the end, the track starts at its beginning, although it was resumed in the middle.
    try stage.client.call("repeat", #"{"mode":"one"}"#)
    try stage.ask("seek", #"{"position":\#(Self.seconds - 1)}"#)
    try stage.wait { $0.index == 0 && ($0.position ?? .zero) < .seconds(20) }
  }

  @Test func whatWasHeardToItsEndBeginsAnew() throws {
    let (stage, _) = try stage()
    try hear(stage, from: 30)
    try stage.ask("seek", #"{"position":\#(Self.seconds - 10)}"#)
    try stage.wait { $0.rate == 1 }
    try stage.ask("play", #"{"index":1}"#)
    #expect(try stage.ask("play", #"{"index":0}"#).position == .zero)
    try hear(stage, from: 30)
    try stage.ask("pause")
    try stage.ask("play")
    try stage.ask("seek", #"{"position":\#(Self.seconds - 1)}"#)
    try stage.wait { $0.index == 1 }
    #expect(try stage.ask("play", #"{"index":0}"#).position == .zero)
  }

  @Test(arguments: [true, false]) func itIsKeptWhenTheDaemonEnds(isOrderly: Bool) throws {
    let (stage, long) = try stage()
    // A crash loses at most the last five seconds.
    try hear(stage, from: isOrderly ? 25 : 20)
    try stage.ear.listen(toFrame: 27 * Signal.rate)
    if isOrderly { #expect(stage.daemon.stop() == 0) } else { stage.daemon.kill() }
    try stage.daemon.start()
    try stage.reconnect()
    // The bookmark belongs to the file and not to the queue entry.
    try stage.client.call("queue.clear")
    try stage.add([long])
    let again = try stage.ask("play", #"{"index":0}"#)
    #expect(isNear(again.position, isOrderly ? 26 : 21))
  }

  @Test func whatWasPausedIsOnDisk() throws {
    let (stage, long) = try stage("BookmarkAfter=1\nRestore=stopped")
    try hear(stage, from: 40)
    try stage.ask("pause")
    try stage.ask("play", #"{"index":1}"#)
    // Responses to changes of the library come in order.
    try stage.client.call("favorites.add", #"{"uris":[\#(quoted(FileURI.encode(long)))]}"#)
    stage.daemon.kill()
    try stage.daemon.start()
    try stage.reconnect()
    #expect(isNear(try stage.ask("play", #"{"index":0}"#).position, 40))
  }

  @Test func aStoppedDaemonTellsAfterItsStartWhereALongTrackGoesOn() throws {
    let (stage, _) = try stage()
    try hear(stage, from: 30)
    let stopped = try stage.ask("stop")
    #expect(stage.daemon.stop() == 0)
    try stage.daemon.start()
    try stage.reconnect()
    let status = try stage.wait { $0.position != .zero }
    #expect(status.state == .stopped && status.position == stopped.position)
  }

  @Test(arguments: ["BookmarkAfter=2", "BookmarkAfter=0"]) func othersBeginAnew(_ configuration: String) throws {
    let (stage, _) = try stage(configuration)
    try hear(stage, from: 30)
    try stage.ask("play", #"{"index":1}"#)
    #expect(try stage.ask("play", #"{"index":0}"#).position == .zero)
    try hear(stage, from: 30)
    #expect(try stage.ask("prev").index == 1)
    #expect(try stage.ask("stop").position == .zero)
  }
}
