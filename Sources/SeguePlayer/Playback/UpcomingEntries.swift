// Thread: the loop.

internal import SegueWire

/// What the queue has around the current entry.
struct QueueNeighbors {
  /// The index of the entry that is played after the current one, if nobody intervenes; nil if there is none.
  let nextIndex: Int?
  /// Whether a step forwards leads to an entry.
  let hasNext: Bool
  /// Whether a step back leads to an entry.
  let hasPrevious: Bool
}

/// The entries that follow the current one, if nobody intervenes. Many entries may have to be passed over to find the
/// next one, which every status has: it is found once for each state of the player.
@MainActor
final class UpcomingEntries {
  private let queue: QueueController
  private let sleepTimer: SleepTimer
  private let notifier: ChangeNotifier
  private var known: (state: State, neighbors: QueueNeighbors)?

  /// The facts by which the neighbors are determined. A response may be sent after the queue has changed and before the
  /// player says so.
  private struct State: Equatable {
    /// The revision of the player.
    let revision: UInt64
    /// The version of the queue.
    let version: UInt64
    /// The index of the current entry.
    let current: Int?
  }

  init(queue: QueueController, sleepTimer: SleepTimer, notifier: ChangeNotifier) {
    self.queue = queue
    self.sleepTimer = sleepTimer
    self.notifier = notifier
  }

  /// Returns what the queue has around the current entry, while `plan` is played.
  func neighbors(_ plan: [Transport.Item]) -> QueueNeighbors {
    let contents = queue.contents
    let state = State(revision: notifier.revision, version: contents.version, current: contents.currentIndex)
    if let known, known.state == state { return known.neighbors }
    let isRefused = plan.isRefused
    let neighbors = QueueNeighbors(
      nextIndex: findNextIndex(in: contents, isRefused), hasNext: contents.hasNext(skipping: isRefused),
      hasPrevious: contents.hasPrevious(skipping: isRefused))
    known = (state, neighbors)
    return neighbors
  }

  private func findNextIndex(in contents: PlayQueue, _ isRefused: (EntryID) -> Bool) -> Int? {
    guard let current = contents.currentEntry, let next = contents.successor(skipping: isRefused),
      sleepTimer.allows(contents.entries[next.index], after: current, wraps: next.wraps)
    else { return nil }
    return next.index
  }

  /// Returns the entries that follow the first item of `plan`, one more than it has already.
  func successors(_ plan: [Transport.Item]) -> [EntryID] {
    var future = queue.contents
    var consumed: [Int] = []
    var successors: [EntryID] = []
    let isRefused = plan.isRefused
    for _ in plan {
      let last = future.currentEntry
      let advance = future.advanceAhead(keeping: &consumed, skipping: isRefused)
      guard let next = advance.entry, sleepTimer.allows(future.currentEntry, after: last, wraps: advance.wraps) else {
        break
      }
      successors.append(next)
    }
    return successors
  }
}
