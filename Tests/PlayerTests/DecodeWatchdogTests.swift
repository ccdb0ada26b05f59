import SegueRing
import SegueSystem
import SegueWire
import SegueWorkerProtocol
import Testing

@testable import SeguePlayer

/// Tests of the queue of a decoding worker and of its watchdog, at times that lie in the future.
@MainActor struct DecodeWatchdogTests {
  private var queue = DecodeQueue()
  private var watchdog = DecodeWatchdog()
  private let start = MonotonicTime.now

  init() {
    append(1)
    watchdog.began(bytesRead: 0)
  }

  /// Lets the worker decode a stream as the generation `number`.
  private mutating func append(_ number: UInt32) {
    let url = "http://example/"
    let item = Transport.Item(
      track: Transport.Track(EntryID(UInt64(number))), generation: Generation(number), start: .zero)
    let request = DecodeRequest(item: item, rate: nil, speed: .normal) { $0(GainParameters()) }
    queue.append(
      DecodeQueue.Decode(request: request, uri: url, source: MediaSource(name: url, url: url), isFile: false))
  }

  /// Checks the worker, which delivers nothing, after a number of seconds.
  private mutating func isHung(after seconds: Double) throws -> Bool {
    let verdict = watchdog.check(queue, bytesRead: 0, awaitsPCM: true, at: start + .seconds(seconds))
    let found = try #require(verdict)
    #expect(found.isStreamSilent, "the fetch process may be what hangs")
    return found.isHung
  }

  /// A malicious worker may contradict itself, or report the decoding of a track that it cannot have reached.
  @Test mutating func aDecodedGenerationOnlyEnds() throws {
    let info = MediaInfo(try JSON(parsing: Array("{}".utf8)))
    let (first, second) = (Generation(1), Generation(2))
    append(2)
    #expect(queue.order(of: .decoded, second) == .premature)
    #expect(queue.order(of: .decoded, first) == .expected)
    queue.update(first) { $0.isDecoded = true }
    #expect(queue.undecoded.map(\.generation) == [second] && queue.contains(first))
    let failure = Failure(.unplayable, "x")
    let contradictions: [DecodingEvent] = [
      .decoded, .opened(info), .failed(failure), .sourceNeeded, .cutOff(failure, at: .zero),
      .faded(from: .zero, into: second), .interrupted,
    ]
    for event in contradictions { #expect(queue.order(of: event, first) == .stale, "\(event)") }
    #expect(queue.order(of: .opened(info), second) == .premature)
    #expect(queue.order(of: .resumed, first) == .expected)
    #expect(queue.order(of: .ended(duration: .zero), first) == .expected)
  }

  /// The lost connection of a decoded stream says nothing about the track that the worker decodes.
  @Test mutating func aLostConnectionOfADecodedGenerationIsNoProgress() throws {
    append(2)
    queue.update(Generation(1)) { ($0.isInterrupted, $0.isDecoded) = (true, true) }
    #expect(try isHung(after: 61))
  }

  @Test mutating func aStreamThatDeliversNothingTimesOut() throws {
    #expect(try !isHung(after: 59))
    #expect(try isHung(after: 120))
  }

  @Test mutating func aStreamThatDeliversPCMDoesNotTimeOut() {
    for minute in 1...600 {
      let now = start + .seconds(Double(60 * minute))
      #expect(watchdog.check(queue, bytesRead: UInt64(minute), awaitsPCM: true, at: now)?.isHung == false)
    }
  }

  @Test mutating func aWorkerWithNothingToDoIsNotChecked() {
    queue.remove(Generation(1))
    #expect(watchdog.check(queue, bytesRead: 0, awaitsPCM: true, at: start + .seconds(600)) == nil)
  }

  @Test mutating func aStationIsRetriedForAsLongAsItIsWanted() throws {
    queue.update(Generation(1)) { $0.isInterrupted = true }
    for minute in 1...600 { #expect(try !isHung(after: Double(60 * minute))) }
  }

  @Test mutating func aStationThatIsConnectedAgainAndDeliversNothingTimesOut() throws {
    queue.update(Generation(1)) { $0.isInterrupted = true }
    #expect(try !isHung(after: 300))
    queue.update(Generation(1)) { $0.isInterrupted = false }
    #expect(try !isHung(after: 350))
    #expect(try isHung(after: 400))
  }
}
