// Thread: the loop.

internal import SegueSystem

/// The ids of entries that have left the queue and its history. The entries are freed a few at a time, on another
/// thread: a million take the allocator more than a hundred milliseconds.
struct DiscardedEntries {
  private var waiting = Deque<AscendingRanges<UInt64>>()
  /// The ids that are being freed, and the first of those that are left.
  private var current: (ids: AscendingRanges<UInt64>, next: UInt64?) = (AscendingRanges(), nil)

  /// The number of blocks of the store from which entries are removed at once: a few thousand entries.
  private static let blocks = 16

  /// Whether nothing is left to be freed.
  var isEmpty: Bool { current.next == nil && waiting.isEmpty }

  mutating func append(_ ids: AscendingRanges<UInt64>) {
    if !ids.isEmpty { waiting.append(ids) }
  }

  /// Removes some of the entries from `queue`. Returns the records that another thread is to free.
  mutating func removeSome(from queue: inout PlayQueue) -> [[EntryStore.Record]] {
    if current.next == nil, let ids = waiting.popFirst() { current = (ids, 0) }
    return queue.forget(current.ids, from: &current.next, limit: Self.blocks)
  }
}
