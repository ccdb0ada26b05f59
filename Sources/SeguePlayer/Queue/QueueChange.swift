internal import SegueSystem

/// The rows of the database that have to be written after a change of the queue.
public enum QueueChange: Sendable {
  case none
  /// Write the rows of the entries at the indices `upserted` of `PlayQueue.entries`, as they are right after the
  /// change, and delete the rows of `removed`.
  case rows(upserted: AscendingRanges<Int>, removed: [EntryID])
  /// Write all rows of `PlayQueue.entries`.
  case all

  static func upserted(_ range: Range<Int>) -> QueueChange { .rows(upserted: AscendingRanges(range), removed: []) }
  static func removed(_ ids: [EntryID]) -> QueueChange { .rows(upserted: AscendingRanges(), removed: ids) }
}

/// The point at which entries are inserted.
public enum InsertionPoint: Equatable, Sendable {
  case end
  /// Right after the current entry, also under shuffle; at the front if there is none.
  case next
  /// Before the entry at this index, clamped to the queue. Under shuffle the entries are played some time in this
  /// round.
  case index(Int)
  /// Right after this entry; under shuffle, too, if this entry is about to be played. Further batches of an insertion
  /// at `.next` are inserted in this way. At the end if the entry is not in the queue.
  case after(EntryID)
}

extension PlayQueue {
  /// Returns the index at which entries are inserted, and their place under shuffle.
  func resolve(_ point: InsertionPoint) -> (Int, ShuffleOrder.Place) {
    switch point {
    case .end: return (count, .anywhere)
    case .next: return (currentIndex.map { $0 + 1 } ?? 0, .afterCurrent)
    case .index(let index): return (index.clamped(to: 0...count), .anywhere)
    case .after(let id):
      guard let index = index(of: id) else { return (count, .anywhere) }
      return (index + 1, .after(index))
    }
  }

  /// Returns the new index of the first of the entries at `positions` when they are moved.
  func start(of positions: [Int], movedTo point: InsertionPoint) -> Int {
    if case .index(let index) = point { return index.clamped(to: 0...(count - positions.count)) }
    let (end, _) = resolve(point)
    return end - positions.count { $0 < end }
  }
}

extension PlayQueue {
  /// The result of `insert` and `replaceAll`.
  public struct Insertion: Sendable {
    /// The ids of the inserted entries, in their order.
    public let ids: [EntryID]
    /// The indices of the inserted entries right after the change.
    public let range: Range<Int>
    /// The last of the new entries, for which the queue has no capacity.
    public let refused: ArraySlice<NewEntry>
    public let change: QueueChange
    /// The difference that takes the change back.
    public let reverse: QueueDifference
  }

  /// The result of `move`.
  public struct Move: Sendable {
    /// The number of entries that were moved.
    public let count: Int
    public let change: QueueChange
    /// The difference that takes the change back.
    public let reverse: QueueDifference
  }

  /// The result of `apply`.
  public struct Application: Sendable {
    /// The indices of the inserted entries.
    public let inserted: AscendingRanges<Int>
    public let removal: Removal
  }

  /// The result of `replaceAll`, `remove` and `clear`.
  public struct Removal: Sendable {
    /// The ids of the removed entries.
    public let removed: [EntryID]
    /// Whether the current entry was removed. If so, playback stops, or continues with `current`.
    public let currentChanged: Bool
    /// The current entry after the removal: the successor of a current entry that was removed, nil at the end.
    public let current: EntryID?
    public let change: QueueChange
    /// The difference that takes the change back.
    public let reverse: QueueDifference
  }

  /// The reason for which the queue advances.
  public enum Reason: Sendable {
    /// The current track was played to its end.
    case trackEnded
    /// A user has requested it.
    case next, prev
  }

  /// The entry that follows the current one.
  public struct Successor: Equatable, Sendable {
    public let entry: EntryID
    /// Its index in the queue.
    public let index: Int
    /// Whether it is in another round.
    public let wraps: Bool
  }

  /// The result of `advance`.
  public struct Advance: Sendable {
    /// The entry to play, which is current now; nil at the end.
    public let entry: EntryID?
    /// Whether `entry` is nil because the caller refused every entry of the queue.
    public let nothingPlayable: Bool
    /// Whether a round has ended: at the end of the queue, or because one entry is repeated.
    public let wraps: Bool
    public let change: QueueChange
  }
}
