internal import SegueSystem

/// The entries of the queue that may need a probe, in the order in which they were scheduled. It is a value.
///
/// While they wait, entries leave the queue, and get other places in it. A search for one entry is a pass over the
/// queue; therefore many are located in one pass, and again only after their places have changed. A hundred thousand
/// entries that have left the queue cost a few passes.
struct ProbeList {
  /// The entries that were not located yet.
  private var scheduled = Deque<EntryID>()
  /// The entries before those of `scheduled`: they were in the queue, and needed a probe.
  private var located: ArraySlice<Location> = []

  /// An entry and its index when it was located.
  private struct Location {
    let id: EntryID
    let index: Int
  }

  /// The minimum number of entries that are located in one pass.
  private static let minimumPortion = 1_000
  /// The maximum number of passes in which as many entries as the queue has are located.
  private static let maximumPasses = 128

  /// Whether entries are left that `locate` has not looked for.
  var hasScheduled: Bool { !scheduled.isEmpty }

  mutating func append(_ id: EntryID) { scheduled.append(id) }

  /// Looks for the next entries in `queue`, and keeps those that need a probe. It takes one pass over the queue: a few
  /// milliseconds for a million entries.
  mutating func locate(in queue: PlayQueue, where needsProbe: (PlayQueue.Entry) -> Bool) {
    let size = max(Self.minimumPortion, queue.count / Self.maximumPasses)
    var portion: [EntryID] = []
    while portion.count < size, let id = scheduled.popFirst() { portion.append(id) }
    located += Self.locate(portion, in: queue).filter { needsProbe(queue.entries[$0.index]) }
  }

  /// Removes the first of the located entries, and returns its index in `queue`; nil if none is left in the queue.
  mutating func popFirst(in queue: PlayQueue) -> Int? {
    guard let first = located.first else { return nil }
    if !queue.contains(first.id, at: first.index) { located = Self.locate(located.map(\.id), in: queue) }
    return located.popFirst()?.index
  }

  /// Returns those of `ids` that are in `queue`.
  private static func locate(_ ids: [EntryID], in queue: PlayQueue) -> ArraySlice<Location> {
    zip(ids, queue.places(of: ids)).compactMap { id, index in index.map { Location(id: id, index: $0) } }[...]
  }
}
