// Thread: the loop.

internal import SegueLoop
internal import SegueState
internal import SegueSystem
internal import SegueWire

/// The owner of the play queue and its history: it saves every change, and notifies observers of it.
@MainActor
final class QueueController {
  private let changes: QueueChanges
  private var history: QueueHistory
  /// The step of the addition that is in progress; nil before its first entries were inserted.
  private var openAddition: UInt64?
  /// The newest step of a client that divides a command among several requests, and the number that it has given to the
  /// command.
  private var openCommand: (number: Int, step: UInt64?)?
  /// The entries whose memory is to be freed.
  private var discarded = DiscardedEntries()
  private var isFreeing = false
  /// The entries that the daemon added by itself.
  private var population: InitialPopulation
  private let persistence: StatePersistence
  private let notifier: ChangeNotifier
  private let player: PlayerReference

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
    /// A user has requested them. `claims`: whether entries that the daemon added by itself are used instead of new
    /// ones. `command`: the number of the command that the request is a part of.
    case request(claims: Bool, command: Int?)
    /// The daemon populates the queue by itself.
    case population
  }

  /// `player`: the player whose queue this is.
  init(
    _ saved: SavedState, player: PlayerReference, persistence: StatePersistence, notifier: ChangeNotifier,
    mailbox: Mailbox
  ) {
    self.player = player
    self.persistence = persistence
    self.notifier = notifier
    population = InitialPopulation(saved)
    let contents = PlayQueue(saved, version: ListVersion.first.version, seed: UInt64.random(in: .min ... .max))
    changes = QueueChanges(contents, player: player, persistence: persistence, mailbox: mailbox)
    history = QueueHistory(saved.history, for: contents)
    if contents.count < saved.entries.count {
      Log.error("\(saved.entries.count - contents.count) entries dropped: \(Failure.fullQueue.message)")
    }
  }

  var contents: PlayQueue { changes.contents }

  /// Calls `action` after the changes that were requested before: at once if none of them is being calculated.
  func whenIdle(_ action: @escaping @MainActor () -> Void) { changes.whenIdle(action) }

  var summary: QueueSummary {
    QueueSummary(
      version: contents.version, length: contents.count, duration: contents.entries.rows.duration, steps: history.next)
  }

  /// The changes that would be undone and redone next.
  var steps: QueueSteps { history.next }

  /// Whether the daemon may populate the queue.
  var mayBePopulated: Bool { population.isAllowed }

  /// Returns a function that creates all rows of the queue, for a database that has lost them.
  func makeRows() -> @Sendable () -> [StateChange] {
    let rows = contents.deferredChanges(for: .all)
    let steps = history.makeRows(contents.entries.store)
    let order = contents.wholeOrderChange
    let rest: [StateChange] = [.queueOrigin(population.origin), .modes(contents.savedModes)]
    return { rows() + steps() + rest + [order()] }
  }

  // MARK: Entries

  func insert(_ entries: [NewEntry], at point: InsertionPoint, from origin: Origin) -> Insertion {
    let claimed: [EntryID?]
    switch origin {
    case .request(claims: true, _): claimed = population.claim(entries, in: contents)
    case .request(claims: false, _), .population: claimed = entries.map { _ in nil }
    }
    let new = zip(entries, claimed).filter { $0.1 == nil }.map(\.0)
    let insertion = changes.contents.insert(new, at: point)
    if case .population = origin { population.append(insertion.ids, new.prefix(insertion.ids.count)) }
    var ids = insertion.ids[...]
    let result = Insertion(
      ids: claimed.compactMap { $0 ?? ids.popFirst() }, claimed: claimed.count - new.count, range: insertion.range,
      last: insertion.ids.last,
      refused: insertion.refused)
    save(
      insertion.change, rows: contents.deferredChanges(for: insertion.change), recordInsertion(insertion, from: origin))
    return result
  }

  /// Records an insertion in the history. All entries of an addition are one step, unless the queue was changed in
  /// between.
  private func recordInsertion(_ insertion: PlayQueue.Insertion, from origin: Origin) -> QueueHistory.Change {
    guard !insertion.ids.isEmpty else { return .none }
    switch origin {
    case .population:
      // No step takes back that all entries got new ranks.
      return insertion.reverse.hasRanks ? history.removeAll() : .none
    case .request(_, let command):
      if let openAddition,
        let change = history.extend(openAddition, by: insertion.ids.count, insertion.reverse)
      {
        return change
      }
      let change = record(QueueStep(action: .add, tracks: insertion.ids.count), insertion.reverse, ofCommand: command)
      openAddition = history.newest
      return change
    }
  }

  /// Records a change. If the change before it was part of the same command, both are one step.
  private func record(
    _ step: QueueStep, _ reverse: QueueDifference, ofCommand command: Int?,
    interrupting: QueueHistory.Interruption? = nil
  ) -> QueueHistory.Change {
    defer { openCommand = command.map { ($0, history.newest) } }
    if let command, let openCommand, openCommand.number == command, let number = openCommand.step,
      let change = history.extend(number, by: step.tracks, reverse, interrupting: interrupting)
    {
      return change
    }
    return history.record(step, reverse, interrupting: interrupting)
  }

  /// Records that the addition in progress has ended: the next insertion is another step.
  func finishAddition() { openAddition = nil }

  /// Whether the newest step is that of the addition in progress.
  var isAdditionNewest: Bool { openAddition != nil && openAddition == history.newest }

  /// Prepares entries to replace the queue. Returns those for which it has no capacity.
  func prepare(_ entries: [NewEntry], for replacement: inout QueueReplacement) -> ArraySlice<NewEntry> {
    changes.contents.prepare(entries, for: &replacement)
  }

  /// Frees entries that were prepared, and do not replace the queue.
  func discard(_ replacement: QueueReplacement) { discard(replacement.ids) }

  /// `finish`, here and below, is called when the change has taken effect, which may be after this has returned; `then`
  /// is called when it is on disk. The third argument of `finish` is the new entry with the URI `start`, or else the
  /// first one.
  func replaceAll(
    _ replacement: QueueReplacement, startingWith start: String?, ofCommand command: Int?,
    finish: @escaping @MainActor (PlayQueue.Insertion, PlayQueue.Removal, _ first: EntryID?) -> Void
  ) {
    changes.perform(
      {
        .init(entries: replacement.count + self.contents.count) { queue in
          let first = start.flatMap { queue.firstIndex(of: $0, in: replacement) }
          let result = queue.replaceAll(replacement)
          // The entry that stays current has another id than the one that was prepared for its place.
          let id = first.map { queue.ids[$0] } ?? queue.ids.first
          return ((result, id.map(EntryID.init)), result.insertion.change)
        }
      }, preparing: { self.interruption },
      then: { outcome, interruption in
        guard let outcome else { return }
        let ((insertion, removal), first) = outcome.result
        self.population.end()
        let change = self.record(
          QueueStep(action: .replace, tracks: insertion.ids.count), removal, ofCommand: command,
          interrupting: interruption)
        self.save(outcome, change)
        finish(insertion, removal, first)
      })
  }

  /// Removes the entries that `ids` returns for the queue at the time of the removal, about `count`; nil: all.
  func remove(
    _ ids: (@Sendable (PlayQueue) -> [EntryID])?, count: Int, ofCommand command: Int?,
    then: @escaping Completion<QueueSummary>,
    finish: @escaping @MainActor (PlayQueue.Removal) -> Void
  ) {
    changes.perform(
      {
        .init(entries: count) { queue in
          let removal = if let ids { queue.remove(ids(queue)) } else { queue.clear() }
          return (removal, removal.change)
        }
      }, preparing: { self.interruption },
      then: { outcome, interruption in
        guard let outcome else { return }
        let removal = outcome.result
        if ids == nil { self.population.end() }
        let change = self.record(
          QueueStep(action: ids == nil ? .clear : .remove, tracks: removal.removed.count), removal, ofCommand: command,
          interrupting: interruption)
        self.save(outcome, change, respondingTo: then)
        finish(removal)
      })
  }

  /// Moves the entries that `ids` returns for the queue at the time of the move, about `count`. If one of them is not
  /// in the queue, nothing changes, and `then` is called with the error that `failure` creates.
  func move(
    _ ids: @escaping @Sendable (PlayQueue) -> [EntryID], count: Int, to point: InsertionPoint, ofCommand command: Int?,
    then: @escaping Completion<QueueSummary>,
    orFail failure: @escaping @MainActor (EntryID) -> Failure, finish: @escaping @MainActor () -> Void
  ) {
    changes.perform(
      {
        .init(entries: count) { queue -> (Result<PlayQueue.Move, UnknownEntry>, QueueChange) in
          let ids = ids(queue)
          if let unknown = queue.firstUnknown(among: ids) { return (.failure(UnknownEntry(id: unknown)), .none) }
          let move = queue.move(ids, to: point)
          return (.success(move), move.change)
        }
      }, preparing: {},
      then: { outcome, _ in
        guard let outcome else { return }
        switch outcome.result {
        case .failure(let unknown): then(.failure(failure(unknown.id)))
        case .success(let move):
          let change: QueueHistory.Change =
            move.reverse.isEmpty
            ? .none : self.record(QueueStep(action: .move, tracks: move.count), move.reverse, ofCommand: command)
          self.save(outcome, change, respondingTo: then)
          finish()
        }
      })
  }

  /// An entry that is not in the queue.
  private struct UnknownEntry: Error {
    let id: EntryID
  }

  // MARK: Undo and redo

  /// The result of `step`.
  struct StepOutcome {
    /// The indices of the entries that have returned to the queue.
    let inserted: AscendingRanges<Int>
    let removal: PlayQueue.Removal
    /// The place at which playback continues; nil if it does not return to an earlier entry.
    let resumed: QueueHistory.Interruption?
  }

  /// Undoes or redoes a change. `finish` is called with nil if there is none.
  func step(
    _ direction: QueueHistory.Direction, then: @escaping Completion<QueueStepResult>,
    finish: @escaping @MainActor (StepOutcome?) -> Void
  ) {
    changes.perform(
      {
        self.history.step(direction).map { step in
          .init(entries: step.difference.changeCount) { queue in
            let applied = queue.apply(step.difference, resuming: step.interrupted?.entry)
            return (applied, applied.removal.change)
          }
        }
      }, preparing: { self.interruption },
      then: { outcome, interruption in
        guard let outcome, let step = self.history.step(direction) else { return finish(nil) }
        let removal = outcome.result.removal
        let change = self.history.move(
          direction, removal.reverse, interrupting: removal.currentChanged ? interruption : nil)
        let result = QueueStepResult(step: step.change, queue: self.summary)
        self.save(outcome, change) { then(.success(result)) }
        let isResumed = removal.currentChanged && removal.current == step.interrupted?.entry
        finish(
          StepOutcome(inserted: outcome.result.inserted, removal: removal, resumed: isResumed ? step.interrupted : nil))
      })
  }

  /// The place at which playback is; nil without a current entry.
  private var interruption: QueueHistory.Interruption? {
    contents.current.map { .init(entry: $0, position: player.value?.playbackPosition) }
  }

  /// Records the removal of entries in the history.
  private func record(
    _ step: QueueStep, _ removal: PlayQueue.Removal, ofCommand command: Int?,
    interrupting: QueueHistory.Interruption?
  ) -> QueueHistory.Change {
    guard !removal.reverse.isEmpty else { return .none }
    return record(
      step, removal.reverse, ofCommand: command, interrupting: removal.currentChanged ? interrupting : nil)
  }

  /// Stores new information about an entry.
  func update(_ id: EntryID, _ info: EntryInfo) {
    commit(changes.contents.update(id, info))
  }

  /// Stores new information about many entries, in one transaction.
  func update(_ outcomes: [(EntryID, ProbeOutcome)]) {
    guard !outcomes.isEmpty else { return }
    whenIdle {
      var changed: [StateChange] = []
      for (outcome, index) in zip(outcomes, self.contents.places(of: outcomes.map(\.0))) {
        guard let index, let info = EntryInfo(outcome.1, of: self.contents.entries[index]) else { continue }
        // This and the next line are not one expression, because that would read the queue before the update.
        let change = self.changes.contents.update(at: index, info)
        changed += self.contents.changes(for: change)
      }
      guard !changed.isEmpty else { return }
      self.persistence.save(changed)
      self.notifier.notify(.queue, .player)
    }
  }

  /// The ids of the entries of the queue and of those that would return to it, and a store that has them all.
  var entriesWithHistory: (ids: [UInt64], store: EntryStore) { (contents.ids + history.ids, contents.entries.store) }

  /// The history after entries were relocated, and a function that creates the rows of its changed steps.
  private struct RelocatedHistory: Sendable {
    let history: QueueHistory
    let steps: @Sendable () -> [StateChange]
  }

  /// Sets the URIs of entries whose files have moved, in the queue and in its history. The current entry and its
  /// position stay. `then` is called when the change is on disk; `finish` with the indices of the changed entries, if
  /// the queue has any.
  func relocate(
    _ uris: [EntryID: String], then: @escaping @MainActor @Sendable () -> Void,
    finish: @escaping @MainActor (AscendingRanges<Int>) -> Void
  ) {
    guard !uris.isEmpty else { return then() }
    changes.perform(
      {
        // The history changes only together with the queue, so that this copy is current when the change takes effect.
        .init(entries: uris.count) { [history = self.history] queue in
          let change = queue.relocate(uris)
          var history = history
          let steps = history.relocate(Array(uris.keys), queue.entries.store)
          return (RelocatedHistory(history: history, steps: steps), change)
        }
      }, preparing: {},
      then: { outcome, _ in
        guard let outcome else { return }
        let relocated = outcome.result
        self.history = relocated.history
        self.persistence.save(making: { outcome.rows() + relocated.steps() }, then: then)
        self.persistence.free(uris) {}
        guard case .rows(let indices, _) = outcome.change else { return }
        self.notifier.notify(.queue, .player)
        finish(indices)
      })
  }

  // MARK: The current entry and the modes

  /// Makes the entry current. Returns false if it is not in the queue. The caller saves the playhead.
  @discardableResult
  func setCurrent(_ id: EntryID) -> Bool { changes.contents.setCurrent(id) }

  /// Makes the next or previous entry current. The caller commits the change in the result.
  func advance(_ reason: PlayQueue.Reason, skipping refused: (EntryID) -> Bool) -> PlayQueue.Advance {
    changes.contents.advance(reason, skipping: refused)
  }

  func setModes(_ change: (inout PlayQueue) -> Void) { change(&changes.contents) }

  /// Saves the modes. `then` is called when they are on disk.
  func saveModes(then: @escaping @MainActor @Sendable () -> Void) {
    let (modes, order) = (contents.savedModes, takeOrderChange())
    persistence.save(making: { [.modes(modes)] + (order?() ?? []) }, then: then)
  }

  /// Returns a function that creates the change of the order under shuffle that is not saved yet; nil if there is none.
  /// The caller saves it.
  func takeOrderChange() -> (@Sendable () -> [StateChange])? {
    // A change of the queue would let a calculation begin again. The playhead is often saved without one.
    guard contents.hasOrderChange, let change = changes.contents.takeOrderChange() else { return nil }
    return { [change()] }
  }

  // MARK: Saving

  /// Saves a change, and completes its request with the state right after it.
  private func save<Result>(
    _ outcome: QueueChanges.Outcome<Result>, _ steps: QueueHistory.Change,
    respondingTo then: @escaping Completion<QueueSummary>
  ) {
    let summary = summary
    save(outcome, steps) { then(.success(summary)) }
  }

  private func save<Result>(
    _ outcome: QueueChanges.Outcome<Result>, _ steps: QueueHistory.Change,
    then: (@MainActor @Sendable () -> Void)? = nil
  ) {
    save(outcome.change, rows: outcome.rows, steps, then: then)
  }

  /// Commits a change that is no step of the history. The entries that it has removed do not return.
  func commit(_ change: QueueChange, then: (@MainActor @Sendable () -> Void)? = nil) {
    var steps = QueueHistory.Change.none
    if case .rows(_, let removed) = change { steps = history.forget(removed) }
    save(change, rows: contents.deferredChanges(for: change), steps, then: then)
  }

  /// Saves a change of the queue and its history in one transaction, and notifies observers of it.
  private func save(
    _ change: QueueChange, rows: @escaping @Sendable () -> [StateChange], _ steps: QueueHistory.Change,
    then: (@MainActor @Sendable () -> Void)? = nil
  ) {
    discard(IDSet(steps.forgotten).ranges)
    var rest: [StateChange] = []
    if case .none = change {} else { population.recordChange() }
    if let origin = population.takeUnsaved() { rest.append(.queueOrigin(origin)) }
    switch change {
    case .none where rest.isEmpty: then?()
    case .none: persistence.save(rest, then: then)
    case .rows, .all:
      let store = contents.entries.store
      let order = takeOrderChange()
      persistence.save(making: { [rest] in rows() + steps.makeRows(store) + rest + (order?() ?? []) }, then: then)
      notifier.notify(.queue)
    }
  }

  // MARK: Memory

  /// Frees entries that neither the queue nor its history has any more, a few in an iteration of the loop.
  private func discard(_ ids: AscendingRanges<UInt64>) {
    discarded.append(ids)
    if !isFreeing { freeSome() }
  }

  private func freeSome() {
    isFreeing = !discarded.isEmpty
    guard isFreeing else { return }
    changes.whenIdle {
      let freed = self.discarded.removeSome(from: &self.changes.contents)
      self.persistence.free(freed) { [weak self] in self?.freeSome() }
    }
  }
}
