/// An ordered table of queue entries whose ids and albums also lie in dense columns.
///
/// Scanning a column touches eight bytes an entry and counts no references; scanning the entries themselves follows
/// their strings through the heap, which takes a hundred times as long. Entries are therefore moved in memory and never
/// copied where the table is the only owner of its storage. All columns always have the same length and order.
struct EntryTable: Sendable {
  private(set) var entries: [QueueEntry] = []
  /// The numbers of the entries' ids.
  private(set) var ids: [UInt64] = []
  /// The albums that the entries belong to.
  private(set) var albums: [AlbumKey] = []

  init() {}

  init(_ entries: [QueueEntry]) {
    self.entries = entries
    ids = entries.map(\.id.number)
    albums = entries.map(\.album)
  }

  var count: Int { entries.count }

  subscript(index: Int) -> QueueEntry { entries[index] }

  /// Inserts `new` before the entry at `index`, which is at most `count`.
  mutating func insert(_ new: some Collection<QueueEntry>, at index: Int) {
    entries.insert(contentsOf: new, at: index)
    ids.insert(contentsOf: new.lazy.map(\.id.number), at: index)
    albums.insert(contentsOf: new.lazy.map(\.album), at: index)
  }

  /// Removes the entries at `indices`. Linear, whatever the number of indices.
  mutating func remove(_ indices: RangeSet<Int>) {
    entries.removeSubranges(indices)
    ids.removeSubranges(indices)
    albums.removeSubranges(indices)
  }

  /// Takes the entries at `positions` out and puts them back, in the order of `positions`, so that the first of them is
  /// at `start` afterwards. No position occurs twice, and `start` is at most `count - positions.count`.
  mutating func move(_ positions: [Int], to start: Int) {
    let moved = positions.map { entries[$0] }
    remove(RangeSet(ascending: positions.sorted()))
    insert(moved, at: start)
  }

  /// Replaces the entry at `index`.
  mutating func replace(at index: Int, with entry: QueueEntry) {
    entries[index] = entry
    ids[index] = entry.id.number
    albums[index] = entry.album
  }

  /// Stores what became known of the entry at `index`.
  mutating func update(at index: Int, _ info: EntryInfo) {
    entries[index].info = info
    albums[index] = entries[index].album
  }

  /// Gives the entries in `range` the ranks of `span`, in order.
  mutating func rank(_ range: Range<Int>, _ span: RankSpan) {
    for index in range { entries[index].rank = span[index - range.lowerBound] }
  }
}

extension RangeSet where Bound: FixedWidthInteger {
  /// Creates a set of ascending integers, none of which occurs twice.
  init(ascending integers: some Sequence<Bound>) {
    var ranges: [Range<Bound>] = []
    for integer in integers {
      if let last = ranges.last, last.upperBound == integer {
        ranges[ranges.count - 1] = last.lowerBound..<(integer + 1)
      } else {
        ranges.append(integer..<(integer + 1))
      }
    }
    self.init(ranges)
  }
}
