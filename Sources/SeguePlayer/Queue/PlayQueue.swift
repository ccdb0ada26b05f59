public import SegueState
internal import SegueSystem
public import SegueWire

/// The play queue: its entries, the current entry, and the order in which they are played. It is a value, without I/O
/// and threads.
///
/// Every change returns the change of the database that it requires. A lookup by id scans a dense column of numbers (30
/// µs in 100,000 entries); changes are linear at worst, in passes over such columns.
public struct PlayQueue: Sendable {
  /// The maximum number of entries.
  public static let capacity = 1_000_000

  public private(set) var entries = EntryTable()
  /// A number that grows by one with every change of the entries.
  public private(set) var version: UInt64
  /// The index of the current entry; nil without one.
  public private(set) var currentIndex: Int?
  /// The repeat mode. With `one`, a track that has ended is repeated, but `next` and `prev` act as with `all`.
  public var repeatMode: RepeatMode = .all
  /// Whether an entry leaves the queue once it was played to its end or skipped with `next`.
  public var consume = false
  /// The next new id, which is saved with the rows so that no id is reused.
  public private(set) var nextID: UInt64 = 1
  /// The order of shuffled entries; nil without shuffle.
  private var order: ShuffleOrder?
  /// The part of the order that is saved.
  private var savedOrder = OrderCheckpoint()
  private var generator: SplitMix64

  /// `version`: the first one. `seed` determines every shuffle.
  public init(version: UInt64, seed: UInt64) {
    self.version = version
    generator = SplitMix64(seed: seed)
  }

  /// Creates the queue that was saved. A hundred thousand entries take 100 ms. `nextID` is derived from the rows if the
  /// saved one is outdated. Entries beyond the capacity are dropped.
  public init(_ saved: SavedState, version: UInt64, seed: UInt64) {
    self.init(version: version, seed: seed)
    entries = EntryTable(
      saved.entries.prefix(Self.capacity).map(PlayQueue.Entry.init),
      others: saved.history.flatMap(\.insertions).map(PlayQueue.Entry.init))
    let used = [saved.entries.lazy.map(\.id).max() ?? 0] + saved.history.lazy.flatMap(\.insertions).map(\.id)
    nextID = max(saved.nextID, (used.max() ?? 0) + 1)
    repeatMode = saved.modes.repeatMode
    consume = saved.modes.consume
    if let id = saved.playhead.entry { setCurrent(EntryID(id)) }
    savedOrder = OrderCheckpoint(saved.order)
    guard saved.modes.shuffle != .off, !saved.order.entries.isEmpty else {
      shuffle = saved.modes.shuffle
      return
    }
    let positions = IDIndex(ids, for: saved.order.entries)
    order = ShuffleOrder(
      byAlbum: saved.modes.shuffle == .albums, albums: entries.rows.albums,
      saved: saved.order.entries.map { positions[$0] },
      saved.order.marks, generator: SplitMix64(seed: generator.next()))
    order?.resume(at: currentIndex, entries.rows.albums)
  }

  /// The shuffle mode. A change keeps the current entry, which is the first of a new round.
  public var shuffle: ShuffleMode {
    get { order.map { $0.byAlbum ? .albums : .tracks } ?? .off }
    set {
      guard newValue != shuffle else { return }
      // Every order has another seed, or turning shuffle off and on would repeat it.
      order =
        newValue == .off
        ? nil
        : ShuffleOrder(
          byAlbum: newValue == .albums, albums: entries.rows.albums, current: currentIndex,
          generator: SplitMix64(seed: generator.next()))
    }
  }

  /// Makes `id` the current entry. Returns false if it is not in the queue.
  @discardableResult
  public mutating func setCurrent(_ id: EntryID?) -> Bool {
    guard let id else {
      currentIndex = nil
      order?.restart(entries.rows.albums)
      return true
    }
    guard let index = index(of: id) else { return false }
    if index != currentIndex { order?.jump(to: index, entries.rows.albums) }
    currentIndex = index
    return true
  }

  /// Stores new information about `id`. If that changes its album, the order of shuffled albums is adapted with the
  /// next round, or with the next change of the queue.
  public mutating func update(_ id: EntryID, _ info: EntryInfo) -> QueueChange {
    index(of: id).map { update(at: $0, info) } ?? .none
  }

  /// Stores new information about the entry at `index`.
  mutating func update(at index: Int, _ info: EntryInfo) -> QueueChange {
    guard entries[index].info != info else { return .none }
    entries.update(at: index, info)
    version += 1
    return .upserted(index..<(index + 1))
  }

  /// Sets the URIs of entries whose files have moved, in the queue and in its history. Linear.
  mutating func relocate(_ uris: [EntryID: String]) -> QueueChange {
    let indices = entries.relocate(uris)
    guard !indices.isEmpty else { return .none }
    version += 1
    return .rows(upserted: indices, removed: [])
  }

  /// Frees entries that have left the queue and its history, as `EntryStore.remove` does.
  mutating func forget(_ ids: AscendingRanges<UInt64>, from next: inout UInt64?, limit: Int) -> [[EntryStore.Record]] {
    entries.forget(ids, from: &next, limit: limit)
  }
}

// MARK: - Saving

extension PlayQueue {
  /// Whether the order under shuffle has changed since the last call of `takeOrderChange`.
  public var hasOrderChange: Bool { savedOrder.differs(from: order) }

  /// Returns a function that creates the change of the saved order under shuffle since the last call, to be called on
  /// another thread. Returns nil if there is no change.
  public mutating func takeOrderChange() -> (@Sendable () -> StateChange)? { savedOrder.takeChange(of: &order, ids) }

  /// A function that creates the change that leads from no saved order to the present one, to be called on another
  /// thread.
  var wholeOrderChange: @Sendable () -> StateChange { OrderCheckpoint.wholeChange(of: order, ids) }
}

// MARK: - Insertion

extension PlayQueue {
  /// Inserts `new` at `point`, in their order, up to the queue's capacity. If there was no current entry, there is none
  /// afterwards.
  @discardableResult
  public mutating func insert(_ new: [NewEntry], at point: InsertionPoint) -> Insertion {
    // Undo may have made the queue longer than its capacity.
    let refused = new.dropFirst(max(0, Self.capacity - count))
    let new = new.dropLast(refused.count)
    guard !new.isEmpty else {
      return Insertion(ids: [], range: 0..<0, refused: refused, change: .none, reverse: QueueDifference())
    }
    let (index, place) = resolve(point)
    let range = index..<(index + new.count)
    let firstID = nextID
    nextID += UInt64(new.count)
    entries.insert(new[...], from: firstID, at: index)
    let assignment = entries.changeRows { $0.assignRanks(range) }
    if let current = currentIndex, current >= index { currentIndex = current + new.count }
    order?.insert(range, place, entries.rows.albums)
    version += 1
    return Insertion(
      ids: (firstID..<nextID).map(EntryID.init), range: range, refused: refused,
      change: .upserted(assignment.range),
      reverse: QueueDifference(removals: AscendingRanges(firstID..<nextID), ranks: assignment.former))
  }

  /// Prepares `new` entries, up to the queue's capacity, to replace the queue. Returns those for which it has no
  /// capacity.
  public mutating func prepare(_ new: [NewEntry], for replacement: inout QueueReplacement) -> ArraySlice<NewEntry> {
    let fitting = new.prefix(Self.capacity - replacement.rows.count)
    replacement.append(entries.prepare(fitting, from: nextID), fitting)
    nextID += UInt64(fitting.count)
    return new[fitting.endIndex...]
  }

  /// Returns the index of the first prepared entry with this URI; nil if there is none.
  public func firstIndex(of uri: String, in replacement: QueueReplacement) -> Int? {
    replacement.firstIndex(of: uri) { entries.store[$0].uri }
  }

  /// Replaces all entries by those that were prepared. If the URI of the current entry is among them, that entry stays
  /// current, and keeps its id and its information.
  @discardableResult
  public mutating func replaceAll(_ replacement: QueueReplacement) -> (insertion: Insertion, removal: Removal) {
    let playing = currentEntry
    let keptIndex = playing.flatMap { firstIndex(of: $0.uri, in: replacement) }
    var new = replacement.rows
    let kept = keptIndex == nil ? nil : playing
    if let keptIndex, let playing {
      forget(new.ids[keptIndex])
      new.replace(at: keptIndex, with: playing)
    }
    if let ranks = RankSpan(after: nil, before: nil, count: new.count) { new.rank(0..<new.count, ranks) }
    let added = new.ids
    var former = entries.changeRows { rows in
      defer { rows = new }
      return rows.removeAll()
    }
    if !added.isEmpty || !former.isEmpty { version += 1 }
    let removed = former.ids.filter { $0 != kept?.id.number }
    if kept != nil, let currentIndex {
      var isKept = [Bool](repeating: false, count: former.count)
      isKept[currentIndex] = true
      former.remove(isKept)
    }
    currentIndex = keptIndex
    order?.restart(entries.rows.albums)
    if let keptIndex { order?.jump(to: keptIndex, entries.rows.albums) }

    let reverse = QueueDifference(
      insertions: former, removals: IDSet(added.filter { $0 != kept?.id.number }).ranges,
      ranks: kept.map { [EntryRank(id: $0.id.number, rank: $0.rank)] } ?? [])
    return (
      Insertion(ids: added.map(EntryID.init), range: 0..<count, refused: [], change: .all, reverse: reverse),
      Removal(
        removed: removed.map(EntryID.init), currentChanged: playing != nil && kept == nil, current: current,
        change: .all, reverse: reverse)
    )
  }

  /// Frees an entry that was never in the queue.
  private mutating func forget(_ id: UInt64) {
    var next: UInt64? = id
    _ = entries.forget(AscendingRanges(id..<(id + 1)), from: &next, limit: 1)
  }
}

// MARK: - Removal and moves

extension PlayQueue {
  /// Removes entries; ids that are not in the queue are ignored. If the current entry is removed, the one that would
  /// have been played after it becomes current.
  @discardableResult
  public mutating func remove(_ removed: [EntryID]) -> Removal {
    let isRemoved = IDSet(removed.map(\.number)).mask(of: ids)
    guard isRemoved.contains(true) else {
      return Removal(
        removed: [], currentChanged: false, current: current, change: .none, reverse: QueueDifference())
    }
    let removesCurrent = currentIndex.map { isRemoved[$0] } ?? false
    if removesCurrent {
      let step = planStep(.next) { isRemoved[$0] }
      take(step)
    }
    let removedRows = entries.rows.selected(isRemoved)
    entries.changeRows { $0.remove(isRemoved) }
    adapt(to: Renumbering(removing: isRemoved).indices)
    let removedIDs = removedRows.ids.map(EntryID.init)
    return Removal(
      removed: removedIDs, currentChanged: removesCurrent, current: current, change: .removed(removedIDs),
      reverse: QueueDifference(insertions: removedRows))
  }

  /// Adapts the current index and the order after entries other than the current one were removed.
  private mutating func adapt(to newIndex: [Int32]) {
    currentIndex = currentIndex.map { Int(newIndex[$0]) }
    order?.remove(newIndex: newIndex, entries.rows.albums)
    version += 1
  }

  @discardableResult
  public mutating func clear() -> Removal {
    let removed = ids.map(EntryID.init)
    let hadCurrent = current != nil
    let reverse = QueueDifference(insertions: entries.changeRows { $0.removeAll() })
    currentIndex = nil
    order?.restart(entries.rows.albums)
    if !removed.isEmpty { version += 1 }
    return Removal(
      removed: removed, currentChanged: hadCurrent, current: nil, change: removed.isEmpty ? .none : .all,
      reverse: reverse)
  }

  /// Moves entries, in the order of `moving`. An index becomes that of the first of them (clamped). Ids that are not
  /// in the queue, or occur twice, are ignored. Entries that are moved to `.next` are the next ones under shuffle, too,
  /// even if they were played in this round; otherwise, the order under shuffle does not change. Nor does it when the
  /// move is taken back.
  @discardableResult
  public mutating func move(_ moving: [EntryID], to point: InsertionPoint) -> Move {
    let positions = indices(of: moving)
    guard !positions.isEmpty else { return Move(count: 0, change: .none, reverse: QueueDifference()) }
    let start = start(of: positions, movedTo: point)
    defer { if point == .next { order?.playNext(start..<(start + positions.count)) } }
    guard !positions.elementsEqual(start..<(start + positions.count)) else {
      return Move(count: 0, change: .none, reverse: QueueDifference())
    }
    var isMoved = [Bool](repeating: false, count: count)
    for position in positions { isMoved[position] = true }
    let newIndex = Renumbering(moving: positions, isMoved, to: start).indices

    // These are in the order of the queue, which is that of their ranks.
    let former = isMoved.indices.filter { isMoved[$0] }.map(entries.rows.entryRank)
    let assignment = entries.changeRows { rows in
      rows.move(positions, isMoved, to: start)
      return rows.assignRanks(start..<(start + positions.count))
    }
    currentIndex = currentIndex.map { Int(newIndex[$0]) }
    order?.move(newIndex: newIndex)
    version += 1
    return Move(
      count: positions.count, change: .upserted(assignment.range),
      reverse: QueueDifference(
        ranks: assignment.former.isEmpty ? former : (former + assignment.former).sorted()))
  }
}

// MARK: - Differences

extension PlayQueue {
  /// Applies a difference that a change has returned, after all later changes were taken back. Entries that are
  /// inserted are played some time in this round under shuffle. If the current entry is removed, or there is none,
  /// `resuming` becomes current if it is inserted; otherwise, the successor of a removed entry does.
  @discardableResult
  public mutating func apply(_ difference: QueueDifference, resuming: EntryID? = nil) -> Application {
    let former = current
    let removesCurrent = former.map { difference.removals.contains($0.number) } ?? false
    if removesCurrent {
      let isRemoved = IDSet(difference.removals)
      let step = planStep(.next) { isRemoved.contains(ids[$0]) }
      take(step)
    }
    let result = entries.changeRows { $0.apply(difference) }
    currentIndex = currentIndex.map { Int(result.newIndex[$0]) }
    order?.rearrange(newIndex: result.newIndex, inserted: result.inserted, entries.rows.albums)
    if removesCurrent || former == nil, let resuming, let index = index(of: resuming), result.inserted.contains(index) {
      setCurrent(resuming)
    }
    version += 1
    let isMostlyNew = result.written.ranges.reduce(result.removed.count) { $0 + $1.count } > count
    return Application(
      inserted: result.inserted,
      removal: Removal(
        removed: result.removed, currentChanged: current != former, current: current,
        change: isMostlyNew ? .all : .rows(upserted: result.written, removed: result.removed),
        reverse: result.reverse))
  }
}

// MARK: - Steps

extension PlayQueue {
  /// Returns the entry to which `advance(.trackEnded, skipping:)` would advance; nil at the end. The first entry
  /// follows if none is current. It takes constant time, unless the next entry is refused or in another round: then it
  /// is linear.
  public func successor(skipping refused: (EntryID) -> Bool = { _ in false }) -> Successor? {
    // A step plans with a copy of the order under shuffle. Within a round, reading the order is enough.
    if repeatMode != .one, let next = nextInRound, !isRefused(next, refused) {
      return Successor(entry: EntryID(ids[next]), index: next, wraps: false)
    }
    let step = planStep(.trackEnded) { isRefused($0, refused) }
    return step.target.map { Successor(entry: EntryID(ids[$0]), index: $0, wraps: step.wraps) }
  }

  /// Returns whether `advance(.next, skipping:)` leads to an entry, in constant time unless many are refused.
  public func hasNext(skipping refused: (EntryID) -> Bool = { _ in false }) -> Bool {
    let consumed = currentIndex.flatMap { isConsumed($0, .next) ? $0 : nil }
    func isPlayable(_ index: Int) -> Bool { index != consumed && !isRefused(index, refused) }
    if repeatMode != .off { return (0..<count).contains(where: isPlayable) }
    if let order { return order.following.contains { isPlayable(Int($0)) } }
    return ((currentIndex ?? -1) + 1..<count).contains(where: isPlayable)
  }

  /// Returns whether `advance(.prev, skipping:)` leads to another entry than the current one. It takes constant time
  /// unless many entries are refused.
  public func hasPrevious(skipping refused: (EntryID) -> Bool = { _ in false }) -> Bool {
    func isPlayable(_ index: Int) -> Bool { !isRefused(index, refused) }
    let wraps = repeatMode != .off
    let previous: Int?
    if let order {
      let before = order.preceding.last { isPlayable(Int($0)) }
      previous = (before ?? (wraps ? order.unplayed.last { isPlayable(Int($0)) } : nil)).map { Int($0) }
    } else {
      let start = currentIndex ?? 0
      previous = (0..<start).last(where: isPlayable) ?? (wraps ? (start..<count).last(where: isPlayable) : nil)
    }
    return previous != nil && previous != currentIndex
  }

  /// The index of the entry after the current one in this round; nil at its end.
  private var nextInRound: Int? {
    if let order { return order.next }
    let next = currentIndex.map { $0 + 1 } ?? 0
    return next < count ? next : nil
  }

  /// Advances to the entry that is played after or before the current one, and skips entries that the caller refuses.
  /// It asks about every entry of which nothing can be played at most twice. If all are refused, the current entry
  /// stays current. At the end of the queue no entry is current afterwards, so that `play` begins anew; before its
  /// beginning the first entry stays current.
  public mutating func advance(
    _ reason: Reason, skipping refused: (EntryID) -> Bool = { _ in false }
  ) -> Advance {
    let former = currentIndex
    let step = planStep(reason) { isRefused($0, refused) }
    if step.target == nil, !isEmpty, entries.indices.allSatisfy({ isRefused($0, refused) }) {
      return Advance(entry: nil, nothingPlayable: true, wraps: step.wraps, change: .none)
    }
    take(step)
    guard let former, former != currentIndex || step.target == nil, isConsumed(former, reason) else {
      return Advance(entry: current, nothingPlayable: false, wraps: step.wraps, change: .none)
    }
    let change = remove([EntryID(ids[former])]).change
    return Advance(entry: current, nothingPlayable: false, wraps: step.wraps, change: change)
  }

  /// Advances as `advance(.trackEnded)` does, for a look at what will be played: this queue is a copy, in which
  /// consumed entries stay. `consumed`: their indices. Removing each of them would copy the whole queue.
  mutating func advanceAhead(
    keeping consumed: inout [Int], skipping refused: (EntryID) -> Bool
  ) -> (entry: EntryID?, wraps: Bool) {
    var step = planStep(.trackEnded) { consumed.contains($0) || isRefused($0, refused) }
    if step.wraps, !consumed.isEmpty {
      // The next round is decided without them.
      remove(consumed.map { EntryID(ids[$0]) })
      consumed = []
      step = planStep(.trackEnded) { isRefused($0, refused) }
    }
    if let currentIndex, currentIndex != step.target, isConsumed(currentIndex, .trackEnded) {
      consumed.append(currentIndex)
    }
    if step.target != nil { take(step) }
    return (step.target.map { EntryID(ids[$0]) }, step.wraps)
  }

  /// Returns whether the caller refuses the entry at `index`. Only entries of which nothing can be played are refused.
  private func isRefused(_ index: Int, _ refused: (EntryID) -> Bool) -> Bool {
    entries.rows.failures[index] == .whole && refused(EntryID(ids[index]))
  }

  /// A step to another entry.
  private struct Step {
    /// The index of the entry; nil at the end.
    var target: Int?
    /// The order under shuffle after the step.
    var order: ShuffleOrder?
    /// Whether the entry is in another round.
    var wraps: Bool
  }

  /// Returns the step for `reason`, without performing it.
  private func planStep(_ reason: Reason, skipping refused: (Int) -> Bool) -> Step {
    var order = order
    if reason == .trackEnded, repeatMode == .one, let currentIndex, !refused(currentIndex) {
      return Step(target: currentIndex, order: order, wraps: true)
    }
    let consumed = currentIndex.flatMap { isConsumed($0, reason) ? $0 : nil }
    let mayWrap = repeatMode != .off
    var index = currentIndex
    var isOtherRound = false
    // The next round contains every entry.
    for turn in 0..<((order?.following.count ?? count) + count) {
      // After many refused entries, one pass in the order of memory finds out faster whether any entry is playable.
      if turn == 64, entries.indices.allSatisfy({ $0 == consumed || refused($0) }) { break }
      if reason != .prev, order?.isAtEnd ?? (index == count - 1) { isOtherRound = true }
      let next =
        reason == .prev
        ? previous(of: index, wraps: mayWrap, &order) : next(after: index, wraps: mayWrap, &order)
      guard let next else { break }
      if next != consumed, !refused(next) { return Step(target: next, order: order, wraps: isOtherRound) }
      index = next
    }
    // Before the first entry there is none: the current one stays current.
    if reason == .prev, let currentIndex, !refused(currentIndex) {
      return Step(target: currentIndex, order: self.order, wraps: false)
    }
    return Step(target: nil, order: order, wraps: isOtherRound)
  }

  private mutating func take(_ step: Step) {
    currentIndex = step.target
    order = step.order
    if step.target == nil { order?.restart(entries.rows.albums) }
  }

  /// Returns whether a step removes the entry that it leaves. An entry that failed was not played, and stays.
  private func isConsumed(_ index: Int, _ reason: Reason) -> Bool {
    consume && reason != .prev && entries.rows.failures[index] == .none
  }

  private func next(after index: Int?, wraps: Bool, _ order: inout ShuffleOrder?) -> Int? {
    if order != nil { return order?.forward(wraps: wraps, entries.rows.albums) }
    let next = index.map { $0 + 1 } ?? 0
    if next < count { return next }
    return wraps && !isEmpty ? 0 : nil
  }

  private func previous(of index: Int?, wraps: Bool, _ order: inout ShuffleOrder?) -> Int? {
    if order != nil { return order?.back(wraps: wraps, entries.rows.albums) }
    if let index, index > 0 { return index - 1 }
    return wraps && !isEmpty ? count - 1 : nil
  }
}
