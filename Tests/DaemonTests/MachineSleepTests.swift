import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of clocks during system sleep. CLOCK_MONOTONIC, which times playback, stops during sleep, and CLOCK_BOOTTIME,
/// which times the sleep timer, does not. A time namespace sets the clocks apart as a sleep of ten days would.
@Suite struct MachineSleepTests {
  private static let slept = 10 * 86_400
  private static let unshare = ["unshare", "--time", "--boottime", "\(slept)", "--"]

  /// Whether this process may create a time namespace.
  static let isAllowed =
    (try? ChildProcess(unshare + ["true"], environment: ["PATH": "/usr/bin:/bin"]).end(0)) == 0

  /// The sleep timer uses a kernel timer on CLOCK_BOOTTIME, so the time during sleep counts.
  @Test func theSleepTimerCountsDuringSystemSleep() throws {
    let daemon = try DaemonProcess()
    try daemon.connect().call("sleep", #"{"seconds":3600}"#)
    let timers = Processes.timers(of: try #require(daemon.pid))
    #expect(timers.contains { $0.clock == CLOCK_BOOTTIME && (3_500...3_600).contains($0.seconds) }, "\(timers)")
    #expect(!timers.contains { $0.clock == CLOCK_MONOTONIC && $0.seconds > 0 }, "\(timers)")
  }

  @Test(.enabled(if: isAllowed, "only root may make a time namespace")) func playbackIsCorrectAfterSystemSleep() throws
  {
    let fixture = try DaemonFixture()
    fixture.daemon.stop()
    let segued = fixture.daemon.program.description
    fixture.daemon.program = FilePath("/usr/bin/unshare")
    try fixture.daemon.start(Array(Self.unshare.dropFirst()) + [segued])
    try fixture.reconnect()
    try fixture.add([try fixture.track("long", 0..<(20 * Signal.rate))], play: true)
    try fixture.recording.wait(forFrame: 30_000)
    let status = try fixture.wait { $0.rate == 1 }
    let recorded = Double(try #require(fixture.recording.recordedFrames.lastFrame)) / Double(Signal.rate)
    let position = (status.position ?? .zero) + (MonotonicTime.now - status.monotonic)
    #expect(abs(position.seconds - recorded) < 0.5, "the position is \(position) after \(recorded) recorded seconds")
    guard case .seconds(let left) = try fixture.call("sleep", #"{"seconds":1}"#).sleep else {
      throw Unexpected("the sleep timer has no remaining time")
    }
    #expect(left > .zero && left <= .seconds(1))
    #expect(try fixture.waitForStop().sleep == nil)
    let end = try #require(fixture.recording.recordedFrames.sound.last).end
    #expect(end < 20 * Signal.rate, "the sleep timer stopped playback before the end of the track")
  }
}
