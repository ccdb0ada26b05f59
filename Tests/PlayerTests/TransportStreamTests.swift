import SegueRing
import SegueSystem
import SegueWire
import SegueWorkerProtocol
import Testing

@testable import SeguePlayer

/// Tests of the state of a stream, which follows from events of the worker and of the sink.
struct TransportStreamTests {
  private var transport = Transport()
  private let generation = Generation(1)

  init() { _ = transport.handle(.play(EntryID(1), from: .zero)) }

  private func state(hasOutput: Bool = true, isAdvancing: Bool = false) -> StreamStatus.State? {
    transport.streamState(isAdvancing: isAdvancing, hasOutput: hasOutput)
  }

  @Test mutating func aStationConnectsBuffersAndIsLive() {
    #expect(state() == .connecting)
    _ = transport.handle(.opened(generation, .live))
    #expect(state() == .buffering)
    #expect(state(isAdvancing: true) == .live)
    _ = transport.handle(.audible(generation))
    #expect(state() == .live)
  }

  @Test mutating func aRecordingThatPlaysHasNoState() {
    #expect(state() == .connecting)
    _ = transport.handle(.opened(generation))
    #expect(state() == .buffering)
    _ = transport.handle(.audible(generation))
    #expect(state() == nil)
  }

  @Test mutating func aLostStationIsLiveWhileSomethingIsLeftToPlay() {
    _ = transport.handle(.opened(generation, .live))
    _ = transport.handle(.audible(generation))
    _ = transport.handle(.connectionChanged(generation, isLost: true))
    #expect(state() == .live)
    _ = transport.handle(.starved)
    #expect(state() == .connecting)
    _ = transport.handle(.connectionChanged(generation, isLost: false))
    #expect(state() == .buffering)
  }

  @Test mutating func aStationThatIsOpenedAgainIsConnecting() {
    _ = transport.handle(.opened(generation, .live))
    _ = transport.handle(.audible(generation))
    _ = transport.handle(.cutOff(generation, Failure(.offline, "ended"), at: .seconds(2)))
    #expect(state() == .live)
    _ = transport.handle(.starved)
    #expect(state() == .connecting)
    _ = transport.handle(.opened(Generation(2), .live))
    #expect(state() == .buffering)
    _ = transport.handle(.connectionChanged(Generation(2), isLost: true))
    #expect(state() == .connecting)
  }

  @Test mutating func onlyACurrentStreamThatPlaysHasAState() {
    _ = transport.handle(.opened(generation, .live))
    _ = transport.handle(.audible(Generation(7)))
    #expect(state() == .buffering)
    #expect(state(hasOutput: false) == nil)
    _ = transport.handle(.pause(.user))
    #expect(state() == nil)
    _ = transport.handle(.stop)
    #expect(state() == nil)
  }
}
