// Written by the pulse thread, read by any; the lock is held for a copy.
internal import Synchronization

/// The clock as last published.
final class PublishedClock: Sendable {
  private let clock = Mutex(SinkClock())

  var current: SinkClock { clock.withLock { $0 } }

  func publish(_ clock: SinkClock) { self.clock.withLock { $0 = clock } }

  /// The same, but waits for no reader: where one copies this very moment, the clock of before stands until the next
  /// time. For when only more was written; the clock of before is then as true, its sound only ends sooner.
  func offer(_ clock: SinkClock) { self.clock.withLockIfAvailable { $0 = clock } }
}
