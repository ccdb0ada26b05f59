// Any thread posts, the pulse thread takes. The lock is held for an append or a swap, never across a call.
internal import SegueSystem
internal import Synchronization

/// Orders on their way to the pulse thread.
final class Mailbox: Sendable {
  private let orders = Mutex<[SinkCommand]>([])
  /// Raised when there are orders to take.
  let counter: EventCounter

  init() throws(SystemError) { counter = try EventCounter() }

  func post(_ order: SinkCommand) {
    let wasEmpty = orders.withLock { orders in
      orders.append(order)
      return orders.count == 1
    }
    if wasEmpty { counter.raise() }
  }

  func takeAll() -> [SinkCommand] {
    counter.clear()
    return orders.withLock { orders in
      let taken = orders
      orders = []
      return taken
    }
  }
}
