internal import SegueSystem

/// A difference between two states of the queue. Every change of the queue returns the difference that takes the change
/// back, and applying that one returns the difference that repeats the change.
///
/// A difference names entries by their ids, which are never reused, and their places by their ranks. Its size is that
/// of the change, not that of the queue, and it stays valid when entries leave the queue in between: they are ignored.
public struct QueueDifference: Sendable {
  /// The entries that are inserted, in the order of their ranks.
  private(set) var insertions = EntryRows()
  /// The ids of the entries that are removed.
  private(set) var removals = AscendingRanges<UInt64>()
  /// The ranks that other entries get, in their order.
  private(set) var ranks: [EntryRank] = []

  /// Whether the difference has no effect.
  var isEmpty: Bool { insertions.isEmpty && removals.isEmpty && ranks.isEmpty }

  /// Whether the difference changes ranks.
  var hasRanks: Bool { !ranks.isEmpty }

  /// The number of entries and ranks that the difference stores.
  var size: Int { insertions.count + ranks.count }

  /// The number of entries that the difference changes.
  var changeCount: Int { size + removals.ranges.reduce(0) { $0 + $1.count } }

  /// What a difference gets when it is extended.
  struct Extension: Sendable {
    /// Further entries that are inserted, in the order of their ranks.
    fileprivate(set) var insertions = EntryRows()
    /// The ranks that further entries get, in their order.
    fileprivate(set) var ranks: [EntryRank] = []
    /// The ids of those of `insertions` that got ranks before.
    fileprivate(set) var endedRanks: [UInt64] = []
    /// The ids of the entries that the earlier change has added and the later one has removed: they do not return.
    fileprivate(set) var dropped: [UInt64] = []
  }

  /// Extends the difference so that it takes back a later change, too: `later` takes that change back, and then `self`
  /// the earlier one. Returns what the difference gets, which is not larger than `later`.
  mutating func extend(toTakeBack later: QueueDifference) -> Extension {
    let part = makeExtension(by: later)
    if !removals.isEmpty { removals.subtract(IDSet(later.insertions.ids).ranges) }
    removals.formUnion(later.removals)
    if !part.endedRanks.isEmpty {
      let ended = IDSet(part.endedRanks)
      ranks.removeAll { ended.contains($0.id) }
    }
    ranks.merge(part.ranks)
    insertions.merge(part.insertions)
    return part
  }

  /// Returns what the difference gets. What `self` says counts, because it is applied last.
  private func makeExtension(by later: QueueDifference) -> Extension {
    var part = Extension()
    guard !later.insertions.isEmpty || !later.ranks.isEmpty else { return part }
    let added = IDSet(removals)
    part.insertions = later.insertions
    let isDropped = added.mask(of: part.insertions.ids)
    part.dropped = part.insertions.selected(isDropped).ids
    part.insertions.remove(isDropped)
    let positions = IDIndex(ranks.map(\.id), for: part.insertions.ids + later.ranks.map(\.id))
    part.ranks = later.ranks.filter { !added.contains($0.id) && positions[$0.id] == nil }
    for row in 0..<part.insertions.count {
      guard let position = positions[part.insertions.ids[row]] else { continue }
      part.insertions.setRank(ranks[position].rank, at: row)
      part.endedRanks.append(part.insertions.ids[row])
    }
    if !part.endedRanks.isEmpty { part.insertions.sort() }
    return part
  }

  /// Removes entries that have left the queue and do not return.
  mutating func forget(_ ids: AscendingRanges<UInt64>) {
    removals.subtract(ids)
    ranks.removeAll { ids.contains($0.id) }
  }

  /// Adapts the rows of entries whose files have moved. Returns whether there are any.
  mutating func relocate(_ moved: IDSet, _ store: EntryStore) -> Bool {
    var hasChanged = false
    for row in 0..<insertions.count where moved.contains(insertions.ids[row]) {
      insertions.update(at: row, with: PlayQueue.Entry(store[insertions.ids[row]], rank: insertions.ranks[row]))
      hasChanged = true
    }
    return hasChanged
  }

  /// Removes all entries that are not among `ids`.
  mutating func retain(_ ids: AscendingRanges<UInt64>) {
    removals.formIntersection(ids)
    ranks.removeAll { !ids.contains($0.id) }
  }
}

extension EntryRows {
  /// The result of applying a difference.
  struct Application {
    /// The new index of each of the former entries; -1 for those that were removed.
    let newIndex: [Int32]
    /// The ids of the removed entries.
    let removed: [EntryID]
    /// The indices of the inserted entries.
    let inserted: AscendingRanges<Int>
    /// The indices of the inserted entries and of those with new ranks.
    let written: AscendingRanges<Int>
    /// The difference that leads back.
    let reverse: QueueDifference
  }

  /// Applies a difference. Linear.
  mutating func apply(_ difference: QueueDifference) -> Application {
    let isRemoved = IDSet(difference.removals).mask(of: ids)
    let placed = place(difference, isRemoved)
    let removed = selected(isRemoved)
    var isTaken = isRemoved
    for index in placed.former ?? [] where index >= 0 { isTaken[Int(index)] = true }
    remove(isTaken)
    let places = places(of: placed.rows)
    insert(placed.rows, at: places)

    var newIndex = [Int32](repeating: -1, count: isTaken.count)
    var (kept, passed) = (0, 0)
    for index in isTaken.indices where !isTaken[index] {
      while passed < places.count, places[passed] <= kept { passed += 1 }
      newIndex[index] = Int32(kept + passed)
      kept += 1
    }
    let written = AscendingRanges(ascending: places.indices.lazy.map { places[$0] + $0 })
    var inserted = written
    if let former = placed.former {
      inserted = AscendingRanges(ascending: places.indices.lazy.filter { former[$0] < 0 }.map { places[$0] + $0 })
      for number in places.indices where former[number] >= 0 {
        newIndex[Int(former[number])] = Int32(places[number] + number)
      }
    }
    return Application(
      newIndex: newIndex, removed: removed.ids.map(EntryID.init), inserted: inserted, written: written,
      reverse: QueueDifference(
        insertions: removed, removals: IDSet(difference.insertions.ids).ranges, ranks: placed.formerRanks))
  }

  /// The rows that get a place.
  private struct Placed {
    /// The rows with their new ranks, in the order of these.
    var rows: EntryRows
    /// Their former indices, -1 for those that are inserted; nil if all are inserted.
    var former: [Int32]?
    var formerRanks: [EntryRank] = []
  }

  /// Returns the rows that get a place: those that are inserted, and those that get another rank and are not removed.
  private func place(_ difference: QueueDifference, _ isRemoved: [Bool]) -> Placed {
    guard difference.hasRanks else { return Placed(rows: difference.insertions) }
    var placed = Placed(rows: EntryRows(), former: [])
    placed.rows.reserveCapacity(difference.size)
    placed.former?.reserveCapacity(difference.size)
    let positions = IDIndex(ids, for: difference.ranks.map(\.id))
    var isMoved = [Bool](repeating: false, count: count)
    var inserted = 0
    for new in difference.ranks {
      guard let index = positions[new.id], !isRemoved[index] else { continue }
      while inserted < difference.insertions.count, difference.insertions.entryRank(inserted) < new {
        placed.rows.append(inserted, of: difference.insertions)
        placed.former?.append(-1)
        inserted += 1
      }
      placed.rows.append(index, of: self)
      placed.rows.setRank(new.rank, at: placed.rows.count - 1)
      placed.former?.append(Int32(index))
      isMoved[index] = true
    }
    for row in inserted..<difference.insertions.count {
      placed.rows.append(row, of: difference.insertions)
      placed.former?.append(-1)
    }
    placed.formerRanks = isMoved.indices.filter { isMoved[$0] }.map(entryRank)
    return placed
  }

  /// Returns for each of `new`, which are in the order of their ranks, the index of the first row that it precedes.
  private func places(of new: EntryRows) -> [Int] {
    guard !isEmpty else { return [Int](repeating: 0, count: new.count) }
    var place = 0
    return (0..<new.count).map { number in
      let row = new.entryRank(number)
      // The place is probably close to the one before: the step is doubled until it is passed.
      var (low, step) = (place, 1)
      while low + step <= count, !(row < entryRank(low + step - 1)) {
        low += step
        step *= 2
      }
      var high = min(low + step - 1, count)
      while low < high {
        let middle = (low + high) / 2
        if row < entryRank(middle) { high = middle } else { low = middle + 1 }
      }
      place = low
      return place
    }
  }

  /// Inserts the rows of `other` so that the rows are in the order of their ranks, as both are.
  fileprivate mutating func merge(_ other: EntryRows) {
    guard !other.isEmpty else { return }
    if isEmpty || entryRank(count - 1) < other.entryRank(0) {
      insert(other, at: count)
    } else {
      insert(other, at: places(of: other))
    }
  }

  /// Sorts the rows by their ranks.
  mutating func sort() {
    guard !(1..<max(1, count)).allSatisfy({ entryRank($0 - 1) < entryRank($0) }) else { return }
    var sorted = EntryRows()
    sorted.reserveCapacity(count)
    for row in (0..<count).sorted(by: { entryRank($0) < entryRank($1) }) { sorted.append(row, of: self) }
    self = sorted
  }
}

extension [EntryRank] {
  /// Inserts those of `other`, so that all are in order, as both are.
  fileprivate mutating func merge(_ other: [EntryRank]) {
    guard let first = other.first, let last, first < last else {
      self += other
      return
    }
    var merged: [EntryRank] = []
    merged.reserveCapacity(count + other.count)
    var next = 0
    for rank in self {
      while next < other.count, other[next] < rank {
        merged.append(other[next])
        next += 1
      }
      merged.append(rank)
    }
    self = merged + other[next...]
  }
}
