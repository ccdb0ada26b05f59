// Thread: the loop.

internal import SegueState
internal import SegueSystem
internal import SegueWire

/// The owner of the play queue and its history: it saves every change, and notifies observers of it.
@MainActor
final class QueueController {
  private(set) var contents: PlayQueue
  /// A function that returns the position in the current entry, nil while playback is stopped. The player sets it once.
  var playbackPosition: @MainActor () -> MediaTime? = { nil }

  private var history: QueueHistory
  /// The step of the addition that is in progress; nil before its first entries were inserted.
  private var openAddition: UInt64?
  /// The entries that the daemon added by itself.
  private var population: InitialPopulation
  private let persistence: StatePersistence
  private let notifier: ChangeNotifier

  /// The result of `insert`.
  struct Insertion {
    /// The ids of the entries that were inserted or claimed, in their order.
    var ids: [EntryID]
    /// The number of claimed entries among them.
    let claimed: Int
    /// The indices of the entries that were inserted.
    let range: Range<Int>
    /// The last entry that was inserted.
    let last: EntryID?
    /// The entries for which the queue has no capacity.
    let refused: ArraySlice<NewEntry>
  }

  /// The reason for which entries are inserted.
  enum Origin {
    /// A user has requested them. `claims`: whether entries that the daemon added by itself are used instead of new ones.
    case request(claims: Bool)
    /// The daemon populates the queue by itself.
    case population
  }

  init(_ saved: SavedState, persistence: StatePersistence, notifier: ChangeNotifier) {
    self.persistence = persistence
    self.notifier = notifier
    population = InitialPopulation(saved)
    contents = PlayQueue(saved, seed: UInt64.random(in: .min ... .max))
    history = QueueHistory(saved.history, for: contents)
    if contents.count < saved.entries.count {
      Log.error("\(saved.entries.count - contents.count) entries dropped: \(Failure.fullQueue.message)")
    }
  }

  var summary: QueueSummary { QueueSummary(version: contents.version, length: contents.count, steps: history.next) }

  /// The changes that would be undone and redone next.
  var steps: QueueSteps { history.next }

  /// Whether the daemon may populate the queue.
  var mayBePopulated: Bool { population.isAllowed }

  /// Returns a function that creates all rows of the queue, for a database that has lost them.
  func makeRows() -> @Sendable () -> [StateChange] {
    let rows = contents.deferredChanges(for: .all)
    let steps = history.makeRows()
    let rest: [StateChange] = [.queueOrigin(population.origin), .modes(contents.savedModes)]
    return { rows() + steps() + rest }
  }

  // MARK: Entries

  func insert(_ entries: [NewEntry], at point: InsertionPoint, from origin: Origin) -> Insertion {
    let claimed: [EntryID?]
    switch origin {
    case .request(claims: true): claimed = population.claim(entries, in: contents)
    case .request(claims: false), .population: claimed = entries.map { _ in nil }
    }
    let new = zip(entries, claimed).filter { $0.1 == nil }.map(\.0)
    let insertion = contents.insert(new, at: point)
    if case .population = origin { population.append(insertion.ids, new.prefix(insertion.ids.count)) }
    var ids = insertion.ids[...]
    let result = Insertion(
      ids: claimed.compactMap { $0 ?? ids.popFirst() }, claimed: claimed.count - new.count, range: insertion.range,
      last: insertion.ids.last,
      refused: insertion.refused)
    save(insertion.change, recordInsertion(insertion, from: origin))
    return result
  }

  /// Records an insertion in the history. All entries of an addition are one step, unless the queue was changed in between.
  private func recordInsertion(_ insertion: PlayQueue.Insertion, from origin: Origin) -> QueueHistory.Change {
    guard !insertion.ids.isEmpty else { return .none }
    switch origin {
    case .population:
      // No step takes back that all entries got new ranks.
      return insertion.reverse.hasRanks ? history.removeAll() : .none
    case .request:
      if let openAddition,
        let change = history.extend(openAddition, by: insertion.ids.count, insertion.reverse)
      {
        return change
      }
      let change = history.record(QueueStep(.add, tracks: insertion.ids.count), insertion.reverse)
      openAddition = history.newest
      return change
    }
  }

  /// Records that the addition in progress has ended: the next insertion is another step.
  func finishAddition() { openAddition = nil }

  /// Whether the newest step is that of the addition in progress.
  var isAdditionNewest: Bool { openAddition != nil && openAddition == history.newest }

  func replaceAll(_ entries: [NewEntry]) -> (insertion: PlayQueue.Insertion, removal: PlayQueue.Removal) {
    population.end()
    let interruption = interruption
    let result = contents.replaceAll(entries)
    let change = record(
      QueueStep(.replace, tracks: result.insertion.ids.count), result.removal, interrupting: interruption)
    save(result.insertion.change, change)
    return result
  }

  /// `then`, here and below, is called when the change is on disk.
  func remove(_ ids: [EntryID], then: @escaping Completion<QueueSummary>) -> PlayQueue.Removal {
    let interruption = interruption
    let removal = contents.remove(ids)
    let change = record(QueueStep(.remove, tracks: removal.removed.count), removal, interrupting: interruption)
    save(removal.change, change, respondingTo: then)
    return removal
  }

  func clear(then: @escaping Completion<QueueSummary>) -> PlayQueue.Removal {
    population.end()
    let interruption = interruption
    let removal = contents.clear()
    let change = record(QueueStep(.clear, tracks: removal.removed.count), removal, interrupting: interruption)
    save(removal.change, change, respondingTo: then)
    return removal
  }

  func move(_ ids: [EntryID], to index: Int, then: @escaping Completion<QueueSummary>) {
    let move = contents.move(ids, to: index)
    let change: QueueHistory.Change =
      move.reverse.isEmpty ? .none : history.record(QueueStep(.move, tracks: Set(ids).count), move.reverse)
    save(move.change, change, respondingTo: then)
  }

  // MARK: Undo and redo

  /// The result of `step`.
  struct StepOutcome {
    /// The indices of the entries that have returned to the queue.
    let inserted: RangeSet<Int>
    let removal: PlayQueue.Removal
    /// The place at which playback continues; nil if it does not return to an earlier entry.
    let resumed: QueueHistory.Interruption?
  }

  /// Undoes or redoes a change. Returns nil if there is none.
  func step(_ direction: QueueHistory.Direction, then: @escaping Completion<QueueStepResult>) -> StepOutcome? {
    guard let step = history.step(direction) else { return nil }
    let interruption = interruption
    let applied = contents.apply(step.difference, resuming: step.interrupted?.entry)
    let removal = applied.removal
    let change = history.move(direction, removal.reverse, interrupting: removal.currentChanged ? interruption : nil)
    let result = QueueStepResult(step: step.change, queue: summary)
    save(removal.change, change) { then(.success(result)) }
    let isResumed = removal.currentChanged && removal.current == step.interrupted?.entry
    return StepOutcome(inserted: applied.inserted, removal: removal, resumed: isResumed ? step.interrupted : nil)
  }

  /// The place at which playback is; nil without a current entry.
  private var interruption: QueueHistory.Interruption? {
    contents.current.map { .init(entry: $0, position: playbackPosition()) }
  }

  /// Records the removal of entries in the history.
  private func record(
    _ step: QueueStep, _ removal: PlayQueue.Removal, interrupting: QueueHistory.Interruption?
  ) -> QueueHistory.Change {
    guard !removal.reverse.isEmpty else { return .none }
    return history.record(step, removal.reverse, interrupting: removal.currentChanged ? interrupting : nil)
  }

  /// Stores new information about an entry.
  func update(_ id: EntryID, _ info: EntryInfo) {
    let change = contents.update(id, info)
    commit(change)
  }

  /// Stores new information about many entries, in one transaction.
  func update(_ outcomes: [(EntryID, ProbeOutcome)]) {
    var changes: [StateChange] = []
    for ((_, outcome), index) in zip(outcomes, contents.places(of: outcomes.map(\.0))) {
      guard let index, let info = EntryInfo(outcome, of: contents.entries[index]) else { continue }
      // This and the next line are not one expression, because that would hold a copy of `contents` during the update.
      let change = contents.update(at: index, info)
      changes += contents.changes(for: change)
    }
    guard !changes.isEmpty else { return }
    persistence.save(changes)
    notifier.notify(.queue, .player)
  }

  // MARK: The current entry and the modes

  /// Makes the entry current. Returns false if it is not in the queue. The caller saves the playhead.
  @discardableResult
  func setCurrent(_ id: EntryID) -> Bool { contents.setCurrent(id) }

  /// Makes the next or previous entry current. The caller commits the change in the result.
  func advance(_ reason: PlayQueue.Reason, skipping refused: (QueueEntry) -> Bool) -> PlayQueue.Advance {
    contents.advance(reason, skipping: refused)
  }

  func setModes(_ change: (inout PlayQueue) -> Void) { change(&contents) }

  /// Saves the modes. `then` is called when they are on disk.
  func saveModes(then: @escaping @MainActor @Sendable () -> Void) {
    persistence.save([.modes(contents.savedModes)], then: then)
  }

  // MARK: Saving

  /// Saves a change, and completes its request with the state right after it.
  private func save(
    _ change: QueueChange, _ steps: QueueHistory.Change, respondingTo then: @escaping Completion<QueueSummary>
  ) {
    let summary = summary
    save(change, steps) { then(.success(summary)) }
  }

  /// Commits a change that is no step of the history. The entries that it has removed do not return.
  func commit(_ change: QueueChange, then: (@MainActor @Sendable () -> Void)? = nil) {
    var steps = QueueHistory.Change.none
    if case .rows(_, let removed) = change { steps = history.forget(removed) }
    save(change, steps, then: then)
  }

  /// Saves a change of the queue and its history in one transaction, and notifies observers of it.
  private func save(
    _ change: QueueChange, _ steps: QueueHistory.Change, then: (@MainActor @Sendable () -> Void)? = nil
  ) {
    var rest: [StateChange] = []
    if case .none = change {} else { population.recordChange() }
    if let origin = population.takeUnsaved() { rest.append(.queueOrigin(origin)) }
    switch change {
    case .none where rest.isEmpty: then?()
    case .none: persistence.save(rest, then: then)
    case .rows, .all:
      let changes = contents.deferredChanges(for: change)
      persistence.save(making: { [rest] in changes() + steps.makeRows() + rest }, then: then)
      notifier.notify(.queue)
    }
  }
}
