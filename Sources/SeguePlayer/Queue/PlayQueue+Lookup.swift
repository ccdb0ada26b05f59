public import SegueState
internal import SegueSystem

extension PlayQueue {
  public var entries: [QueueEntry] { table.entries }
  public var count: Int { table.count }
  public var isEmpty: Bool { entries.isEmpty }

  public var current: EntryID? { currentIndex.map { table[$0].id } }
  public var currentEntry: QueueEntry? { currentIndex.map { table[$0] } }

  public func entry(_ id: EntryID) -> QueueEntry? { index(of: id).map { table[$0] } }

  /// Returns the index of `id`, nil if it is not in the queue.
  public func index(of id: EntryID) -> Int? {
    if let currentIndex, table.ids[currentIndex] == id.number { return currentIndex }
    return table.ids.firstIndex(of: id.number)
  }

  /// Returns the index of `id`. This is fast if the entry is at `guess` or shortly after it.
  func index(of id: EntryID, near guess: Int) -> Int? {
    let neighbours = table.ids[guess.clamped(to: 0...count)...].prefix(64)
    return neighbours.firstIndex(of: id.number) ?? index(of: id)
  }

  /// Returns the indices of `wanted`, in their order; nil for an id that is not in the queue.
  func places(of wanted: [EntryID]) -> [Int?] {
    // One scan for each of a few ids; otherwise one table for all.
    if wanted.count <= 16 { return wanted.map { index(of: $0) } }
    let ids = table.ids
    guard var low = wanted.min()?.number, var high = wanted.max()?.number else { return [] }
    // The ids of a queue are close together, so that the table is indexed by id, unless most of it would be unused.
    let maximumSize = 16 * UInt64(count) + 4096
    if high - low >= maximumSize, let first = ids.min(), let last = ids.max() {
      (low, high) = (max(low, first), max(low, min(high, last)))
    }
    guard high - low < maximumSize else {
      let places = Dictionary(uniqueKeysWithValues: zip(ids, 0...))
      return wanted.map { places[$0.number] }
    }
    var places = [Int32](repeating: -1, count: Int(high - low) + 1)
    for (index, id) in ids.enumerated() where low <= id && id <= high { places[Int(id - low)] = Int32(index) }
    return wanted.map { id in
      guard low <= id.number, id.number <= high else { return nil }
      let place = places[Int(id.number - low)]
      return place >= 0 ? Int(place) : nil
    }
  }

  /// Returns for every index whether its entry is among `wanted`.
  func mask(of wanted: [EntryID]) -> [Bool] {
    var mask = [Bool](repeating: false, count: count)
    for index in indices(of: wanted) { mask[index] = true }
    return mask
  }

  /// Returns the indices of `wanted`, in their order, without those that are not in the queue or occur twice.
  func indices(of wanted: [EntryID]) -> [Int] {
    var seen = [Bool](repeating: false, count: count)
    return places(of: wanted).compactMap { index in
      guard let index, !seen[index] else { return nil }
      seen[index] = true
      return index
    }
  }

  /// Returns up to `limit` entries from index `offset` on; their indices are those of the queue.
  public func page(offset: Int, limit: Int) -> ArraySlice<QueueEntry> {
    let start = offset.clamped(to: 0...count)
    return entries[start..<(start + limit.clamped(to: 0...(count - start)))]
  }

  // MARK: Saving

  /// The modes, as they are saved.
  public var savedModes: SavedModes { SavedModes(repeatMode: repeatMode, shuffle: shuffle, consume: consume) }

  /// Returns the changes of the database for `change`. To be called before the queue changes again.
  public func changes(for change: QueueChange) -> [StateChange] { deferredChanges(for: change)() }

  /// Returns a function that creates the changes of the database for `change`, to be called on another thread: for a hundred
  /// thousand entries it takes 50 ms.
  public func deferredChanges(for change: QueueChange) -> @Sendable () -> [StateChange] {
    let nextID = nextID
    switch change {
    case .none: return { [] }
    case .all: return { [entries] in [.replaceEntries(entries.map(\.saved)), .nextID(nextID)] }
    case .rows(let upserted, let removed):
      let rows = Array(entries[upserted])
      return {
        (removed.isEmpty ? [] : [.removeEntries(removed.map(\.number))])
          + (rows.isEmpty ? [] : [.upsertEntries(rows.map(\.saved)), .nextID(nextID)])
      }
    }
  }
}

extension QueueEntry {
  init(_ saved: SavedEntry) {
    let info = EntryInfo(
      metadata: saved.metadata, duration: saved.duration, durationKind: saved.durationKind, failure: saved.failure,
      probed: saved.probed)
    self.init(id: EntryID(saved.id), rank: saved.rank, new: NewEntry(uri: saved.uri, info: info))
  }

  var saved: SavedEntry {
    SavedEntry(
      id: id.number, rank: rank, uri: uri, duration: duration, durationKind: durationKind, metadata: metadata,
      failure: failure, probed: probed)
  }
}
