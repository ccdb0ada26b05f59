import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of the connection states of streams.
@Suite struct StreamStateTests {
  let fixture: DaemonFixture

  init() throws { fixture = try DaemonFixture() }

  private func wait(for state: StreamStatus.State?) throws -> Status { try fixture.wait { $0.stream?.state == state } }

  @Test func aStopDuringARetryEndsTheRequests() throws {
    let station = try Station()
    try fixture.add(uris: [station.url], play: true)
    _ = try wait(for: .live)
    station.set(.down)
    _ = try wait(for: .connecting)
    #expect(try fixture.call("stop").state == .stopped)
    #expect(try fixture.status().stream?.state == nil)
    // The file is decoded by another worker, and nothing of the station is left.
    try fixture.add([try fixture.track("file", 1_000_000..<1_020_000)], play: true)
    try fixture.recording.wait(forFrame: 1_019_999)
    #expect(fixture.recording.recordedFrames.sound.last == RecordedFrames.Run(first: 1_000_000, count: 20_000))
  }
}
