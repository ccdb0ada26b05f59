public import SegueLibrary

extension PlayQueue {
  /// The queue as it was saved. A hundred thousand entries take 100 ms: make it in the completion of `StateStore.load`.
  /// `nextID` is taken from the rows where what was saved is behind them. Entries beyond the capacity are left out.
  public init(_ saved: SavedState, seed: UInt64) {
    self.init(seed: seed)
    table = EntryTable(saved.entries.prefix(Self.capacity).map(QueueEntry.init))
    nextID = max(saved.nextID, (saved.entries.lazy.map(\.id).max() ?? 0) + 1)
    repeatMode = saved.modes.repeatMode
    consume = saved.modes.consume
    if let id = saved.playhead.entry { setCurrent(EntryID(id)) }
    shuffle = saved.modes.shuffle
  }

  /// The modes, as the store keeps them.
  public var savedModes: SavedModes { SavedModes(repeatMode: repeatMode, shuffle: shuffle, consume: consume) }

  /// What the store must do after `change`. To be asked before the queue is changed again.
  public func changes(for change: QueueChange) -> [StateChange] { deferredChanges(for: change)() }

  /// The same, to be made elsewhere (`StateStore.save(making:)`): of a hundred thousand entries it takes 50 ms.
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
  fileprivate init(_ saved: SavedEntry) {
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
