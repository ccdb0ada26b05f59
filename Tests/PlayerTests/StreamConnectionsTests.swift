import SegueRing
import SegueSystem
import SegueWire
import Testing

@testable import SeguePlayer

/// Tests of the state of a stream, which follows from events of the worker and of the sink.
struct StreamConnectionsTests {
  private var transport = Transport()
  private var connections = StreamConnections()
  private let generation = Generation(1)

  init() { _ = transport.handle(.play(EntryID(1), from: .zero)) }

  private func state(isLive: Bool = true, hasOutput: Bool = true, isAdvancing: Bool = false) -> StreamStatus.State? {
    connections.state(of: transport, isAdvancing: isAdvancing, isLive: isLive, hasOutput: hasOutput)
  }

  @Test mutating func aStationConnectsBuffersAndIsLive() {
    #expect(state() == .connecting)
    _ = transport.handle(.opened(generation))
    #expect(state() == .buffering)
    #expect(state(isAdvancing: true) == .live)
    connections.setAudible(generation)
    #expect(state() == .live)
  }

  @Test mutating func aRecordingThatPlaysHasNoState() {
    #expect(state(isLive: false) == .connecting)
    _ = transport.handle(.opened(generation))
    #expect(state(isLive: false) == .buffering)
    connections.setAudible(generation)
    #expect(state(isLive: false) == nil)
  }

  @Test mutating func aLostStationIsLiveWhileSomethingIsLeftToPlay() {
    _ = transport.handle(.opened(generation))
    connections.setAudible(generation)
    connections.setInterrupted(generation, true)
    #expect(state() == .live)
    connections.setAudible(nil)
    #expect(state() == .connecting)
    connections.setInterrupted(generation, false)
    #expect(state() == .buffering)
  }

  @Test mutating func aStationThatIsOpenedAgainIsConnecting() {
    _ = transport.handle(.opened(generation, .live))
    connections.setAudible(generation)
    _ = transport.handle(.cutOff(generation, Failure(.offline, "ended"), at: .seconds(2)))
    #expect(state() == .live)
    connections.setAudible(nil)
    #expect(state() == .connecting)
    _ = transport.handle(.opened(Generation(2), .live))
    #expect(state() == .buffering)
    connections.setInterrupted(Generation(2), true)
    #expect(state() == .connecting)
  }

  @Test mutating func onlyACurrentStreamThatPlaysHasAState() {
    _ = transport.handle(.opened(generation))
    connections.setAudible(Generation(7))
    #expect(state() == .buffering)
    #expect(state(hasOutput: false) == nil)
    _ = transport.handle(.pause)
    #expect(state() == nil)
    _ = transport.handle(.stop)
    #expect(state() == nil)
  }

  @Test mutating func theConnectionOfAFormerGenerationIsForgotten() {
    connections.setInterrupted(generation, true)
    _ = transport.handle(.opened(generation))
    connections.retain([])
    #expect(state() == .buffering)
  }
}
