import SegueLink
import SegueLoop
import SegueRing
import SegueSystem
import Testing

@testable import SeguePlayer

/// Tests of the watchdog of the decoding worker, at times that lie in the future.
@MainActor @Suite struct DecoderWatchdogTests {
  private final class Counter {
    var timeouts = 0
    var silences = 0
  }

  private let ring: SharedRing
  private let counter = Counter()
  private let watchdog: DecoderWatchdog
  private let start = MonotonicTime.now

  init() throws {
    ring = try SharedRing()
    watchdog = try DecoderWatchdog(
      loop: EventLoop(), awaitsPCM: { true }, onSilentStream: { [counter] in counter.silences += 1 },
      onTimeout: { [counter] in counter.timeouts += 1 })
    let url = "http://example/"
    watchdog.began(
      DecoderWatchdog.PendingGeneration(
        item: Transport.Item(entry: EntryID(1), generation: Generation(1), start: .zero), uri: url,
        source: MediaSource(name: url, url: url), isFile: false),
      after: nil, into: ring)
  }

  @Test func aStreamThatDeliversNothingTimesOut() {
    watchdog.check(at: start + .seconds(59))
    #expect(counter.timeouts == 0)
    watchdog.check(at: start + .seconds(120))
    #expect(counter.timeouts == 1)
  }

  @Test func aStationIsRetriedForAsLongAsItIsWanted() {
    watchdog.setInterrupted(Generation(1), true)
    for minute in 1...600 { watchdog.check(at: start + .seconds(Double(60 * minute))) }
    #expect(counter.timeouts == 0)
    #expect(counter.silences == 600, "the fetch process may be what hangs")
  }

  @Test func aStationThatIsConnectedAgainAndDeliversNothingTimesOut() {
    watchdog.setInterrupted(Generation(1), true)
    watchdog.check(at: start + .seconds(300))
    watchdog.setInterrupted(Generation(1), false)
    watchdog.check(at: start + .seconds(350))
    #expect(counter.timeouts == 0)
    watchdog.check(at: start + .seconds(400))
    #expect(counter.timeouts == 1)
  }
}
