// Thread: the test's. The loop itself runs on the main actor.
import Glibc
import SegueLoop
import SegueSystem
import Synchronization

/// The event loop of all daemons in this process. It occupies the main actor for as long as there is a daemon, so that
/// tests may wait for a response on any other thread.
final class TestLoop: Sendable {
  private static let current = Mutex<(loop: TestLoop?, users: Int)>((nil, 0))

  private let event: EventLoop
  private let mailbox: Mailbox
  /// The objects that live as long as the loop.
  @MainActor private var kept: [AnyObject] = []

  @MainActor
  private init(_ event: EventLoop) {
    self.event = event
    mailbox = event.mailbox
  }

  /// Returns the loop, and starts it for the first user. Every call is followed by one of `leave`.
  static func enter() throws -> TestLoop {
    try current.withLock { current in
      let loop = try current.loop ?? start()
      current = (loop, current.users + 1)
      return loop
    }
  }

  private static func start() throws -> TestLoop {
    // As the daemon does: its clients, workers and files need descriptors, and a worker may end while it is written to.
    CurrentProcess.raiseDescriptorLimit()
    signal(SIGPIPE, SIG_IGN)
    let promise = BlockingPromise<Result<TestLoop, any Error>>()
    Task { @MainActor in
      do {
        let loop = TestLoop(try EventLoop())
        promise.fulfill(.success(loop))
        _ = try loop.event.run()
        loop.kept = []
      } catch {
        fatalError("the loop of the tests has failed: \(error)")
      }
    }
    return try promise.wait().get()
  }

  /// Ends the loop if this was the last user.
  func leave() {
    Self.current.withLock { current in
      current.users -= 1
      guard current.users == 0 else { return }
      current.loop = nil
      mailbox.post { [event] in event.exit(0) }
    }
  }

  /// Keeps an object until the loop has ended, and nothing can call it any more.
  @MainActor func keep(_ object: AnyObject) { kept.append(object) }

  /// Performs work on the loop, and waits for its result.
  func perform<Result: Sendable>(_ work: @escaping @MainActor @Sendable (EventLoop) throws -> Result) throws -> Result {
    let promise = BlockingPromise<Swift.Result<Result, any Error>>()
    mailbox.post { [event] in promise.fulfill(Swift.Result { try work(event) }) }
    return try promise.wait().get()
  }
}
