public import SegueState
internal import SegueSystem
public import SegueWire

/// The play queue: its entries, the current entry, and the order in which they are played. It is a value, without I/O and
/// threads.
///
/// Every change returns the change of the database that it requires. A lookup by id scans a dense column of numbers (30 µs
/// in 100,000 entries); changes are linear at worst.
public struct PlayQueue: Sendable {
  /// The maximum number of entries.
  public static let capacity = 1_000_000

  private(set) var table = EntryTable()
  /// A number that grows by one with every change of the entries.
  public private(set) var version: UInt64 = 0
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
  private var generator: SplitMix64

  /// `seed` determines every shuffle.
  public init(seed: UInt64) { generator = SplitMix64(seed: seed) }

  /// Creates the queue that was saved. A hundred thousand entries take 100 ms. `nextID` is derived from the rows if the saved
  /// one is outdated. Entries beyond the capacity are dropped.
  public init(_ saved: SavedState, seed: UInt64) {
    self.init(seed: seed)
    table = EntryTable(saved.entries.prefix(Self.capacity).map(QueueEntry.init))
    let ids = [saved.entries.lazy.map(\.id).max() ?? 0] + saved.history.lazy.flatMap(\.insertions).map(\.id)
    nextID = max(saved.nextID, (ids.max() ?? 0) + 1)
    repeatMode = saved.modes.repeatMode
    consume = saved.modes.consume
    if let id = saved.playhead.entry { setCurrent(EntryID(id)) }
    shuffle = saved.modes.shuffle
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
          byAlbum: newValue == .albums, albums: table.albums, current: currentIndex,
          generator: SplitMix64(seed: generator.next()))
    }
  }

  /// Makes `id` the current entry. Returns false if it is not in the queue.
  @discardableResult
  public mutating func setCurrent(_ id: EntryID?) -> Bool {
    guard let id else {
      currentIndex = nil
      order?.restart(table.albums)
      return true
    }
    guard let index = index(of: id) else { return false }
    if index != currentIndex { order?.jump(to: index, table.albums) }
    currentIndex = index
    return true
  }

  /// Stores new information about `id`. If that changes its album, the order of shuffled albums is adapted with the next
  /// round, or with the next change of the queue.
  public mutating func update(_ id: EntryID, _ info: EntryInfo) -> QueueChange {
    index(of: id).map { update(at: $0, info) } ?? .none
  }

  /// Stores new information about the entry at `index`.
  mutating func update(at index: Int, _ info: EntryInfo) -> QueueChange {
    guard table[index].info != info else { return .none }
    table.update(at: index, info)
    version += 1
    return .upserted(index..<(index + 1))
  }
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
    let ranks = RankSpan(
      after: index > 0 ? table[index - 1].rank : nil, before: index < count ? table[index].rank : nil,
      count: new.count)

    let firstID = nextID
    nextID += UInt64(new.count)
    let inserted = new.indices.map { offset in
      QueueEntry(id: EntryID(firstID + UInt64(offset)), rank: ranks?[offset] ?? 0, new: new[offset])
    }
    table.insert(inserted, at: index)
    if let current = currentIndex, current >= index { currentIndex = current + new.count }
    order?.insert(range, place, table.albums)
    version += 1

    var formerRanks: [QueueDifference.EntryRank] = []
    if ranks == nil {
      formerRanks = renumber()
      formerRanks.removeSubrange(range)
    }
    return Insertion(
      ids: (firstID..<nextID).map(EntryID.init), range: range, refused: refused,
      change: ranks == nil ? .all : .upserted(range),
      reverse: QueueDifference(removals: RangeSet(firstID..<nextID), ranks: formerRanks))
  }

  /// Replaces all entries by `new`, up to the queue's capacity. If the URI of the current entry is among them, that entry
  /// stays current, and keeps its id and its information.
  @discardableResult
  public mutating func replaceAll(_ new: [NewEntry]) -> (insertion: Insertion, removal: Removal) {
    let former = table.entries
    let old = table.ids.map(EntryID.init)
    let playing = currentEntry
    let keptIndex = playing.flatMap { playing in new.prefix(Self.capacity).firstIndex { $0.uri == playing.uri } }
    table = EntryTable()
    currentIndex = nil
    order?.restart(table.albums)
    let inserted = insert(new, at: .end)
    var added = inserted.ids
    if let keptIndex, let playing {
      table.replace(at: keptIndex, with: playing)
      added[keptIndex] = playing.id
      currentIndex = keptIndex
      order?.restart(table.albums)
      order?.jump(to: keptIndex, table.albums)
    }
    if new.isEmpty, !old.isEmpty { version += 1 }
    let kept = keptIndex == nil ? nil : playing
    let reverse = QueueDifference(
      insertions: former.filter { $0.id != kept?.id },
      removals: RangeSet(ascending: table.ids.filter { $0 != kept?.id.number }.sorted()),
      ranks: kept.map { [.init(id: $0.id.number, rank: $0.rank)] } ?? [])
    return (
      Insertion(ids: added, range: 0..<count, refused: inserted.refused, change: .all, reverse: reverse),
      Removal(
        removed: old.filter { $0 != kept?.id }, currentChanged: playing != nil && kept == nil, current: current,
        change: .all, reverse: reverse)
    )
  }

  private func resolve(_ point: InsertionPoint) -> (Int, ShuffleOrder.Place) {
    switch point {
    case .end: return (count, .anywhere)
    case .next: return (currentIndex.map { $0 + 1 } ?? 0, .afterCurrent)
    case .index(let index): return (index.clamped(to: 0...count), .anywhere)
    case .after(let id):
      guard let index = index(of: id) else { return (count, .anywhere) }
      return (index + 1, .after(index))
    }
  }

  /// Gives all entries new ranks with full gaps. Returns the former ranks in the order of the queue.
  private mutating func renumber() -> [QueueDifference.EntryRank] {
    let former = entries.map { QueueDifference.EntryRank(id: $0.id.number, rank: $0.rank) }
    if let ranks = RankSpan(after: nil, before: nil, count: count) { table.rank(0..<count, ranks) }
    return former
  }
}

// MARK: - Removal and moves

extension PlayQueue {
  /// Removes entries; ids that are not in the queue are ignored. If the current entry is removed, the one that would have
  /// been played after it becomes current.
  @discardableResult
  public mutating func remove(_ removed: [EntryID]) -> Removal {
    let isRemoved = mask(of: removed)
    guard isRemoved.contains(true) else {
      return Removal(
        removed: [], currentChanged: false, current: current, change: .none, reverse: QueueDifference())
    }
    let removesCurrent = currentIndex.map { isRemoved[$0] } ?? false
    if removesCurrent {
      let step = planStep(.next) { isRemoved[$0] }
      take(step)
    }

    var newIndex = [Int32](repeating: -1, count: count)
    var removedEntries: [QueueEntry] = []
    var kept: Int32 = 0
    for index in 0..<count {
      if !isRemoved[index] {
        newIndex[index] = kept
        kept += 1
        continue
      }
      removedEntries.append(table[index])
    }
    table.remove(RangeSet(ascending: isRemoved.indices.lazy.filter { isRemoved[$0] }))
    currentIndex = currentIndex.map { Int(newIndex[$0]) }
    order?.remove(newIndex: newIndex, table.albums)
    version += 1
    let removedIDs = removedEntries.map(\.id)
    return Removal(
      removed: removedIDs, currentChanged: removesCurrent, current: current, change: .removed(removedIDs),
      reverse: QueueDifference(insertions: removedEntries))
  }

  @discardableResult
  public mutating func clear() -> Removal {
    let removed = table.ids.map(EntryID.init)
    let reverse = QueueDifference(insertions: table.entries)
    let hadCurrent = current != nil
    table = EntryTable()
    currentIndex = nil
    order?.restart(table.albums)
    if !removed.isEmpty { version += 1 }
    return Removal(
      removed: removed, currentChanged: hadCurrent, current: nil, change: removed.isEmpty ? .none : .all,
      reverse: reverse)
  }

  /// Moves entries, in the order of `moving`, so that the first of them is at index `to` afterwards (clamped). Ids that are
  /// not in the queue, or occur twice, are ignored. The order under shuffle does not change.
  @discardableResult
  public mutating func move(_ moving: [EntryID], to: Int) -> Move {
    let positions = indices(of: moving)
    guard !positions.isEmpty else { return Move(change: .none, reverse: QueueDifference()) }
    var isMoved = [Bool](repeating: false, count: count)
    for position in positions { isMoved[position] = true }
    let start = to.clamped(to: 0...(count - positions.count))
    let end = start + positions.count

    // The former indices of the entries, in their new order.
    var newOrder: [Int32] = []
    newOrder.reserveCapacity(count)
    for index in 0..<count where !isMoved[index] {
      if newOrder.count == start { newOrder.append(contentsOf: positions.map(Int32.init)) }
      newOrder.append(Int32(index))
    }
    if newOrder.count == start { newOrder.append(contentsOf: positions.map(Int32.init)) }
    guard !newOrder.elementsEqual(0..<Int32(count)) else {
      return Move(change: .none, reverse: QueueDifference())
    }

    var newIndex = [Int32](repeating: 0, count: count)
    for (new, old) in newOrder.enumerated() { newIndex[Int(old)] = Int32(new) }
    table.move(positions, to: start)
    currentIndex = currentIndex.map { Int(newIndex[$0]) }
    order?.move(newIndex: newIndex)
    version += 1

    let ranks = RankSpan(
      after: start > 0 ? table[start - 1].rank : nil, before: end < count ? table[end].rank : nil,
      count: positions.count)
    guard let ranks else { return Move(change: .all, reverse: QueueDifference(ranks: renumber())) }
    let former = entries[start..<end].map { QueueDifference.EntryRank(id: $0.id.number, rank: $0.rank) }
    table.rank(start..<end, ranks)
    return Move(change: .upserted(start..<end), reverse: QueueDifference(ranks: former))
  }
}

// MARK: - Differences

extension PlayQueue {
  /// Applies a difference that a change has returned, after all later changes were taken back. Entries that are inserted are
  /// played some time in this round under shuffle. If the current entry is removed, or there is none, `resuming` becomes
  /// current if it is inserted; otherwise, the successor of a removed entry does.
  @discardableResult
  public mutating func apply(_ difference: QueueDifference, resuming: EntryID? = nil) -> Application {
    let former = current
    let removesCurrent = former.map { difference.removals.contains($0.number) } ?? false
    if removesCurrent {
      let step = planStep(.next) { difference.removals.contains(table.ids[$0]) }
      take(step)
    }
    let result = table.apply(difference)
    currentIndex = currentIndex.map { Int(result.newIndex[$0]) }
    order?.rearrange(newIndex: result.newIndex, inserted: result.inserted, table.albums)
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
  /// Returns the entry to which `advance(.trackEnded, skipping:)` would advance; nil at the end. The first entry follows if
  /// none is current. It takes constant time, unless the next entry is refused or in another round: then it is linear.
  public func successor(skipping refused: (QueueEntry) -> Bool = { _ in false }) -> Successor? {
    // A step plans with a copy of the order under shuffle. Within a round, reading the order is enough.
    if repeatMode != .one, let next = nextInRound, !refused(table[next]) {
      return Successor(entry: table[next].id, index: next, wraps: false)
    }
    let step = planStep(.trackEnded) { refused(table[$0]) }
    return step.target.map { Successor(entry: table[$0].id, index: $0, wraps: step.wraps) }
  }

  /// The index of the entry after the current one in this round; nil at its end.
  private var nextInRound: Int? {
    if let order { return order.next }
    let next = currentIndex.map { $0 + 1 } ?? 0
    return next < count ? next : nil
  }

  /// Advances to the entry that is played after or before the current one, and skips entries that the caller refuses. It
  /// asks about every entry at most twice. If all are refused, the current entry stays current. At the end of the queue no
  /// entry is current afterwards, so that `play` begins anew; before its beginning the first entry stays current.
  public mutating func advance(
    _ reason: Reason, skipping refused: (QueueEntry) -> Bool = { _ in false }
  ) -> Advance {
    let former = currentIndex
    let step = planStep(reason) { refused(table[$0]) }
    if step.target == nil, !isEmpty, entries.allSatisfy(refused) {
      return Advance(entry: nil, nothingPlayable: true, wraps: step.wraps, change: .none)
    }
    take(step)
    guard let former, former != currentIndex || step.target == nil, isConsumed(former, reason) else {
      return Advance(entry: current, nothingPlayable: false, wraps: step.wraps, change: .none)
    }
    let change = remove([table[former].id]).change
    return Advance(entry: current, nothingPlayable: false, wraps: step.wraps, change: change)
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
    // The rest of this round and the next one contain every entry.
    for turn in 0..<(2 * count) {
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
    if step.target == nil { order?.restart(table.albums) }
  }

  /// Returns whether a step removes the entry that it leaves. An entry that failed was not played, and stays.
  private func isConsumed(_ index: Int, _ reason: Reason) -> Bool {
    consume && reason != .prev && table[index].failure == nil
  }

  private func next(after index: Int?, wraps: Bool, _ order: inout ShuffleOrder?) -> Int? {
    if order != nil { return order?.forward(wraps: wraps, table.albums) }
    let next = index.map { $0 + 1 } ?? 0
    if next < count { return next }
    return wraps && !isEmpty ? 0 : nil
  }

  private func previous(of index: Int?, wraps: Bool, _ order: inout ShuffleOrder?) -> Int? {
    if order != nil { return order?.back(wraps: wraps, table.albums) }
    if let index, index > 0 { return index - 1 }
    return wraps && !isEmpty ? count - 1 : nil
  }
}
