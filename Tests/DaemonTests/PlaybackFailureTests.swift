import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of files that are damaged or deleted, or that hang or crash the worker.
@Suite struct PlaybackFailureTests {
  let stage: Stage

  init() throws { stage = try Stage() }

  @Test func aFileThatWentBadIsSkippedWithItsReason() throws {
    let paths = try stage.album([30_000, 30_000, 30_000, 30_000])
    try stage.add(paths)
    try AudioFile.write(Array("no music any more".utf8), to: paths[1])
    _ = paths[2].withCString { unlink($0) }
    try stage.ask("play")
    try stage.ear.listenToTheEnd()
    #expect(stage.ear.score.sound == [Score.Run(first: 0, count: 30_000), Score.Run(first: 90_000, count: 30_000)])
    #expect(!stage.ear.score.runs.dropFirst(2).dropLast().contains { $0.first == nil }, "no gap: \(stage.ear.score)")
    let errors = try stage.errors()
    #expect(errors.map { $0 != nil } == [false, true, true, false], "\(errors)")
    #expect(stage.daemon.errors.contains("2.wav"))
  }

  @Test func theFirstMayBeBadToo() throws {
    let paths = try stage.album([30_000, 30_000])
    let ids = try stage.add(paths)
    _ = paths[0].withCString { unlink($0) }
    try stage.ask("play")
    let status = try stage.wait { $0.track?.id == UInt64(ids[1]) }
    #expect(status.state == .playing)
    try stage.ear.listenToTheEnd()
    #expect(stage.ear.score.sound == [Score.Run(first: 30_000, count: 30_000)])
  }

  /// This holds with `repeat: all` as well.
  @Test(arguments: ["off", "all", "one"]) func whereNothingCanBePlayedItStops(mode: String) throws {
    let paths = try stage.album(Array(repeating: 1_000, count: 20))
    try stage.add(paths)
    for path in paths { try AudioFile.write(Array("nothing".utf8), to: path) }
    try stage.ask("repeat", #"{"mode":"\#(mode)"}"#)
    try stage.ask("play")
    try stage.waitForStop()
    let errors = try stage.errors()
    #expect(errors.allSatisfy { $0 != nil } || mode == "one", "\(errors)")
    let before = try stage.client.call("daemon.stats")["wakeups"]?.int ?? 0
    for _ in 0..<10 { try stage.client.call("status") }
    let after = try stage.client.call("daemon.stats")["wakeups"]?.int ?? 0
    #expect(after - before < 40, "it spins: \(after - before) wakeups for 12 requests")
    // After the files are restored, a request plays one of them.
    try stage.track("1", 0..<20_000)
    try stage.ask("play", #"{"index":0}"#)
    try stage.ear.listen(toFrame: 10_000)
  }

  @Test func aWorkerThatDiesWithNothingToDoCostsNothing() throws {
    let paths = try stage.album([60_000, 60_000, 60_000])
    try stage.add([paths[0]], play: true)
    try stage.ear.listen(toFrame: 8_000)
    // The ring buffer contains all of the first track, which lasts a second.
    kill(try stage.decoder(), SIGKILL)
    try stage.add(Array(paths[1...]))
    try stage.ear.listenToTheEnd()
    #expect(stage.ear.score.sound == [Score.Run(first: 0, count: 180_000)])
    #expect(try stage.errors() == [nil, nil, nil])
    #expect(try stage.client.call("daemon.stats")["workersLost"]?.int == 1)
  }

  @Test func aWorkerThatDiesAtATrackCostsItsRest() throws {
    // The ring buffer and the server hold some seconds of this audio.
    let rate = 192_000
    let stage = try Stage(.pipe("test", rate: rate, format: "s32le"), sampleBytes: 4)
    let length = 15 * rate
    let paths = try [("long", 0..<length), ("next", length..<(length + 30_000))].map { name, frames in
      try stage.write("\(name).wav", AudioFile.wave(Signal.widePCM(frames), rate: rate, bytes: 4))
    }
    try stage.add(paths, play: true)
    try stage.ear.listen(toFrame: 8_000)
    kill(try stage.decoder(), SIGKILL)
    try stage.ear.listenToTheEnd()
    let sound = stage.ear.score.sound
    #expect(sound.count == 2, "\(stage.ear.score)")
    #expect(sound.first?.first == 0)
    #expect((sound.first?.count ?? 0) > 5 * Signal.rate, "what was decoded is heard")
    #expect(sound.last == Score.Run(first: length, count: 30_000))
    #expect(try stage.errors().map { $0 != nil } == [true, false])
  }

  @Test func aWorkerThatHangsIsEnded() throws {
    let paths = try stage.album([90_000, 30_000, 30_000])
    try stage.add([paths[0]], play: true)
    try stage.ear.listen(toFrame: 4_000)
    kill(try stage.decoder(), SIGSTOP)
    try stage.add(Array(paths[1...]))
    try stage.ear.listen(for: "the last track", seconds: 60) { ($0.now ?? 0) > 140_000 }
    #expect(stage.ear.score.sound.last?.end ?? 0 > 140_000)
    #expect(try stage.errors().first == nil as String?)
    #expect(try stage.client.call("daemon.stats")["workersLost"]?.int == 1)
  }
}
