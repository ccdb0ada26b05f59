public import SegueState
public import SegueSystem
public import SegueWire

/// The changes of the queue that can be undone or redone: a value, without I/O and threads.
///
/// A step stores the difference that takes its change back (`QueueDifference`). Undoing moves the step to the undone
/// ones, with the difference that repeats the change. An entry outside the queue is stored by exactly one step, because
/// ids are never reused.
///
/// Every function that changes the history returns the change of the database that it requires.
public struct QueueHistory: Sendable {
  /// The maximum number of steps.
  public static let maximumSteps = 20
  /// The maximum number of entries and ranks in all steps. The newest step is kept even if it has more.
  public static let maximumSize = 100_000

  /// The steps that can be undone, the newest last.
  private var undoable: [Step] = []
  /// The steps that can be redone, the next one last.
  private var undone: [Step] = []
  private var lastNumber: UInt64 = 0

  /// A change of the queue that can be undone or redone.
  public struct Step: Sendable {
    /// A number that is greater than those of all earlier changes.
    public let number: UInt64
    public fileprivate(set) var change: QueueStep
    /// The difference that undoes or redoes the change.
    public fileprivate(set) var difference: QueueDifference
    /// The place at which playback was when the change removed the current entry; nil if the current entry stayed.
    public fileprivate(set) var interrupted: Interruption?
  }

  /// The place at which playback was when its entry left the queue.
  public struct Interruption: Equatable, Sendable {
    public let entry: EntryID
    /// The position; nil if playback was stopped.
    public let position: MediaTime?
  }

  /// A direction in the history.
  public enum Direction: Sendable {
    case undo, redo
  }

  public init() {}

  /// Creates the history that was saved with `queue`. Linear. Entries that consume has removed from the queue are
  /// forgotten. Creates an empty history if the saved one has an entry that is elsewhere, too, which Segue has not
  /// written.
  public init(_ saved: [SavedStep], for queue: PlayQueue) {
    guard !saved.isEmpty else { return }
    let present = (queue.ids + saved.lazy.flatMap(\.insertions).map(\.id)).sorted()
    guard zip(present, present.dropFirst()).allSatisfy(<) else { return }
    let ids = AscendingRanges(ascending: present)
    lastNumber = saved.lazy.map(\.number).max() ?? 0
    for step in saved.sorted(by: { $0.number < $1.number }) {
      var loaded = Step(step)
      loaded.difference.retain(ids)
      if step.isUndone { undone.insert(loaded, at: 0) } else { undoable.append(loaded) }
    }
    _ = removeEmptySteps()
  }

  /// The changes that would be undone and redone next.
  public var next: QueueSteps { QueueSteps(undo: undoable.last?.change, redo: undone.last?.change) }

  /// The number of the newest step that can be undone; nil without one.
  public var newest: UInt64? { undoable.last?.number }

  /// The step that would be undone or redone next.
  public func step(_ direction: Direction) -> Step? {
    switch direction {
    case .undo: undoable.last
    case .redo: undone.last
    }
  }

  // MARK: Changes

  /// Records a change. `reverse` takes it back. What was undone before cannot be redone any more.
  public mutating func record(
    _ change: QueueStep, _ reverse: QueueDifference, interrupting: Interruption? = nil
  ) -> Change {
    let forgotten = undone
    undone = []
    lastNumber += 1
    let step = Step(number: lastNumber, change: change, difference: reverse, interrupted: interrupting)
    undoable.append(step)
    return limit(saving: .step(step, isUndone: false), removing: forgotten)
  }

  /// Records a further part of the change whose step has this number. What was undone before cannot be redone any more.
  /// Only that part is saved: a change may have many parts. Returns nil if that is not the newest step.
  public mutating func extend(
    _ number: UInt64, by tracks: Int, _ reverse: QueueDifference, interrupting: Interruption? = nil
  ) -> Change? {
    guard newest == number else { return nil }
    let forgotten = undone
    undone = []
    let last = undoable.count - 1
    undoable[last].change.tracks += tracks
    let part = undoable[last].difference.extend(toTakeBack: reverse)
    undoable[last].interrupted = undoable[last].interrupted ?? interrupting
    let saved = Change.Part(
      number: number, change: undoable[last].change, removals: undoable[last].difference.removals, added: part,
      interrupted: undoable[last].interrupted)
    return limit(saving: .part(saved), removing: forgotten, forgetting: part.dropped)
  }

  /// Records that the next step of `direction` was undone or redone. `reverse` leads back.
  public mutating func move(
    _ direction: Direction, _ reverse: QueueDifference, interrupting: Interruption? = nil
  ) -> Change {
    guard var step = step(direction) else { return .none }
    step.difference = reverse
    step.interrupted = interrupting
    switch direction {
    case .undo:
      undoable.removeLast()
      undone.append(step)
    case .redo:
      undone.removeLast()
      undoable.append(step)
    }
    return limit(saving: .step(step, isUndone: direction == .undo))
  }

  /// Forgets entries that have left the queue without a step, and do not return. Steps that concern no other entries
  /// are removed. The others are not saved again, because they are compared with the queue when they are loaded.
  public mutating func forget(_ ids: [EntryID]) -> Change {
    let forgotten = ids.map(\.number)
    guard !undoable.isEmpty || !undone.isEmpty, !ids.isEmpty else { return Change(forgetting: forgotten) }
    let ids = AscendingRanges(ascending: forgotten.sorted())
    for index in undoable.indices { undoable[index].difference.forget(ids) }
    for index in undone.indices { undone[index].difference.forget(ids) }
    return Change(removed: removeEmptySteps(), forgetting: forgotten)
  }

  /// The ids of the entries that would return to the queue.
  var ids: [UInt64] { (undoable + undone).flatMap(\.difference.insertions.ids) }

  /// Adapts the steps to entries whose files have moved, which are `store`d with their new URIs. Returns a function
  /// that creates the rows of the changed steps, to be called on another thread.
  mutating func relocate(_ moved: [EntryID], _ store: EntryStore) -> @Sendable () -> [StateChange] {
    let ids = IDSet(moved.map(\.number))
    let (changed, changedUndone) = (Self.relocate(&undoable, ids, store), Self.relocate(&undone, ids, store))
    return {
      (changed.map { $0.saved(isUndone: false, store) } + changedUndone.map { $0.saved(isUndone: true, store) })
        .map(StateChange.upsertStep)
    }
  }

  private static func relocate(_ steps: inout [Step], _ ids: IDSet, _ store: EntryStore) -> [Step] {
    var changed: [Step] = []
    for index in steps.indices where steps[index].difference.relocate(ids, store) { changed.append(steps[index]) }
    return changed
  }

  /// Removes all steps.
  public mutating func removeAll() -> Change {
    defer { (undoable, undone) = ([], []) }
    return Change(removed: undoable + undone)
  }

  /// Removes the steps without effect, and returns them.
  private mutating func removeEmptySteps() -> [Step] {
    let empty = (undoable + undone).filter(\.difference.isEmpty)
    undoable.removeAll(where: \.difference.isEmpty)
    undone.removeAll(where: \.difference.isEmpty)
    return empty
  }

  /// Removes the steps beyond the limits: those that were made first, and then those that would be redone last. The
  /// step that is saved stays.
  private mutating func limit(
    saving saved: Change.Saved, removing forgotten: [Step] = [], forgetting ids: [UInt64] = []
  ) -> Change {
    var removed = forgotten
    var size = (undoable + undone).reduce(0) { $0 + $1.difference.size }
    while undoable.count > Self.maximumSteps || size > Self.maximumSize {
      let dropped: Step
      if undoable.first.map({ $0.number != saved.number }) ?? false {
        dropped = undoable.removeFirst()
      } else if undone.first.map({ $0.number != saved.number }) ?? false {
        dropped = undone.removeFirst()
      } else {
        break
      }
      size -= dropped.difference.size
      removed.append(dropped)
    }
    return Change(saved: saved, removed: removed, forgetting: ids)
  }

  // MARK: Saving

  /// Returns a function that creates all rows of the history, to be called on another thread.
  func makeRows(_ store: EntryStore) -> @Sendable () -> [StateChange] {
    { [undoable, undone] in
      (undoable.map { $0.saved(isUndone: false, store) } + undone.map { $0.saved(isUndone: true, store) })
        .map(StateChange.upsertStep)
    }
  }

  /// The change of the database that a change of the history requires.
  public struct Change: Sendable {
    private let saved: Saved?
    private let removed: [UInt64]
    /// The ids of entries outside the queue that no step has any more, in no order. They do not return to the queue.
    let forgotten: [UInt64]

    /// A step that is inserted or replaced, or a part by which one is extended.
    fileprivate enum Saved: Sendable {
      case step(Step, isUndone: Bool)
      case part(Part)

      /// The number of the step.
      var number: UInt64 {
        switch self {
        case .step(let step, _): step.number
        case .part(let part): part.number
        }
      }
    }

    /// A further part of a step. It does not have the whole step, so that the next part need not copy that.
    fileprivate struct Part: Sendable {
      let number: UInt64
      /// The whole change.
      let change: QueueStep
      /// All removals of the step.
      let removals: AscendingRanges<UInt64>
      let added: QueueDifference.Extension
      let interrupted: Interruption?
    }

    fileprivate init(saved: Saved? = nil, removed: [Step] = [], forgetting ids: [UInt64] = []) {
      self.saved = saved
      self.removed = removed.map(\.number)
      forgotten = ids + removed.flatMap(\.difference.insertions.ids)
    }

    static let none = Change()

    /// Returns the rows. To be called on another thread: a step may have a hundred thousand entries. `queue`: the queue
    /// right after the change.
    public func makeRows(_ queue: PlayQueue) -> [StateChange] { makeRows(queue.entries.store) }

    /// Returns the rows of entries in `store`.
    func makeRows(_ store: EntryStore) -> [StateChange] {
      (removed.isEmpty ? [] : [.removeSteps(removed)])
        + (saved.map { [$0.row(store)] } ?? [])
    }
  }
}

extension QueueHistory.Step {
  fileprivate init(_ saved: SavedStep) {
    self.init(
      number: saved.number, change: saved.step,
      difference: QueueDifference(
        insertions: EntryRows(saved.insertions.map(PlayQueue.Entry.init)),
        removals: AscendingRanges(ascending: saved.removals.ranges),
        ranks: saved.ranks.map { EntryRank(id: $0.id, rank: $0.rank) }.sorted()),
      interrupted: saved.current.map { .init(entry: EntryID($0), position: saved.position) })
  }

  fileprivate func saved(isUndone: Bool, _ store: EntryStore) -> SavedStep {
    SavedStep(
      number: number, isUndone: isUndone, step: change, insertions: store.saved(difference.insertions),
      removals: RangeSet(difference.removals.ranges), ranks: difference.ranks.map(SavedRank.init),
      current: interrupted?.entry.number, position: interrupted?.position)
  }
}

extension QueueHistory.Change.Saved {
  fileprivate func row(_ store: EntryStore) -> StateChange {
    switch self {
    case .step(let step, let isUndone): .upsertStep(step.saved(isUndone: isUndone, store))
    case .part(let part):
      .extendStep(
        SavedStepExtension(
          number: part.number, step: part.change, insertions: store.saved(part.added.insertions),
          removals: RangeSet(part.removals.ranges), ranks: part.added.ranks.map(SavedRank.init),
          endedRanks: part.added.endedRanks, current: part.interrupted?.entry.number,
          position: part.interrupted?.position))
    }
  }
}

extension SavedRank {
  fileprivate init(_ rank: EntryRank) { self.init(id: rank.id, rank: rank.rank) }
}

extension EntryStore {
  /// Returns the rows of the database for entries.
  fileprivate func saved(_ rows: EntryRows) -> [SavedEntry] { saved(rows.entryRanks(in: 0..<rows.count)) }
}
