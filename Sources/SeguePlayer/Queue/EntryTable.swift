internal import SegueSystem

/// The entries of the queue in order. A copy shares everything with the original until one of them changes.
public struct EntryTable: RandomAccessCollection, Sendable {
  private(set) var rows = EntryRows()
  private(set) var store = EntryStore()

  init() {}

  /// Creates a table of `entries`. `others`: the entries that are not in the queue, but in its history.
  init(_ entries: [PlayQueue.Entry], others: [PlayQueue.Entry] = []) {
    rows = EntryRows(entries)
    store = EntryStore(entries + others)
  }

  public var startIndex: Int { 0 }
  public var endIndex: Int { rows.count }

  public subscript(index: Int) -> PlayQueue.Entry {
    PlayQueue.Entry(store[rows.ids[index]], rank: rows.ranks[index], album: rows.albums[index])
  }

  /// Inserts `new`, whose ids are `first` and those after it, before the entry at `index`.
  mutating func insert(_ new: ArraySlice<NewEntry>, from first: UInt64, at index: Int) {
    store.append(new, from: first)
    rows.insert(EntryRows(new, from: first), at: index)
  }

  /// Stores new entries that are not in the queue yet, and returns their rows.
  mutating func prepare(_ new: ArraySlice<NewEntry>, from first: UInt64) -> EntryRows {
    store.append(new, from: first)
    return EntryRows(new, from: first)
  }

  /// Stores new information about the entry at `index`.
  mutating func update(at index: Int, _ info: EntryInfo) {
    store.update(rows.ids[index], info)
    rows.update(at: index, with: PlayQueue.Entry(store[rows.ids[index]], rank: rows.ranks[index]))
  }

  /// Sets the URIs of entries whose files have moved, in the queue and in its history. Returns the indices of those in
  /// the queue. Linear.
  mutating func relocate(_ uris: [EntryID: String]) -> AscendingRanges<Int> {
    for (id, uri) in uris { store.relocate(id.number, to: uri) }
    let isMoved = IDSet(uris.keys.map(\.number))
    let moved = rows.ids.indices.filter { isMoved.contains(rows.ids[$0]) }
    for index in moved {
      rows.update(at: index, with: PlayQueue.Entry(store[rows.ids[index]], rank: rows.ranks[index]))
    }
    return AscendingRanges(ascending: moved)
  }

  /// Removes entries that have left the queue and its history, as `EntryStore.remove` does.
  mutating func forget(_ ids: AscendingRanges<UInt64>, from next: inout UInt64?, limit: Int) -> [[EntryStore.Record]] {
    store.remove(ids, from: &next, limit: limit)
  }

  /// Changes the rows. The entries of all rows must be in the store afterwards.
  mutating func changeRows<Result>(_ change: (inout EntryRows) -> Result) -> Result { change(&rows) }
}
