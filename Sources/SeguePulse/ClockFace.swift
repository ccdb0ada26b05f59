// Written by the pulse thread, read by any; the lock is held for a copy.
internal import Synchronization

/// The clock as last published.
final class ClockFace: Sendable {
  private let clock = Mutex(SinkClock())

  var current: SinkClock { clock.withLock { $0 } }

  func publish(_ clock: SinkClock) { self.clock.withLock { $0 = clock } }
}
