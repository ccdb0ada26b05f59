internal import SegueSystem
internal import Synchronization

/// A queue through which other threads pass work to the loop. Posting blocks only for a short lock; many posts wake the
/// loop once.
public final class Mailbox: Sendable {
  public typealias Work = @MainActor @Sendable () -> Void

  private let pending = Mutex<[Work]>([])
  private let counter: EventCounter
  /// Shows ThreadSanitizer the order of posting and delivery, which the lock ensures.
  private let fence = PublicationFence()

  init() throws(SystemError) { counter = try EventCounter() }

  var raw: Int32 { counter.raw }

  /// Appends work, which the loop thread does in the order of posting. Any thread may call this.
  public func post(_ work: @escaping Work) {
    let wasEmpty = pending.withLock { queue in
      fence.publish()
      queue.append(work)
      return queue.count == 1
    }
    if wasEmpty { counter.raise() }
  }

  /// Does the work that was posted so far.
  @MainActor
  func deliver() {
    counter.clear()
    let batch = pending.withLock { queue in
      fence.acquire()
      defer { queue = [] }
      return queue
    }
    for work in batch { work() }
  }
}
