// Thread: the loop.

internal import SegueLoop
internal import SegueSystem

/// A scheduler that gives sessions turns one after the other, so that a busy client does not delay the others.
///
/// A session takes a turn at once when input arrives, and queues for another turn when its share of the turn is used
/// up.
@MainActor
final class TurnScheduler {
  /// The share of a turn that a session may use.
  struct Share {
    let steps: Int
    /// The number of bytes of output.
    let output: Int

    /// The share of a session whose input has just arrived. It is small, so that a client with few requests does not
    /// wait for a hundred clients with many requests.
    static let immediate = Share(steps: 8, output: 8 * 1024)
    /// The share of a session that was queued: some hundred microseconds.
    static let queued = Share(steps: 64, output: 64 * 1024)
  }

  private var current: Session?
  private var queue = Deque<Session>()
  private var queued: Set<ObjectIdentifier> = []
  private var continuation: DeferredTask?
  /// A closure that is called after every turn, when no session has the turn.
  var onTurnEnd: @MainActor () -> Void = {}

  init(on loop: EventLoop) throws(SystemError) {
    continuation = try DeferredTask(on: loop) { [unowned self] in runQueue() }
  }

  /// Whether any session has the turn.
  var isInTurn: Bool { current != nil }

  func isTurn(of session: Session) -> Bool { current === session }

  func beginTurn(of session: Session) {
    precondition(current == nil, "turns do not nest")
    current = session
  }

  func endTurn() {
    current = nil
    onTurnEnd()
  }

  func isQueued(_ session: Session) -> Bool { queued.contains(ObjectIdentifier(session)) }

  /// Queues `session` for a turn after all other sessions that are queued.
  func enqueue(_ session: Session) {
    guard queued.insert(ObjectIdentifier(session)).inserted else { return }
    queue.append(session)
    continuation?.schedule()
  }

  /// Gives each queued session one turn, as far as the time limit allows. The others follow in a later iteration of the
  /// loop, after the sessions with new input.
  private func runQueue() {
    let deadline = MonotonicTime.now + Self.maximumTimePerIteration
    for _ in 0..<queue.count {
      guard let session = queue.popFirst() else { break }
      queued.remove(ObjectIdentifier(session))
      session.takeTurn(.queued)
      if MonotonicTime.now > deadline { break }
    }
    if !queue.isEmpty { continuation?.schedule() }
  }

  private static let maximumTimePerIteration = MediaTime.milliseconds(1)
}

/// A task that runs in a later iteration of the loop, after the events that are already pending. It can be scheduled
/// many times before it runs once.
///
/// It uses an event counter and not sd-event's defer source: a defer source that schedules itself while it runs stays
/// the oldest pending source and runs again before all others.
@MainActor
private final class DeferredTask {
  private let counter: EventCounter
  private var source: IOSource?
  private var isScheduled = false

  init(on loop: EventLoop, handler: @escaping @MainActor () -> Void) throws(SystemError) {
    counter = try EventCounter()
    // An edge-triggered source reports every raise, so that the counter need not be cleared.
    source = try IOSource(on: loop, descriptor: counter.raw, of: counter, for: [.readable, .onChange]) {
      [unowned self] _ in
      isScheduled = false
      handler()
    }
  }

  func schedule() {
    guard !isScheduled else { return }
    isScheduled = true
    counter.raise()
  }
}
