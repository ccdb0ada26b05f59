import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of files that are damaged or deleted, or that hang or crash the worker.
@Suite struct PlaybackFailureTests {
  let fixture: DaemonFixture

  init() throws { fixture = try DaemonFixture() }

  @Test func aDamagedFileIsSkippedWithItsReason() throws {
    let paths = try fixture.album([30_000, 30_000, 30_000, 30_000])
    try fixture.add(paths)
    try AudioFile.write(Array("no music any more".utf8), to: paths[1])
    _ = paths[2].withCString { unlink($0) }
    try fixture.call("play")
    try fixture.recording.waitForSilence()
    #expect(
      fixture.recording.recordedFrames.sound == [
        RecordedFrames.Run(first: 0, count: 30_000), RecordedFrames.Run(first: 90_000, count: 30_000),
      ])
    #expect(
      !fixture.recording.recordedFrames.runs.dropFirst(2).dropLast().contains { $0.first == nil },
      "there is a gap: \(fixture.recording.recordedFrames)")
    let errors = try fixture.errors()
    #expect(errors.map { $0 != nil } == [false, true, true, false], "\(errors)")
    #expect(fixture.daemon.errors.contains("2.wav"))
  }

  @Test func aDamagedFirstTrackIsSkipped() throws {
    let paths = try fixture.album([30_000, 30_000])
    let ids = try fixture.add(paths)
    _ = paths[0].withCString { unlink($0) }
    try fixture.call("play")
    let status = try fixture.wait { $0.track?.id == UInt64(ids[1]) }
    #expect(status.state == .playing)
    try fixture.recording.waitForSilence()
    #expect(fixture.recording.recordedFrames.sound == [RecordedFrames.Run(first: 30_000, count: 30_000)])
  }

  /// This holds with `repeat: all` as well.
  @Test(arguments: ["off", "all", "one"]) func playbackStopsIfNoTrackIsPlayable(mode: String) throws {
    let paths = try fixture.album(Array(repeating: 1_000, count: 20))
    try fixture.add(paths)
    for path in paths { try AudioFile.write(Array("nothing".utf8), to: path) }
    try fixture.call("repeat", #"{"mode":"\#(mode)"}"#)
    try fixture.call("play")
    try fixture.waitForStop()
    let errors = try fixture.errors()
    #expect(errors.allSatisfy { $0 != nil } || mode == "one", "\(errors)")
    let before = try fixture.client.call("daemon.stats")["wakeups"]?.int ?? 0
    for _ in 0..<10 { try fixture.client.call("status") }
    let after = try fixture.client.call("daemon.stats")["wakeups"]?.int ?? 0
    #expect(after - before < 40, "a busy loop: \(after - before) wakeups for 12 requests")
    // After the files are restored, a request plays one of them.
    try fixture.track("1", 0..<20_000)
    try fixture.call("play", #"{"index":0}"#)
    try fixture.recording.wait(forFrame: 10_000)
  }

  @Test func aWorkerCrashWhileIdleHasNoEffect() throws {
    let paths = try fixture.album([60_000, 60_000, 60_000])
    try fixture.add([paths[0]], play: true)
    try fixture.recording.wait(forFrame: 8_000)
    // The ring buffer contains all of the first track, which lasts a second.
    kill(try fixture.decoder(), SIGKILL)
    try fixture.add(Array(paths[1...]))
    try fixture.recording.waitForSilence()
    #expect(fixture.recording.recordedFrames.sound == [RecordedFrames.Run(first: 0, count: 180_000)])
    #expect(try fixture.errors() == [nil, nil, nil])
    #expect(try fixture.client.call("daemon.stats")["workersLost"]?.int == 1)
  }

  @Test func aWorkerCrashEndsTheCurrentTrackOnly() throws {
    // The ring buffer and the server hold some seconds of this audio.
    let rate = 192_000
    let fixture = try DaemonFixture(.pipe("test", rate: rate, format: "s32le"), sampleBytes: 4)
    let length = 15 * rate
    let paths = try [("long", 0..<length), ("next", length..<(length + 30_000))].map { name, frames in
      try fixture.write("\(name).wav", AudioFile.wave(Signal.widePCM(frames), rate: rate, bytes: 4))
    }
    try fixture.add(paths, play: true)
    try fixture.recording.wait(forFrame: 8_000)
    kill(try fixture.decoder(), SIGSEGV)
    try fixture.recording.waitForSilence()
    let sound = fixture.recording.recordedFrames.sound
    #expect(sound.count == 2, "\(fixture.recording.recordedFrames)")
    #expect(sound.first?.first == 0)
    #expect((sound.first?.count ?? 0) > 5 * Signal.rate, "the decoded part is played")
    #expect(sound.last == RecordedFrames.Run(first: length, count: 30_000))
    #expect(try fixture.errors().map { $0 != nil } == [true, false])
  }

  /// The kernel kills workers if memory is short, and users do.
  @Test func aTrackWhoseWorkerIsKilledGoesOnWithAnotherOne() throws {
    let paths = try fixture.album([30 * Signal.rate])
    try fixture.add(paths, play: true)
    try fixture.recording.wait(forFrame: 4_000)
    kill(try fixture.decoder(), SIGKILL)
    try fixture.recording.wait(forFrame: 20 * Signal.rate)
    #expect(try fixture.errors() == [nil])
    #expect(try fixture.client.call("daemon.stats")["workersLost"]?.int == 1)
  }

  @Test func aHangingWorkerIsKilled() throws {
    let paths = try fixture.album([90_000, 30_000, 30_000])
    try fixture.add([paths[0]], play: true)
    try fixture.recording.wait(forFrame: 4_000)
    kill(try fixture.decoder(), SIGSTOP)
    try fixture.add(Array(paths[1...]))
    try fixture.recording.wait(for: "the last track", seconds: 60) { ($0.lastFrame ?? 0) > 140_000 }
    #expect(
      fixture.recording.recordedFrames.sound.map(\.first) == [0, 90_000], "another worker plays the second track")
    #expect(try fixture.errors() == [nil, nil, nil])
    #expect(try fixture.client.call("daemon.stats")["workersLost"]?.int == 1)
  }

  /// A file on which every worker hangs is skipped after the second one.
  @Test func aFileOnWhichASecondWorkerHangsIsSkipped() throws {
    let paths = try fixture.album([30 * Signal.rate, 30_000])
    try fixture.add(paths, play: true)
    try fixture.recording.wait(forFrame: 4_000)
    var stopped: Set<Int32> = []
    try fixture.call("seek", #"{"position":15}"#)
    while stopped.count < 2 {
      // The second worker gets the track once the first one is ended.
      if let worker = try? fixture.decoder(), stopped.insert(worker).inserted { kill(worker, SIGSTOP) }
      _ = try fixture.status()
    }
    try fixture.recording.wait(forFrame: 30 * Signal.rate + 20_000)
    #expect(try fixture.errors() == ["the decoder hung on this file", nil])
  }
}
