import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Synchronization
import Testing

/// Tests of output devices that stop taking sound while the sound server responds.
@Suite(.timeLimit(.minutes(2))) struct StalledOutputTests {
  /// A reader of a FIFO at the pace of a device, which can stop.
  private final class Device: Sendable {
    private enum State { case playing, stalled, ended }

    private let state = Mutex(State.playing)
    private let played = Mutex(RecordedFrames())

    /// The frames that were read.
    var frames: RecordedFrames { played.withLock { $0 } }

    init(reading path: String) throws {
      let fifo = try checked("open", path) { open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) }
      TestThread { [self] in
        defer { close(fifo) }
        // A fiftieth of a second.
        var buffer = [UInt8](repeating: 0, count: 3_528)
        while case let state = state.withLock({ $0 }), state != .ended {
          if state == .playing { play(buffer[..<max(0, read(fifo, &buffer, buffer.count))]) }
          poll(nil, 0, 20)
        }
      }.detach()
    }

    /// The sink writes whole frames, of four bytes.
    private func play(_ pcm: ArraySlice<UInt8>) {
      played.withLock { played in
        for start in stride(from: 0, to: pcm.count, by: 4) {
          played.append(pcm[start..<(start + 4)].reversed().reduce(0) { $0 << 8 | UInt32($1) })
        }
      }
    }

    func stall() { state.withLock { $0 = .stalled } }
    func play() { state.withLock { $0 = .playing } }
    func end() { state.withLock { $0 = .ended } }
  }

  /// A daemon that plays a file of a minute.
  private struct Playback {
    let daemon: DaemonProcess
    let client: SocketClient
    let watcher: SocketClient

    init(on address: String) throws {
      daemon = try DaemonProcess(environment: ["PULSE_SERVER": address])
      client = try daemon.connect()
      watcher = try daemon.connect()
      try watcher.call("subscribe")
      let path = daemon.directory.appending("long.wav")
      try AudioFile.write(AudioFile.wave(Signal.pcm(0..<(60 * Signal.rate))), to: path)
      try client.call("queue.add", #"{"uris":[\#(quoted(FileURI.encode(path)))],"play":true}"#)
    }

    func status() throws -> Status { Status(try client.call("status")) }

    @discardableResult
    func wait(until condition: (Status) -> Bool) throws -> Status {
      while true {
        let status = try status()
        if condition(status) { return status }
        _ = try watcher.event()
      }
    }

    /// Expects that a stall is reported with its reason, and that playback continues after it.
    /// - Parameter waitUntilPlayed: waits until a condition holds for the frames that the device has played.
    func expectRecovery(
      stall: () -> Void, play: () -> Void, waitUntilPlayed: ((RecordedFrames) -> Bool) throws -> Void
    ) throws {
      try wait { $0.rate == 1 }
      stall()
      let stalled = try wait { $0.output.state == .lost }
      #expect(stalled.state == .playing && stalled.rate == 0)
      #expect(stalled.output.errorKind == .sinkStalled)
      #expect(stalled.output.error?.description == "the output device does not play")
      #expect(try status().position == stalled.position)
      play()
      let back = try wait { $0.output.state == .open && $0.rate == 1 }
      #expect(back.output.error == nil && back.output.errorKind == nil && back.output.reconnects == 0)
      #expect(try #require(back.position) >= #require(stalled.position))
      // The position is that of the sound, from which a clock that ran on during the stall would differ by seconds.
      try client.call("pause")
      let position = try #require(try wait { $0.state == .paused && $0.rate == 0 }.position)
      try waitUntilPlayed { frames in
        guard let last = frames.sound.last else { return false }
        return abs(position.seconds - Double(last.end) / Double(Signal.rate)) < 0.5
      }
      try client.call("play")
    }
  }

  @Test func aDeviceThatStopsTakingSound_isReportedUntilItContinues() throws {
    let server = try PulseServer([.pacedPipe("test")])
    let device = try Device(reading: server.fifo("test"))
    defer { device.end() }
    let playback = try Playback(on: server.address)
    for _ in 0..<2 {
      try playback.expectRecovery(stall: device.stall, play: device.play) { condition in
        try waitUntil("the device has played up to the position") { condition(device.frames) }
      }
    }
    // Nothing is lost or played twice.
    #expect(device.frames.joined.count == 1, "\(device.frames)")
  }

  /// A request of the user ends the wait.
  @Test func aPauseDuringAStall_isNoLoss() throws {
    let server = try PulseServer([.pacedPipe("test")])
    let device = try Device(reading: server.fifo("test"))
    defer { device.end() }
    let playback = try Playback(on: server.address)
    try playback.wait { $0.rate == 1 }
    device.stall()
    try playback.wait { $0.output.errorKind == .sinkStalled }
    try playback.client.call("pause")
    let paused = try playback.wait { $0.output.state == .open }
    #expect(paused.state == .paused && paused.output.error == nil)
    try playback.client.call("play")
    try playback.wait { $0.output.errorKind == .sinkStalled }
    device.play()
    try playback.wait { $0.output.state == .open && $0.rate == 1 }
  }

  @Test(.enabled(if: PipeWireServer.isInstalled, "pipewire-pulse, wireplumber or dbus-daemon is not installed"))
  func aPipeWireThatHangs_isReportedUntilItContinues() throws {
    let server = try PipeWireServer()
    let recording = OutputRecording(try server.record())
    let playback = try Playback(on: server.address)
    try playback.expectRecovery(stall: server.freeze, play: server.thaw) { condition in
      try recording.wait(for: "the sound up to the position", until: condition)
    }
  }
}
