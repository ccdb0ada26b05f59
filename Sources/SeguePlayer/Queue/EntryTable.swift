/// A table of queue entries in order, with separate columns for their ids and albums.
///
/// A scan of a column reads eight bytes for each entry and needs no reference counting; a scan of the entries follows
/// references to the heap, which takes a hundred times as long. Entries are moved in memory, and never copied if the
/// table is the only owner of its storage. All columns always have the same length and order.
struct EntryTable: Sendable {
  private(set) var entries: [QueueEntry] = []
  /// The numbers of the entries' ids.
  private(set) var ids: [UInt64] = []
  /// The albums of the entries.
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

  /// Appends the entries of another table at the indices `range`.
  mutating func append(_ other: EntryTable, _ range: Range<Int>) {
    entries += other.entries[range]
    ids += other.ids[range]
    albums += other.albums[range]
  }

  /// Removes the entries at `indices`. Linear, whatever the number of indices.
  mutating func remove(_ indices: RangeSet<Int>) {
    entries.removeSubranges(indices)
    ids.removeSubranges(indices)
    albums.removeSubranges(indices)
  }

  /// Moves the entries at `positions`, in that order, so that the first of them is at `start` afterwards. No position occurs
  /// twice, and `start` is at most `count - positions.count`.
  mutating func move(_ positions: [Int], to start: Int) {
    let moved = positions.map { entries[$0] }
    remove(RangeSet(ascending: positions.sorted()))
    insert(moved, at: start)
  }

  /// Replaces the entry at `index` by `entry`, which takes over the rank of the replaced one.
  mutating func replace(at index: Int, with entry: QueueEntry) {
    let rank = entries[index].rank
    entries[index] = entry
    entries[index].rank = rank
    ids[index] = entry.id.number
    albums[index] = entry.album
  }

  /// Sets the information about the entry at `index`.
  mutating func update(at index: Int, _ info: EntryInfo) {
    entries[index].info = info
    albums[index] = entries[index].album
  }

  /// Sets the ranks of the entries in `range` to those of `span`, in order.
  mutating func rank(_ range: Range<Int>, _ span: RankSpan) {
    for index in range { entries[index].rank = span[index - range.lowerBound] }
  }
}

/// Evenly spaced ranks for entries between two neighbours.
struct RankSpan {
  /// The gap between appended entries: enough for forty insertions at one place before all are renumbered.
  static let gap: Int64 = 1 << 40

  private let first: Int64
  private let step: Int64

  /// Returns nil if there is no space between the neighbours: then all entries must be renumbered.
  init?(after low: Int64?, before high: Int64?, count: Int) {
    let count = Int64(count)
    switch (low, high) {
    case (nil, nil):
      // The full gap, or a smaller one if the number of entries requires it.
      step = min(Self.gap, Int64.max / 2 / max(count, 1))
      first = 0
    case (let low?, nil):
      step = Self.gap
      guard count < (Int64.max - max(low, 0)) / Self.gap else { return nil }
      first = low + Self.gap
    case (nil, let high?):
      step = Self.gap
      guard count < (Int64.max + min(high, 0)) / Self.gap else { return nil }
      first = high - count * Self.gap
    case (let low?, let high?):
      let (space, overflow) = high.subtractingReportingOverflow(low)
      guard !overflow, space / (count + 1) > 0 else { return nil }
      step = space / (count + 1)
      first = low + step
    }
  }

  subscript(offset: Int) -> Int64 { first + Int64(offset) * step }
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
