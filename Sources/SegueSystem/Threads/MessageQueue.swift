internal import Synchronization

/// A queue through which other threads send messages to a thread that waits for descriptors. Posting blocks only for a
/// short lock; many posts wake the receiver once.
///
/// The queue has no limit: the senders are parts of the same process, each of which has a limit of its own, and the
/// receiver takes all messages whenever it wakes.
public final class MessageQueue<Message: Sendable>: Sendable {
  private let pending: Mutex<[Message]>
  private let counter: EventCounter
  /// Shows ThreadSanitizer the order of posting and taking, which the lock ensures.
  private let fence: PublicationFence

  // In release builds, Swift 6.3 fails to compile an error path that destroys the fence. Nothing is initialized before
  // this error path.
  public init() throws(SystemError) {
    counter = try EventCounter()
    pending = Mutex([])
    fence = PublicationFence()
  }

  /// The descriptor that is readable while there are messages, or after `wake`.
  public var raw: Int32 { counter.raw }

  /// Appends a message and wakes the receiver. Any thread may call this.
  public func post(_ message: Message) {
    let wasEmpty = pending.withLock { queue in
      fence.publish()
      queue.append(message)
      return queue.count == 1
    }
    if wasEmpty { counter.raise() }
  }

  /// Wakes the receiver, which has something to do other than to take a message. Any thread may call this.
  public func wake() { counter.raise() }

  /// Removes and returns the messages that were posted so far, in their order. Only the receiver calls this.
  public func takeAll() -> [Message] {
    counter.clear()
    return pending.withLock { queue in
      fence.acquire()
      defer { queue = [] }
      return queue
    }
  }
}
