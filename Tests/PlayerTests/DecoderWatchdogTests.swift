import SegueLink
import SegueLoop
import SegueRing
import SegueSystem
import SegueWire
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
    begin(1, after: nil)
  }

  /// Lets the worker decode a stream as the generation `number`.
  private func begin(_ number: UInt32, after previous: Generation?) {
    let url = "http://example/"
    watchdog.began(
      DecoderWatchdog.PendingGeneration(
        request: DecodeRequest(
          item: Transport.Item(
            track: Transport.Track(EntryID(UInt64(number))), generation: Generation(number), start: .zero),
          rate: nil, speed: .normal, findGain: { $0(GainParameters()) }), uri: url,
        source: MediaSource(name: url, url: url), isFile: false),
      after: previous, into: ring)
  }

  /// A malicious worker may contradict itself, or report the decoding of a track that it cannot have reached.
  @Test func aDecodedGenerationOnlyEnds() throws {
    let info = MediaInfo(try JSON(parsing: Array("{}".utf8)))
    let (first, second) = (Generation(1), Generation(2))
    begin(2, after: first)
    #expect(watchdog.received(.decoded, of: second) == .premature)
    #expect(watchdog.received(.decoded, of: first) == .expected)
    watchdog.decoded(first)
    #expect(watchdog.undecoded.map(\.generation) == [second] && watchdog.isPending(first))
    let failure = Failure(.unplayable, "x")
    let contradictions: [DecodingEvent] = [
      .decoded, .opened(info), .failed(failure), .sourceNeeded, .cutOff(failure, at: .zero),
      .faded(from: .zero, into: second), .interrupted,
    ]
    for event in contradictions { #expect(watchdog.received(event, of: first) == .stale, "\(event)") }
    #expect(watchdog.received(.opened(info), of: second) == .premature)
    #expect(watchdog.received(.resumed, of: first) == .expected)
    #expect(watchdog.received(.ended(duration: .zero), of: first) == .expected)
  }

  /// The lost connection of a decoded stream says nothing about the track that the worker decodes.
  @Test func aLostConnectionOfADecodedGenerationIsNoProgress() {
    begin(2, after: Generation(1))
    watchdog.setInterrupted(Generation(1), true)
    watchdog.decoded(Generation(1))
    watchdog.check(at: start + .seconds(61))
    #expect(counter.timeouts == 1)
  }

  @Test func eventsOfADecodedGenerationAreNoProgress() {
    watchdog.decoded(Generation(1))
    watchdog.check(at: start + .seconds(30))
    _ = watchdog.received(.decoded, of: Generation(1))
    watchdog.check(at: start + .seconds(61))
    #expect(counter.timeouts == 1)
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
