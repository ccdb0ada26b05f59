// Thread: the loop.

internal import SegueState
internal import SegueSystem
internal import SegueWire

/// The owner of the play queue: it saves every change, and notifies observers of it.
@MainActor
final class QueueController {
  private(set) var contents: PlayQueue

  /// The entries that the daemon added by itself.
  private var population: InitialPopulation
  private let persistence: StatePersistence
  private let notifier: ChangeNotifier

  /// The result of `insert`.
  struct Insertion {
    /// The ids of the entries that were inserted or claimed, in their order.
    var ids: [EntryID]
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
    if contents.count < saved.entries.count {
      Log.error("\(saved.entries.count - contents.count) entries dropped: \(Failure.fullQueue.message)")
    }
  }

  var summary: QueueSummary { QueueSummary(version: contents.version, length: contents.count) }

  /// Whether the daemon may populate the queue.
  var mayBePopulated: Bool { population.isAllowed }

  /// Returns a function that creates all rows of the queue, for a database that has lost them.
  func makeRows() -> @Sendable () -> [StateChange] {
    let rows = contents.deferredChanges(for: .all)
    let rest: [StateChange] = [.queueOrigin(population.origin), .modes(contents.savedModes)]
    return { rows() + rest }
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
      ids: claimed.compactMap { $0 ?? ids.popFirst() }, range: insertion.range, last: insertion.ids.last,
      refused: insertion.refused)
    commit(insertion.change)
    return result
  }

  func replaceAll(_ entries: [NewEntry]) -> (insertion: PlayQueue.Insertion, removal: PlayQueue.Removal) {
    population.end()
    let result = contents.replaceAll(entries)
    commit(result.insertion.change, freeing: result.removal.discarded)
    return result
  }

  /// `then`, here and below, is called when the change is on disk.
  func remove(_ ids: [EntryID], then: @escaping Completion<QueueSummary>) -> PlayQueue.Removal {
    let removal = contents.remove(ids)
    commit(removal.change, respondingTo: then)
    return removal
  }

  func clear(then: @escaping Completion<QueueSummary>) -> PlayQueue.Removal {
    population.end()
    let removal = contents.clear()
    commit(removal.change, freeing: removal.discarded, respondingTo: then)
    return removal
  }

  func move(_ ids: [EntryID], to index: Int, then: @escaping Completion<QueueSummary>) {
    let change = contents.move(ids, to: index)
    commit(change, respondingTo: then)
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

  /// Commits a change, and completes its request with the state right after it.
  private func commit(
    _ change: QueueChange, freeing discarded: DiscardedEntries? = nil,
    respondingTo then: @escaping Completion<QueueSummary>
  ) {
    let summary = summary
    commit(change, freeing: discarded) { then(.success(summary)) }
  }

  /// Saves a change of the queue in one transaction, and notifies observers of it.
  func commit(
    _ change: QueueChange, freeing discarded: DiscardedEntries? = nil,
    then: (@MainActor @Sendable () -> Void)? = nil
  ) {
    var rest: [StateChange] = []
    if case .none = change {} else { population.recordChange() }
    if let origin = population.takeUnsaved() { rest.append(.queueOrigin(origin)) }
    switch change {
    case .none where rest.isEmpty: then?()
    case .none: persistence.save(rest, then: then)
    case .rows, .all:
      let changes = contents.deferredChanges(for: change)
      persistence.save(
        making: { [rest] in
          discarded?.free()
          return changes() + rest
        }, then: then)
      notifier.notify(.queue)
    }
  }
}
