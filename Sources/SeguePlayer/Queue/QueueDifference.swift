internal import SegueSystem

/// A difference between two states of the queue. Every change of the queue returns the difference that takes the change
/// back, and applying that one returns the difference that repeats the change.
///
/// A difference names entries by their ids, which are never reused, and their places by their ranks. Its size is that of the
/// change, not that of the queue, and it stays valid when entries leave the queue in between: they are ignored.
public struct QueueDifference: Sendable {
  /// The entries that are inserted, in the order of their ranks.
  private(set) var insertions: [QueueEntry] = []
  /// The ids of the entries that are removed.
  private(set) var removals = RangeSet<UInt64>()
  /// The ranks that other entries get.
  private(set) var ranks: [EntryRank] = []

  /// The rank of an entry.
  struct EntryRank: Sendable {
    let id: UInt64
    let rank: Int64
  }

  /// `insertions` must be in the order of their ranks.
  init(insertions: [QueueEntry] = [], removals: RangeSet<UInt64> = RangeSet(), ranks: [EntryRank] = []) {
    self.insertions = insertions
    self.removals = removals
    self.ranks = ranks
  }

  /// Whether the difference has no effect.
  var isEmpty: Bool { insertions.isEmpty && removals.isEmpty && ranks.isEmpty }

  /// Whether the difference changes ranks.
  var hasRanks: Bool { !ranks.isEmpty }

  /// The number of entries and ranks that the difference stores.
  var size: Int { insertions.count + ranks.count }

  /// Extends the difference that takes an insertion back, so that it takes back a later insertion, too.
  mutating func extend(toTakeBack later: QueueDifference) {
    // If the earlier insertion has changed the ranks of other entries, it has changed those of all.
    if ranks.isEmpty { ranks = later.ranks.filter { !removals.contains($0.id) } }
    removals.formUnion(later.removals)
  }

  /// Removes entries that have left the queue and do not return.
  mutating func forget(_ ids: RangeSet<UInt64>) {
    removals.subtract(ids)
    ranks.removeAll { ids.contains($0.id) }
  }

  /// Removes all entries that are not among `ids`.
  mutating func retain(_ ids: RangeSet<UInt64>) {
    removals.formIntersection(ids)
    ranks.removeAll { !ids.contains($0.id) }
  }
}

extension EntryTable {
  /// The result of applying a difference.
  struct Application {
    /// The new index of each of the former entries; -1 for those that were removed.
    let newIndex: [Int32]
    /// The ids of the removed entries.
    let removed: [EntryID]
    /// The indices of the inserted entries.
    let inserted: RangeSet<Int>
    /// The indices of the inserted entries and of those with new ranks.
    let written: RangeSet<Int>
    /// The difference that leads back.
    let reverse: QueueDifference
  }

  /// An entry that gets another place, with its former index; -1 for one that is inserted.
  private typealias Placed = (entry: QueueEntry, former: Int)

  /// Applies a difference. Linear.
  mutating func apply(_ difference: QueueDifference) -> Application {
    let ranks = Dictionary(difference.ranks.map { ($0.id, $0.rank) }) { first, _ in first }
    var placed: [Placed] = difference.insertions.map { ($0, -1) }
    var removed: [QueueEntry] = []
    var formerRanks: [QueueDifference.EntryRank] = []
    var taken: [Int] = []
    for (index, id) in ids.enumerated() {
      if difference.removals.contains(id) {
        removed.append(entries[index])
      } else if !ranks.isEmpty, let rank = ranks[id] {
        var moved = entries[index]
        formerRanks.append(.init(id: id, rank: moved.rank))
        moved.rank = rank
        placed.append((moved, index))
      } else {
        continue
      }
      taken.append(index)
    }
    var newIndex = [Int32](repeating: -1, count: count)
    remove(RangeSet(ascending: taken))
    let places = merge(placed.sorted { $0.entry.precedes($1.entry) }, &newIndex, without: taken)
    return Application(
      newIndex: newIndex, removed: removed.map(\.id), inserted: places.inserted, written: places.written,
      reverse: QueueDifference(
        insertions: removed, removals: RangeSet(ascending: difference.insertions.map(\.id.number).sorted()),
        ranks: formerRanks))
  }

  /// Inserts entries, which are in the order of their ranks, and sets the new indices of all entries. `taken`: the former
  /// indices of the entries that were removed before.
  private mutating func merge(
    _ placed: [Placed], _ newIndex: inout [Int32], without taken: [Int]
  ) -> (inserted: RangeSet<Int>, written: RangeSet<Int>) {
    var merged = EntryTable()
    var (inserted, written): ([Int], [Int]) = ([], [])
    // The index of the next kept entry before the insertion, and the former one.
    var (kept, former) = (0, 0)
    var untaken = taken[...]
    func keep(before end: Int, _ newIndex: inout [Int32]) {
      merged.append(self, kept..<end)
      for place in (merged.count - (end - kept))..<merged.count {
        while untaken.first == former {
          untaken.removeFirst()
          former += 1
        }
        newIndex[former] = Int32(place)
        former += 1
      }
      kept = end
    }
    for (entry, index) in placed {
      keep(before: lowerBound(of: entry, from: kept), &newIndex)
      if index >= 0 { newIndex[index] = Int32(merged.count) } else { inserted.append(merged.count) }
      written.append(merged.count)
      merged.insert(CollectionOfOne(entry), at: merged.count)
    }
    keep(before: count, &newIndex)
    self = merged
    return (RangeSet(ascending: inserted), RangeSet(ascending: written))
  }

  /// Returns the index of the first entry, from index `start` on, that `entry` precedes.
  private func lowerBound(of entry: QueueEntry, from start: Int) -> Int {
    var range = start..<count
    while !range.isEmpty {
      let middle = (range.lowerBound + range.upperBound) / 2
      range = entry.precedes(entries[middle]) ? range.lowerBound..<middle : (middle + 1)..<range.upperBound
    }
    return range.lowerBound
  }
}

extension QueueEntry {
  /// Returns whether this entry comes before `other` in the queue. The ranks of two entries are equal only if one of them
  /// was added without a step of the history while the other was not in the queue.
  fileprivate func precedes(_ other: QueueEntry) -> Bool { (rank, id) < (other.rank, other.id) }
}
