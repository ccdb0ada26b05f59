import Glibc
import SegueOutput
import SeguePulse
import SegueRing
import SegueSystem
import SegueTestKit
import Testing

/// A sink under test that records its events with their times.
final class SinkFixture: Sendable {
  struct Record: Sendable {
    var event: SinkEvent
    var time: MonotonicTime
  }

  let sink: PulseSink
  let events = EventLog<Record>()

  convenience init(_ server: PulseServer) { self.init(server: server.address) }

  /// - Parameter server: The address of the server, as in `PULSE_SERVER`.
  init(server: String) {
    let events = events
    sink = PulseSink(applicationName: "Segue test", server: server) {
      events.append(Record(event: $0, time: .now))
    }
  }

  deinit { sink.shutdown() }

  /// The number of events so far.
  var count: Int { events.all.count }

  /// Waits for an event at or after `index`, and fails the test if it does not come.
  @discardableResult
  func expect<Found>(
    from index: Int = 0, seconds: Int = 20, _ what: String = "event", at location: SourceLocation = #_sourceLocation,
    _ pick: (SinkEvent) -> Found?
  ) -> Found? {
    if let (found, _) = events.wait(from: index, within: .seconds(seconds), { pick($0.event) }) { return found }
    Issue.record("no \(what) among \(events.all.map(\.event))", sourceLocation: location)
    return nil
  }

  func expect(_ event: SinkEvent, from index: Int = 0, at location: SourceLocation = #_sourceLocation) {
    expect(from: index, "\(event)", at: location) { $0 == event ? true : nil }
  }

  /// Waits until the sink's clock shows at least this frame of a track. Returns nil after a timeout.
  func audible(atLeast frame: Int) -> Frames? {
    watch { position in position.frame >= Frames(frame) ? position.frame : nil }
  }

  /// Waits until the sink's clock stands still at this frame of a track or a later one, and returns the frame.
  func standing(atLeast frame: Int = 0) -> Frames? {
    watch { position in position.advancing || position.frame < Frames(frame) ? nil : position.frame }
  }

  /// Reads the clock until `pick` returns a value.
  private func watch<Found>(_ pick: (SinkClock.Position) -> Found?) -> Found? {
    waitForValue(every: .microseconds(500)) { sink.clock.position(at: .now).flatMap(pick) }
  }
}
