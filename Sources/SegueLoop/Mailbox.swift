internal import SegueSystem
internal import Synchronization

/// How other threads hand work to the loop: never blocks beyond a short lock, wakes the loop once for many posts.
public final class Mailbox: Sendable {
  public typealias Work = @MainActor @Sendable () -> Void

  private let pending = Mutex<[Work]>([])
  private let counter: EventCounter

  init() throws(SystemError) { counter = try EventCounter() }

  var raw: Int32 { counter.raw }

  /// Any thread. The work is done on the loop thread, in the order of posting.
  public func post(_ work: @escaping Work) {
    let wasEmpty = pending.withLock { queue in
      queue.append(work)
      return queue.count == 1
    }
    if wasEmpty { counter.raise() }
  }

  @MainActor
  func deliver() {
    counter.clear()
    let batch = pending.withLock { queue in
      defer { queue = [] }
      return queue
    }
    for work in batch { work() }
  }
}
