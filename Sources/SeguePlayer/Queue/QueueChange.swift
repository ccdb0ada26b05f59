/// What a change of the queue means for its rows in the store.
public enum QueueChange: Sendable {
  case none
  /// Rows to write, whole (where they are in `PlayQueue.entries` right after the change), and rows to delete.
  case rows(upserted: Range<Int>, removed: [EntryID])
  /// Every row anew: `PlayQueue.entries`.
  case all

  static func upserted(_ range: Range<Int>) -> QueueChange { .rows(upserted: range, removed: []) }
  static func removed(_ ids: [EntryID]) -> QueueChange { .rows(upserted: 0..<0, removed: ids) }
}

/// Where new entries go.
public enum InsertionPoint: Equatable, Sendable {
  case end
  /// Right after the current one, under shuffle too; at the front while there is none.
  case next
  /// Before the entry at this index, clamped to the queue. Under shuffle: heard some time this round.
  case index(Int)
  /// Right after this one, and under shuffle too if this one is about to be heard: the way to add to what `.next`
  /// began. At the end if it is gone.
  case after(EntryID)
}

extension PlayQueue {
  /// What `insert` and `replaceAll` did.
  public struct Insertion: Sendable {
    /// The ids of the inserted entries, in their order.
    public let ids: [EntryID]
    /// The indices of the inserted entries right after the change.
    public let range: Range<Int>
    /// The last of the new entries, for which the queue has no room.
    public let refused: ArraySlice<NewEntry>
    public let change: QueueChange
  }

  /// What `replaceAll`, `remove` and `clear` did.
  public struct Removal: Sendable {
    /// Those that were in the queue.
    public let removed: [EntryID]
    /// True if the current entry was among them: stop what plays and, if it was playing, go on with `current`.
    public let currentChanged: Bool
    /// The current entry now: the successor of one that was removed; nil where the play order ends there.
    public let current: EntryID?
    public let change: QueueChange
    /// The entries that are no longer needed; nil where they were few enough to be freed at once.
    public let discarded: DiscardedEntries?
  }

  /// Why the queue advances.
  public enum Reason: Sendable {
    /// The current track was played to its end.
    case trackEnded
    /// By hand.
    case next, prev
  }

  /// Where `advance` came to.
  public struct Advance: Sendable {
    /// The entry to play, current now; nil at the end.
    public let entry: EntryID?
    /// True if there is none because every entry of the queue was refused by the caller.
    public let nothingPlayable: Bool
    /// Whether it is of another round than the one before: behind the end of the queue, or the same once more.
    public let wraps: Bool
    public let change: QueueChange
  }
}
