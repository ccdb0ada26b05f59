public import SegueState
internal import SegueSystem

extension PlayQueue {
  /// The numbers of the entries' ids, in the order of the queue.
  var ids: [UInt64] { entries.rows.ids }
  /// The albums of the entries, in the order of the queue.
  var albums: [AlbumKey] { entries.rows.albums }
  public var count: Int { entries.count }
  public var isEmpty: Bool { entries.isEmpty }

  public var current: EntryID? { currentIndex.map { EntryID(ids[$0]) } }
  public var currentEntry: PlayQueue.Entry? { currentIndex.map { entries[$0] } }

  public func entry(_ id: EntryID) -> PlayQueue.Entry? { index(of: id).map { entries[$0] } }

  /// Returns the index of `id`, nil if it is not in the queue.
  public func index(of id: EntryID) -> Int? {
    if let currentIndex, ids[currentIndex] == id.number { return currentIndex }
    return ids.firstIndex(of: id.number)
  }

  /// Returns whether `id` is at `index`, which may be beyond the end.
  func contains(_ id: EntryID, at index: Int) -> Bool { index < count && ids[index] == id.number }

  /// Returns the indices of `wanted`, in their order; nil for an id that is not in the queue.
  func places(of wanted: [EntryID]) -> [Int?] {
    // One scan for each of a few ids; otherwise one table for all.
    if wanted.count <= 16 { return wanted.map { index(of: $0) } }
    let positions = IDIndex(ids, for: wanted.map(\.number))
    return wanted.map { positions[$0.number] }
  }

  /// Returns the first of `wanted` that is not in the queue; nil if all are.
  func firstUnknown(among wanted: [EntryID]) -> EntryID? {
    zip(wanted, places(of: wanted)).first { $0.1 == nil }?.0
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
  public func page(offset: Int, limit: Int) -> Slice<EntryTable> {
    let start = offset.clamped(to: 0...count)
    return entries[start..<(start + limit.clamped(to: 0...(count - start)))]
  }

  // MARK: Saving

  /// The modes, as they are saved.
  public var savedModes: SavedModes { SavedModes(repeatMode: repeatMode, shuffle: shuffle, consume: consume) }

  /// Returns the changes of the database for `change`. To be called before the queue changes again.
  public func changes(for change: QueueChange) -> [StateChange] { deferredChanges(for: change)() }

  /// Returns a function that creates the changes of the database for `change`, to be called on another thread: for a
  /// hundred thousand entries it takes 50 ms.
  public func deferredChanges(for change: QueueChange) -> @Sendable () -> [StateChange] {
    let nextID = nextID
    // The rows without their albums are copied, so that the next change need not copy those that it changes.
    let store = entries.store
    switch change {
    case .none: return { [] }
    case .all:
      let rows = entries.rows.entryRanks(in: 0..<count)
      return { [.replaceEntries(store.saved(rows)), .nextID(nextID)] }
    case .rows(let upserted, let removed):
      var rows: [EntryRank] = []
      for range in upserted.ranges { for index in range { rows.append(entries.rows.entryRank(index)) } }
      return { [rows] in
        (removed.isEmpty ? [] : [.removeEntries(removed.map(\.number))])
          + (rows.isEmpty ? [] : [.upsertEntries(store.saved(rows)), .nextID(nextID)])
      }
    }
  }
}

extension PlayQueue.Entry {
  init(_ saved: SavedEntry) {
    let info = EntryInfo(
      metadata: saved.metadata, duration: saved.duration, durationKind: saved.durationKind, failure: saved.failure,
      probed: saved.probed)
    self.init(id: EntryID(saved.id), rank: saved.rank, new: NewEntry(uri: saved.uri, info: info))
  }

}

extension EntryStore {
  /// Returns the rows of the database for entries.
  func saved(_ rows: [EntryRank]) -> [SavedEntry] {
    rows.map { row in
      let record = self[row.id]
      let info = record.box?.info ?? .unknown
      return SavedEntry(
        id: row.id, rank: row.rank, uri: record.uri, duration: info.duration, durationKind: info.durationKind,
        metadata: info.metadata, failure: info.failure, probed: info.probed)
    }
  }
}
