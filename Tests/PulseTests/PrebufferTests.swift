import Glibc
import SeguePulse
import SegueRing
import SegueSystem
import SegueTestKit
import Testing

/// When the sound starts that comes slower than a decoder gives it.
@Suite(.serialized) struct PrebufferTests {
  let server: PulseServer
  let recorder: Recorder
  let probe: SinkFixture

  init() throws {
    server = try PulseServer([.pipe("test")])
    recorder = try server.readFIFO("test")
    probe = SinkFixture(server)
  }

  private var isScheduled: Bool {
    probe.journal.all.contains { if case .scheduled = $0.event { true } else { false } }
  }

  /// A radio without a burst never has a head start, and need not: it is a second and a quarter.
  @Test func whatComesInRealTimeIsNotWaitedForLikeADisk() throws {
    var worker = try Worker()
    let pcm = noise(176_400, .cd)
    let piece = 4_410 * 4
    probe.sink.send(.play(Generation(1), worker.ring, paused: false))
    worker.begin(Generation(1), .cd)
    var given = 0
    while !isScheduled, given < pcm.count {
      worker.write(Array(pcm[given..<(given + piece)]))
      given += piece
      // In step with the sink, so that none of it is there sooner than in real time.
      try waitUntil("the sink has taken \(given) bytes") { worker.ring.bytesRead >= given }
      // Real time is what a radio gives.
      usleep(100_000)
    }
    #expect(given < 12 * piece, "started with \(given / piece) tenths of a second")
    worker.write(Array(pcm[given...]))
    worker.end(Generation(1), .cd)
    probe.expect(.finished(Generation(1)))
    #expect(withoutSilence(try #require(recorder.sound(untilSilence: 256 << 10))) == pcm)
  }
}
