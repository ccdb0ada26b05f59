import SegueOutput
import SeguePulse
import SegueRing
import SegueSystem
import SegueTestKit
import Testing

/// Tests of how much PCM must be there before a sink that renders ahead starts.
@Suite(.serialized) struct HeadStartTests {
  let server: PulseServer
  let fixture: SinkFixture

  init() throws {
    server = try PulseServer([.null("test"), .null("other")])
    fixture = SinkFixture(server)
  }

  /// The time after which playback starts with less than the head start.
  private static let timeout = MediaTime.milliseconds(1_500)
  /// Less than a sink that reads far ahead needs, and more than another one.
  private static let third = 14_700

  /// Records a sink, so that it reads no further ahead than `latency`.
  private func record(_ sink: String = "test", latency: MediaTime = .milliseconds(5)) throws -> Recorder {
    let recorder = try server.record("\(sink).monitor", latency: latency)
    try #require(recorder.pieces.wait { $0.bytes.isEmpty ? nil : true } != nil)
    return recorder
  }

  /// Starts a sound of which only a third of a second is there. Returns the time from the command to the start.
  private func start(
    _ generation: Generation, from worker: inout StubWorker, isSourceCached: Bool
  ) -> MediaTime {
    let begin = MonotonicTime.now
    let index = fixture.count
    fixture.sink.send(.play(generation, worker.ring, paused: false))
    worker.begin(generation, .cd, isSourceCached: isSourceCached)
    worker.write(noise(Self.third, .cd))
    return timeToStart(of: generation, from: index, begin)
  }

  private func timeToStart(of generation: Generation, from index: Int, _ begin: MonotonicTime) -> MediaTime {
    fixture.expect(from: index, "start") { if case .scheduled(generation, _) = $0 { true } else { nil } }
    return MonotonicTime.now - begin
  }

  @Test func aSourceInMemoryStartsAtOnce_ifARecorderKeepsTheSinkFromReadingAhead() throws {
    let recorder = try record()
    var worker = try StubWorker()
    #expect(start(Generation(1), from: &worker, isSourceCached: true) < Self.timeout)
    #expect(start(Generation(2), from: &worker, isSourceCached: false) >= Self.timeout)
    #expect(start(Generation(3), from: &worker, isSourceCached: true) < Self.timeout)
    let rest = noise(88_200, .cd, seed: 2)
    worker.write(rest)
    worker.end(Generation(3), .cd)
    fixture.expect(.finished(Generation(3)))
    #expect(!fixture.events.all.contains { if case .underrun = $0.event { true } else { false } })
    withExtendedLifetime(recorder) {}
  }

  /// The first sound opens the stream, of whose sink nothing is known.
  @Test func aSinkThatReadsAhead_startsLate() throws {
    var worker = try StubWorker()
    #expect(start(Generation(1), from: &worker, isSourceCached: true) >= Self.timeout)
    #expect(start(Generation(2), from: &worker, isSourceCached: true) >= Self.timeout)
  }

  /// The recorder keeps the sink from reading ahead during the first sound only.
  @Test func aSinkThatReadsAheadAgain_startsLate() throws {
    var worker = try StubWorker()
    do {
      let recorder = try record()
      #expect(start(Generation(1), from: &worker, isSourceCached: true) < Self.timeout)
      withExtendedLifetime(recorder) {}
    }
    try waitUntil("the recorder is gone") { try server.pactl("list", "short", "source-outputs").isEmpty }
    #expect(start(Generation(2), from: &worker, isSourceCached: true) >= Self.timeout)
  }

  @Test func aSinkWhoseRecorderIsInNoHurry_startsLate() throws {
    let recorder = try record(latency: .seconds(2))
    var worker = try StubWorker()
    #expect(start(Generation(1), from: &worker, isSourceCached: true) >= Self.timeout)
    withExtendedLifetime(recorder) {}
  }

  /// The server states a latency of zero for a suspended sink.
  @Test func aSuspendedSink_startsLate() throws {
    var worker = try StubWorker()
    _ = start(Generation(1), from: &worker, isSourceCached: false)
    try server.pactl("suspend-sink", "test", "1")
    let (begin, index) = (MonotonicTime.now, fixture.count)
    fixture.sink.send(.play(Generation(2), worker.ring, paused: false))
    worker.begin(Generation(2), .cd, isSourceCached: true)
    worker.write(noise(Self.third, .cd))
    try waitUntil("the PCM is read") { worker.ring.bytesRead >= 8 * Self.third }
    try server.pactl("suspend-sink", "test", "0")
    #expect(timeToStart(of: Generation(2), from: index, begin) >= Self.timeout)
  }

  /// The sound moves from a sink that reads little ahead to another one before it starts.
  @Test func aSinkToWhichASoundMovesBeforeItsStart_startsLate() throws {
    let recorder = try record()
    var worker = try StubWorker()
    #expect(start(Generation(1), from: &worker, isSourceCached: true) < Self.timeout)
    let (begin, index) = (MonotonicTime.now, fixture.count)
    fixture.sink.send(.play(Generation(2), worker.ring, paused: false))
    worker.begin(Generation(2), .cd, isSourceCached: true)
    worker.write(noise(8_820, .cd))
    try waitUntil("the PCM is read") { worker.ring.bytesRead >= 4 * (Self.third + 8_820) }
    let input = try server.pactl("list", "short", "sink-inputs").prefix { $0 != "\t" }
    try server.pactl("move-sink-input", String(input), "other")
    fixture.expect(from: index, "move") { if case .moved = $0 { true } else { nil } }
    worker.write(noise(Self.third - 8_820, .cd))
    #expect(timeToStart(of: Generation(2), from: index, begin) >= Self.timeout)
    withExtendedLifetime(recorder) {}
  }
}

/// A sink of PipeWire never reads far ahead.
@Suite(.enabled(if: PipeWireServer.isInstalled, "pipewire-pulse, wireplumber or dbus-daemon is not installed"))
struct PipeWireHeadStartTests {
  @Test func aSourceInMemoryStartsAtOnce() throws {
    let server = try PipeWireServer()
    let fixture = SinkFixture(server: server.address)
    var worker = try StubWorker()
    for number in UInt32(1)...2 {
      let (begin, index) = (MonotonicTime.now, fixture.count)
      fixture.sink.send(.play(Generation(number), worker.ring, paused: false))
      worker.begin(Generation(number), .cd, isSourceCached: true)
      worker.write(noise(14_700, .cd))
      fixture.expect(from: index, "start") {
        if case .scheduled(Generation(number), _) = $0 { true } else { nil }
      }
      #expect(MonotonicTime.now - begin < .seconds(1))
    }
    worker.write(noise(88_200, .cd, seed: 2))
    worker.end(Generation(2), .cd)
    fixture.expect(.finished(Generation(2)))
    #expect(!fixture.events.all.contains { if case .underrun = $0.event { true } else { false } })
  }
}
