internal import SegueState
internal import SegueSystem
internal import SegueWire

/// The URIs and the information of the entries of the queue and of its history, by id.
///
/// An entry stays where it is while it is moved, leaves the queue or returns: only columns of numbers change
/// (`EntryRows`). Copies of the store share its blocks. A change copies the blocks that it concerns, if they are
/// shared, so that a copy for another thread is free of charge.
struct EntryStore: Sendable {
  /// The stored facts of an entry.
  struct Record: Sendable {
    let id: UInt64
    fileprivate(set) var uri: String
    fileprivate(set) var box: EntryInfo.Box?
  }

  /// The records in the order of their ids, in blocks of consecutive ids.
  private var blocks: [[Record]] = []
  /// The numbers of the blocks: the ids of their records divided by the size of a block. They ascend.
  private var numbers: [UInt64] = []

  /// The binary logarithm of the number of ids that a block may have.
  private static let shift: UInt64 = 8

  init() {}

  /// Creates a store of `entries`. Of entries with the same id, the first is stored.
  init(_ entries: [PlayQueue.Entry]) {
    let isAscending = zip(entries, entries.dropFirst()).allSatisfy { $0.id < $1.id }
    var last: UInt64?
    // The order of equal ids is that of `entries`: the sort is stable.
    for entry in isAscending ? entries : entries.sorted(by: { $0.id < $1.id }) where entry.id.number != last {
      append(Record(id: entry.id.number, uri: entry.uri, box: entry.box))
      last = entry.id.number
    }
  }

  /// Stores new entries. Their ids are `first` and those after it, which are greater than all others.
  mutating func append(_ new: some Sequence<NewEntry>, from first: UInt64) {
    for (id, entry) in zip(first..., new) { append(Record(id: id, uri: entry.uri, box: entry.box)) }
  }

  private mutating func append(_ record: Record) {
    let number = record.id >> Self.shift
    if numbers.last != number {
      numbers.append(number)
      blocks.append([])
    }
    blocks[blocks.count - 1].append(record)
  }

  /// Returns the record of an entry, which is in the store.
  subscript(id: UInt64) -> Record {
    guard let (block, place) = locate(id) else { preconditionFailure("entry \(id) is in no block") }
    return blocks[block][place]
  }

  /// Returns the titles of the tracks at `uris`, by URI, as far as one of the entries `ids` has a title. Linear.
  func titles(of uris: Set<String>, among ids: [UInt64]) -> [String: String] {
    var titles: [String: String] = [:]
    for id in ids {
      guard titles.count < uris.count else { break }
      let record = self[id]
      guard let title = record.box?.info.metadata.title, uris.contains(record.uri), titles[record.uri] == nil else {
        continue
      }
      titles[record.uri] = title
    }
    return titles
  }

  /// Returns those of `uris` that one of the entries `ids` has. Linear.
  func uris(_ uris: Set<String>, among ids: [UInt64]) -> Set<String> {
    var found: Set<String> = []
    for id in ids where found.count < uris.count {
      let uri = self[id].uri
      if uris.contains(uri) { found.insert(uri) }
    }
    return found
  }

  /// Stores new information about an entry.
  mutating func update(_ id: UInt64, _ info: EntryInfo) {
    guard let (block, place) = locate(id) else { return }
    blocks[block][place].box = .holding(info)
  }

  /// Sets the URI of an entry whose file has moved. A failure of the file at its former path is forgotten. Does nothing
  /// if the entry is not in the store.
  mutating func relocate(_ id: UInt64, to uri: String) {
    guard let (block, place) = locate(id) else { return }
    blocks[block][place].uri = uri
    guard var info = blocks[block][place].box?.info, info.failure != nil else { return }
    (info.failure, info.probed) = (nil, false)
    blocks[block][place].box = .holding(info)
  }

  /// Returns the index of the block of `id` and the index in the block; nil if the entry is not in the store.
  private func locate(_ id: UInt64) -> (block: Int, place: Int)? {
    guard let block = firstBlock(from: id), numbers[block] == id >> Self.shift else { return nil }
    // Mostly, no id before this one is missing in the block.
    let guess = Int(id - blocks[block][0].id.clamped(to: 0...id))
    if guess < blocks[block].count, blocks[block][guess].id == id { return (block, guess) }
    var (low, high) = (0, blocks[block].count)
    while low < high {
      let middle = (low + high) / 2
      if blocks[block][middle].id < id { low = middle + 1 } else { high = middle }
    }
    return low < blocks[block].count && blocks[block][low].id == id ? (block, low) : nil
  }

  /// Returns the index of the first block that may have ids from `id` on; nil if there is none.
  private func firstBlock(from id: UInt64) -> Int? {
    let number = id >> Self.shift
    guard let first = numbers.first, let last = numbers.last, number <= last else { return nil }
    // Mostly, no block is missing.
    let guess = Int(clamping: number - min(first, number))
    if guess < numbers.count, numbers[guess] == number { return guess }
    var (low, high) = (0, numbers.count)
    while low < high {
      let middle = (low + high) / 2
      if numbers[middle] < number { low = middle + 1 } else { high = middle }
    }
    return low
  }

  // MARK: Removal

  /// Removes those of `ids` that are not below `next`, from up to `limit` blocks, and sets `next` to the first id that
  /// is left to be removed; nil if there is none. Returns the former records of the blocks, which another thread may
  /// free.
  mutating func remove(_ ids: AscendingRanges<UInt64>, from next: inout UInt64?, limit: Int) -> [[Record]] {
    var former: [[Record]] = []
    while former.count < limit, let id = next {
      let range = ids.firstRange(endingAfter: id)
      guard range < ids.ranges.count, let block = firstBlock(from: max(id, ids.ranges[range].lowerBound)) else {
        next = nil
        break
      }
      let records = blocks[block]
      blocks[block] = records.filter { !ids.contains($0.id) }
      if blocks[block].count < records.count { former.append(records) }
      next = (numbers[block] + 1) << Self.shift
    }
    let isEmpty = blocks.map(\.isEmpty)
    if isEmpty.contains(true) {
      numbers.remove(isEmpty)
      blocks.removeAll(where: \.isEmpty)
    }
    return former
  }
}
