import Glibc
import SegueOutput
import SeguePulse
import SegueRing
import SegueSystem
import SegueTestKit
import Testing

/// Tests of the start of sound that arrives more slowly than a decoder provides it.
@Suite(.serialized) final class PrebufferTests: PipeFixture {
  private var isScheduled: Bool {
    fixture.events.all.contains { if case .scheduled = $0.event { true } else { false } }
  }

  /// A radio stream without a burst never provides the head start of a second and a quarter, and does not need it.
  @Test func aRealTimeSourceStartsBeforeTheHeadStartIsReached() throws {
    var worker = try StubWorker()
    let pcm = noise(176_400, .cd)
    let piece = 4_410 * 4
    fixture.sink.send(.play(Generation(1), worker.ring, paused: false))
    worker.begin(Generation(1), .cd)
    var given = 0
    while !isScheduled, given < pcm.count {
      worker.write(Array(pcm[given..<(given + piece)]))
      given += piece
      // Waiting for the sink keeps the PCM from being there sooner than in real time.
      try waitUntil("the sink has taken \(given) bytes") { worker.ring.bytesRead >= given }
      // A radio stream arrives in real time.
      _ = fixture.events.wait(within: .milliseconds(100)) { if case .scheduled = $0.event { true } else { nil } }
    }
    #expect(given < 12 * piece, "started with \(given / piece) tenths of a second")
    worker.write(Array(pcm[given...]))
    worker.end(Generation(1), .cd)
    fixture.expect(.finished(Generation(1)))
    #expect(withoutSilence(try #require(recorder.sound(untilSilence: 256 << 10))) == pcm)
  }
}
