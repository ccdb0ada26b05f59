import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests that the write callback neither allocates memory nor locks nor blocks during playback.
@Suite(.disabled(if: Sanitizer.isOn, "sanitizers replace the allocator")) struct AudioPathTests {
  /// One call of the callback, recorded by `AudioPathWatch`.
  struct Call: Equatable, CustomStringConvertible {
    var bytes, allocations, releases, locks, waits: Int

    var isFree: Bool { allocations == 0 && releases == 0 && locks == 0 && waits == 0 }

    var description: String {
      "\(bytes) bytes, \(allocations) allocations, \(releases) releases, \(locks) locks, \(waits) waits"
    }
  }

  /// With fades, the callback also copies the frames; with a subscriber to the sound, it mixes them.
  @Test(arguments: [(0, false), (200, false), (0, true)])
  func theWriteCallbackNeitherAllocatesNorLocks(fade: Int, hasListener: Bool) throws {
    let fixture = try DaemonFixture(configuration: "[Player]\nFade=\(fade)\n")
    let report = fixture.folder.appending("report")
    fixture.daemon.kill()
    fixture.daemon.environment["LD_PRELOAD"] = WorkerProcess.product("libAudioPathWatch.so").description
    fixture.daemon.environment["AUDIO_PATH_WATCH"] = report.description
    try fixture.daemon.start()
    try fixture.reconnect()
    let listener = try fixture.daemon.connect()
    if hasListener { try listener.call("subscribe", #"{"topics":["sound"]}"#) }
    try fixture.add([try fixture.track("long", 0..<(8 * Signal.rate))], play: true)
    try fixture.recording.waitForSilence()

    let lines = String(decoding: try AudioFile.read(report), as: UTF8.self).split(separator: "\n")
    let calls = lines.compactMap { line -> Call? in
      let numbers = line.split(separator: " ").compactMap { Int($0) }
      return numbers.count == 5
        ? Call(
          bytes: numbers[0], allocations: numbers[1], releases: numbers[2], locks: numbers[3], waits: numbers[4]) : nil
    }
    // The first and the last call allocate the bookkeeping of the stream.
    let steady = calls.dropFirst().filter { $0.bytes > 0 }.dropLast()
    #expect(steady.count >= 3, "\(calls)")
    #expect(steady.filter { !$0.isFree } == [], "\(calls)")
    if hasListener { _ = try listener.event(of: "sound") { Sound($0).position > .seconds(5) } }
  }
}
