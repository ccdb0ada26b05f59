// Thread: the loop. Long changes are calculated on the thread "queue".

internal import SegueLoop
internal import SegueState
internal import SegueSystem

/// The owner of the play queue, and the order of its changes.
///
/// A change of many entries would stall the clients for tens of milliseconds. Therefore it is calculated on another
/// thread, with a copy of the queue, and takes effect on the loop at once. Meanwhile the former queue is played and
/// read, and changes that can wait do so. Those that cannot, because playback advances, are carried out, and the long
/// one is calculated again.
@MainActor
final class QueueChanges {
  var contents: PlayQueue { didSet { revision &+= 1 } }

  /// A number that grows with every change.
  private var revision: UInt64 = 0
  private var isCalculating = false
  private var waiting = Deque<@MainActor () -> Void>()
  /// Whether the first of `waiting` is called in the next iteration of the loop.
  private var isNextPosted = false
  private let thread = SerialThread<Void>(name: "queue") {}
  private let mailbox: Mailbox
  private let player: PlayerReference
  private let persistence: StatePersistence

  /// A calculation that changes the queue.
  struct Calculation<Result: Sendable>: Sendable {
    /// The number of entries that are changed.
    let entries: Int
    /// The calculation. It returns what it has done, and what is to be saved.
    let run: @Sendable (inout PlayQueue) -> (Result, QueueChange)
  }

  /// A change that has been carried out.
  struct Outcome<Result: Sendable>: Sendable {
    let result: Result
    let change: QueueChange
    /// A function that creates the changes of the database, to be called on another thread.
    let rows: @Sendable () -> [StateChange]

    init(_ calculation: Calculation<Result>, on queue: inout PlayQueue) {
      (result, change) = calculation.run(&queue)
      rows = queue.deferredChanges(for: change)
    }
  }

  /// The number of entries up to which a change is carried out at once: it takes some milliseconds in a queue of any
  /// length.
  private static let maximumShort = 1_000
  /// The number of attempts to calculate a change while playback changes the queue. The last one is made on the loop.
  private static let maximumAttempts = 4

  init(_ contents: PlayQueue, player: PlayerReference, persistence: StatePersistence, mailbox: Mailbox) {
    self.contents = contents
    self.player = player
    self.persistence = persistence
    self.mailbox = mailbox
  }

  /// Calls `action` after the long changes that were requested before: at once if there are none.
  func whenIdle(_ action: @escaping @MainActor () -> Void) {
    if isCalculating || !waiting.isEmpty { waiting.append(action) } else { action() }
  }

  /// Carries out a change after those that were requested before.
  ///
  /// - Parameters:
  ///   - begin: Returns the calculation; nil if there is nothing to do. It is called again if the queue has changed
  ///     during the calculation.
  ///   - prepare: Called right before the change takes effect. What it returns is passed to `finish`.
  ///   - finish: Called right after the change; with nil if there was nothing to do.
  func perform<Result: Sendable, State>(
    _ begin: @escaping @MainActor () -> Calculation<Result>?,
    preparing prepare: @escaping @MainActor () -> State,
    then finish: @escaping @MainActor (Outcome<Result>?, State) -> Void
  ) {
    whenIdle { self.attempt(1, begin, prepare, finish) }
  }

  private func attempt<Result: Sendable, State>(
    _ number: Int, _ begin: @escaping @MainActor () -> Calculation<Result>?,
    _ prepare: @escaping @MainActor () -> State, _ finish: @escaping @MainActor (Outcome<Result>?, State) -> Void
  ) {
    synchronize()
    guard let calculation = begin() else { return end { finish(nil, prepare()) } }
    guard calculation.entries > Self.maximumShort, number < Self.maximumAttempts else {
      return end {
        let state = prepare()
        finish(Outcome(calculation, on: &self.contents), state)
      }
    }
    isCalculating = true
    let (copy, revision) = (contents, revision)
    thread.post { [mailbox] _ in
      var queue = copy
      let outcome = Outcome(calculation, on: &queue)
      mailbox.post { [queue] in
        self.synchronize()
        guard self.revision == revision else { return self.attempt(number + 1, begin, prepare, finish) }
        self.end {
          let state = prepare()
          self.persistence.free(self.contents) {}
          self.contents = queue
          finish(outcome, state)
        }
      }
    }
  }

  /// Lets playback carry out the steps that are due, so that a change finds the audible entry.
  private func synchronize() { player.value?.synchronize() }

  /// Ends a change, and carries out the next one in another iteration of the loop.
  private func end(_ finish: () -> Void) {
    isCalculating = false
    finish()
    startNext()
  }

  private func startNext() {
    guard !isNextPosted, !isCalculating, !waiting.isEmpty else { return }
    isNextPosted = true
    mailbox.post { [weak self] in
      guard let self else { return }
      self.isNextPosted = false
      if !self.isCalculating, let next = self.waiting.popFirst() { next() }
      self.startNext()
    }
  }
}
