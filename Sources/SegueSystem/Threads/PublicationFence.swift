internal import Synchronization

/// The order between the thread that puts work into a queue and the thread that takes it out, in a form that
/// ThreadSanitizer sees.
///
/// The `Mutex` of the queue gives this order already, but the kernel hands over a contended one (FUTEX_UNLOCK_PI),
/// which the sanitizer does not see. Without this type, it would report races on all objects that are passed through
/// the queue.
public struct PublicationFence: ~Copyable, Sendable {
  private let count = Atomic<UInt>(0)

  /// Publishes what this thread has written so far. Called with the queue locked.
  public func publish() { count.wrappingAdd(1, ordering: .releasing) }

  /// Acquires what other threads have published. Called with the queue locked.
  public func acquire() { _ = count.load(ordering: .acquiring) }
}
