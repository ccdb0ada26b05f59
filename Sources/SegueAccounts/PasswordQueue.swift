// Thread: any. The numbers are guarded by `waiting`; passwords are hashed on a thread of their own.

internal import SegueSystem
internal import Synchronization

/// The passwords that are hashed, one after another, or wait for that. Each takes about 0.2 s and 64 MiB.
final class PasswordQueue: Sendable {
  /// The reason to hash a password.
  enum Purpose {
    /// Somebody signs in, or confirms the password.
    case signingIn
    /// Somebody registers, which strangers may do in some configurations.
    case registering
  }

  /// A place in the queue, until it is left, or the last reference to it is gone.
  final class Place: Sendable {
    private let purpose: Purpose
    private let queue: PasswordQueue
    private let isLeft = Mutex(false)

    fileprivate init(_ purpose: Purpose, _ queue: PasswordQueue) {
      self.purpose = purpose
      self.queue = queue
    }

    deinit { leave() }

    /// Leaves the place now. Another thread may still have a reference to it when the next request arrives.
    func leave() {
      let wasLeft = isLeft.withLock { isLeft in
        defer { isLeft = true }
        return isLeft
      }
      if !wasLeft { queue.leave(purpose) }
    }
  }

  private struct Waiting {
    var all = 0
    var registering = 0
  }

  private let waiting = Mutex(Waiting())
  private let thread = SerialThread(name: "passwords") { () }

  /// The number of places, and of those that people who register may have: they keep nobody from signing in.
  private static let maximum = 4
  private static let maximumRegistering = 1

  /// Returns a place; nil if there is none for the purpose.
  func enter(_ purpose: Purpose) -> Place? {
    let isAccepted = waiting.withLock { waiting in
      let isRegistering = purpose == .registering
      guard waiting.all < Self.maximum, !isRegistering || waiting.registering < Self.maximumRegistering else {
        return false
      }
      waiting.all += 1
      if isRegistering { waiting.registering += 1 }
      return true
    }
    return isAccepted ? Place(purpose, self) : nil
  }

  private func leave(_ purpose: Purpose) {
    waiting.withLock { waiting in
      waiting.all -= 1
      if purpose == .registering { waiting.registering -= 1 }
    }
  }

  /// Does a job on the thread for passwords.
  func post(_ job: @escaping @Sendable () -> Void) { thread.post { _ in job() } }
}
