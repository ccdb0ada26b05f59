internal import SegueSystem
internal import SegueWire

/// Queue entries in order, as columns of numbers: their ids, ranks, albums, failures and durations. All columns have
/// the same length.
///
/// The `EntryStore` has the rest of an entry. Therefore rows are moved in memory without references to the
/// heap: a pass over a column of a million entries takes about a millisecond.
struct EntryRows: Sendable {
  /// The numbers of the entries' ids.
  private(set) var ids: [UInt64] = []
  /// The order of the rows in the database: it ascends along the queue, with gaps.
  private(set) var ranks: [Int64] = []
  private(set) var albums: [AlbumKey] = []
  private(set) var failures: [FailureExtent] = []
  /// The durations in tenths of a second; 0 while unknown.
  private var durations: [UInt32] = []

  init() {}

  /// Creates the rows of `entries`.
  init(_ entries: [PlayQueue.Entry]) {
    ids = entries.map(\.id.number)
    ranks = entries.map(\.rank)
    albums = entries.map(\.album)
    failures = entries.map { FailureExtent($0.failure) }
    durations = entries.map { Self.tenths($0.duration) }
  }

  /// Creates the rows of new entries, whose ids are `first` and those after it. They have no ranks yet.
  init(_ new: ArraySlice<NewEntry>, from first: UInt64) {
    ids = Array(first..<(first + UInt64(new.count)))
    ranks = [Int64](repeating: 0, count: new.count)
    albums = new.map(\.album)
    failures = new.map { FailureExtent($0.box?.info.failure) }
    durations = new.map { Self.tenths($0.box?.info.duration) }
  }

  private static func tenths(_ duration: MediaTime?) -> UInt32 {
    UInt32(clamping: (duration?.nanoseconds ?? 0) / 100_000_000)
  }

  /// The sum of the known durations. Linear.
  var duration: MediaTime {
    MediaTime(nanoseconds: durations.reduce(into: Int64(0)) { $0 += Int64($1) } * 100_000_000)
  }

  var count: Int { ids.count }
  var isEmpty: Bool { ids.isEmpty }

  /// Returns the ids and ranks of the rows in `range`.
  func entryRanks(in range: Range<Int>) -> [EntryRank] { range.map(entryRank) }

  /// Returns the id and the rank of the row at `index`.
  func entryRank(_ index: Int) -> EntryRank { EntryRank(id: ids[index], rank: ranks[index]) }

  // MARK: Changes

  mutating func append(_ row: Int, of rows: EntryRows) {
    ids.append(rows.ids[row])
    ranks.append(rows.ranks[row])
    albums.append(rows.albums[row])
    failures.append(rows.failures[row])
    durations.append(rows.durations[row])
  }

  mutating func reserveCapacity(_ capacity: Int) {
    ids.reserveCapacity(capacity)
    ranks.reserveCapacity(capacity)
    albums.reserveCapacity(capacity)
    failures.reserveCapacity(capacity)
    durations.reserveCapacity(capacity)
  }

  /// Inserts `new` before the row at `index`, which is at most `count`.
  mutating func insert(_ new: EntryRows, at index: Int) {
    guard !isEmpty else {
      self = new
      return
    }
    ids.insert(contentsOf: new.ids, at: index)
    ranks.insert(contentsOf: new.ranks, at: index)
    albums.insert(contentsOf: new.albums, at: index)
    failures.insert(contentsOf: new.failures, at: index)
    durations.insert(contentsOf: new.durations, at: index)
  }

  /// Inserts each of `new` before the row at the index in `places`, which ascend. Linear.
  mutating func insert(_ new: EntryRows, at places: [Int]) {
    guard !isEmpty else {
      self = new
      return
    }
    ids.insert(new.ids, at: places)
    ranks.insert(new.ranks, at: places)
    albums.insert(new.albums, at: places)
    failures.insert(new.failures, at: places)
    durations.insert(new.durations, at: places)
  }

  /// Removes the rows for whose indices `isRemoved` is true. Linear.
  mutating func remove(_ isRemoved: [Bool]) {
    ids.remove(isRemoved)
    ranks.remove(isRemoved)
    albums.remove(isRemoved)
    failures.remove(isRemoved)
    durations.remove(isRemoved)
  }

  /// Removes all rows, and returns them.
  mutating func removeAll() -> EntryRows {
    let removed = self
    self = EntryRows()
    return removed
  }

  /// Returns the rows for whose indices `isSelected` is true.
  func selected(_ isSelected: [Bool]) -> EntryRows {
    var selected = EntryRows()
    selected.reserveCapacity(isSelected.count { $0 })
    for index in isSelected.indices where isSelected[index] { selected.append(index, of: self) }
    return selected
  }

  /// Moves the rows at `positions`, in that order, so that the first of them is at `start` afterwards. `isMoved` is
  /// true for these positions only, none occurs twice, and `start` is at most `count - positions.count`.
  mutating func move(_ positions: [Int], _ isMoved: [Bool], to start: Int) {
    var moved = EntryRows()
    moved.reserveCapacity(positions.count)
    for position in positions { moved.append(position, of: self) }
    remove(isMoved)
    insert(moved, at: start)
  }

  /// Sets the ranks of the rows in `range` to those of `span`, in order.
  mutating func rank(_ range: Range<Int>, _ span: RankSpan) {
    for index in range { ranks[index] = span[index - range.lowerBound] }
  }

  mutating func setRank(_ rank: Int64, at index: Int) { ranks[index] = rank }

  /// Replaces the row at `index` by that of `entry`, which takes over the rank of the replaced one.
  mutating func replace(at index: Int, with entry: PlayQueue.Entry) {
    ids[index] = entry.id.number
    update(at: index, with: entry)
  }

  /// Sets what the row at `index` has of the information about `entry`.
  mutating func update(at index: Int, with entry: PlayQueue.Entry) {
    if albums[index] != entry.album { albums[index] = entry.album }
    let failure = FailureExtent(entry.failure)
    if failures[index] != failure { failures[index] = failure }
    let duration = Self.tenths(entry.duration)
    if durations[index] != duration { durations[index] = duration }
  }
}

/// The part of an entry that cannot be played.
enum FailureExtent: UInt8, Sendable {
  case none
  /// Decoding stops before the end.
  case rest
  case whole

  init(_ failure: Failure?) {
    self =
      switch failure?.kind {
      case nil: .none
      case .decodingStopped: .rest
      default: .whole
      }
  }
}

/// The rank of an entry.
struct EntryRank: Comparable, Sendable {
  let id: UInt64
  let rank: Int64

  /// The ranks of two entries are equal only if one of them was added without a step of the history while the other was
  /// not in the queue.
  static func < (a: EntryRank, b: EntryRank) -> Bool { (a.rank, a.id) < (b.rank, b.id) }
}

extension Array where Element: BitwiseCopyable {
  /// Inserts each of `new` before the element at the index in `places`, which ascend.
  fileprivate mutating func insert(_ new: [Element], at places: [Int]) {
    var former = count
    self += new
    withUnsafeMutableBufferPointer { elements in
      var end = elements.count
      for (element, place) in zip(new, places).reversed() {
        while former > place {
          former -= 1
          end -= 1
          elements[end] = elements[former]
        }
        end -= 1
        elements[end] = element
      }
    }
  }

  /// Removes the elements for whose indices `isRemoved` is true.
  mutating func remove(_ isRemoved: [Bool]) {
    guard var kept = isRemoved.firstIndex(of: true) else { return }
    withUnsafeMutableBufferPointer { elements in
      isRemoved.withUnsafeBufferPointer { isRemoved in
        // There is no branch, because whether an element stays cannot be predicted.
        for index in kept..<elements.count {
          elements[kept] = elements[index]
          kept += isRemoved[index] ? 0 : 1
        }
      }
    }
    removeLast(count - kept)
  }
}
