// Thread: any. The number is guarded by `waiting`; passwords are hashed on a thread of their own.

internal import SegueSystem
internal import Synchronization

/// The passwords that are hashed, one after another, or wait for that. Each takes about 0.2 s and 64 MiB.
final class PasswordQueue: Sendable {
  /// A place in the queue, until the last reference to it is gone.
  final class Place: Sendable {
    private let queue: PasswordQueue

    fileprivate init(_ queue: PasswordQueue) { self.queue = queue }

    deinit { queue.waiting.withLock { $0 -= 1 } }
  }

  private let waiting = Mutex(0)
  private let thread = SerialThread(name: "passwords") { () }

  /// The number of places.
  private static let maximum = 4

  /// Returns a place; nil if there is none.
  func enter() -> Place? {
    let isAccepted = waiting.withLock { waiting in
      guard waiting < Self.maximum else { return false }
      waiting += 1
      return true
    }
    return isAccepted ? Place(self) : nil
  }

  /// Does a job on the thread for passwords.
  func post(_ job: @escaping @Sendable () -> Void) { thread.post { _ in job() } }
}
