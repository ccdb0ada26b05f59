import Glibc
import SeguePulse
import SegueRing
import SegueSystem
import SegueTestKit
import Testing

/// A sink under test: what it said, with the time it said it.
final class SinkFixture: Sendable {
  struct Heard: Sendable {
    var event: SinkEvent
    var time: MonotonicTime
  }

  let sink: PulseSink
  let journal = EventLog<Heard>()

  init(_ server: PulseServer) {
    let journal = journal
    sink = PulseSink(applicationName: "Segue test", server: server.address) {
      journal.append(Heard(event: $0, time: .now))
    }
  }

  deinit { sink.shutdown() }

  /// The events said so far.
  var count: Int { journal.all.count }

  /// Waits for an event, at or behind `index`; fails the test if it does not come.
  @discardableResult
  func expect<Found>(
    from index: Int = 0, seconds: Int = 20, _ what: String = "event", at location: SourceLocation = #_sourceLocation,
    _ pick: (SinkEvent) -> Found?
  ) -> Found? {
    if let (found, _) = journal.wait(from: index, seconds: seconds, { pick($0.event) }) { return found }
    Issue.record("no \(what) among \(journal.all.map(\.event))", sourceLocation: location)
    return nil
  }

  func expect(_ event: SinkEvent, from index: Int = 0, at location: SourceLocation = #_sourceLocation) {
    expect(from: index, "\(event)", at: location) { $0 == event ? true : nil }
  }

  /// Waits until the sink's clock shows at least this frame of a track; nil if it does not in time.
  func audible(atLeast frame: Int) -> Frames? {
    watch { position in position.frame >= Frames(frame) ? position.frame : nil }
  }

  /// Waits until the sink's clock stands, and says where.
  func standing() -> Frames? {
    watch { position in position.advancing ? nil : position.frame }
  }

  /// Looks at the clock until `pick` makes something of it.
  private func watch<Found>(
    _ pick: ((generation: Generation, frame: Frames, rate: SampleRate, advancing: Bool)) -> Found?
  ) -> Found? {
    look(every: .microseconds(500)) { sink.clock.position(at: .now).flatMap(pick) }
  }
}
