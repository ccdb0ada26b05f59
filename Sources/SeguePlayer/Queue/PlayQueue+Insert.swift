internal import SegueSystem

extension PlayQueue {
  /// Puts `new` at `point`, in its order, up to the queue's capacity. Without a current entry before there is none after.
  @discardableResult
  public mutating func insert(_ new: [NewEntry], at point: InsertionPoint) -> Insertion {
    let refused = new.dropFirst(Self.capacity - count)
    let new = new.dropLast(refused.count)
    guard !new.isEmpty else { return Insertion(ids: [], range: 0..<0, refused: refused, change: .none) }
    let (index, place) = resolve(point)
    let range = index..<(index + new.count)
    let ranks = RankSpan(
      after: index > 0 ? table[index - 1].rank : nil, before: index < count ? table[index].rank : nil,
      count: new.count)

    let firstID = nextID
    nextID += UInt64(new.count)
    let inserted = new.indices.map { offset in
      QueueEntry(id: EntryID(firstID + UInt64(offset)), rank: ranks?[offset] ?? 0, new: new[offset])
    }
    table.insert(inserted, at: index)
    if let current = currentIndex, current >= index { currentIndex = current + new.count }
    walk?.inserted(range, place, table.albums)
    version += 1

    if ranks == nil { renumber() }
    return Insertion(
      ids: (firstID..<nextID).map(EntryID.init), range: range, refused: refused,
      change: ranks == nil ? .all : .upserted(range))
  }

  /// Puts `new`, up to the queue's capacity, in the place of all there is. If the current entry's URI is among them, that entry plays on, with its
  /// id and what is known of it, where it stands now.
  @discardableResult
  public mutating func replaceAll(_ new: [NewEntry]) -> (insertion: Insertion, removal: Removal) {
    let old = table.ids.map(EntryID.init)
    let discarded = DiscardedEntries(table.entries)
    let playing = currentEntry
    let stays = playing.flatMap { playing in new.prefix(Self.capacity).firstIndex { $0.uri == playing.uri } }
    table = EntryTable()
    currentIndex = nil
    walk?.restart(table.albums)
    let inserted = insert(new, at: .end)
    var added = inserted.ids
    if let stays, let playing {
      var kept = playing
      kept.rank = table[stays].rank
      table.replace(at: stays, with: kept)
      added[stays] = kept.id
      currentIndex = stays
      walk?.restart(table.albums)
      walk?.jump(to: stays, table.albums)
    }
    if new.isEmpty, !old.isEmpty { version += 1 }
    let removed = stays == nil ? old : old.filter { $0 != playing?.id }
    return (
      Insertion(ids: added, range: 0..<count, refused: inserted.refused, change: .all),
      Removal(
        removed: removed, currentChanged: playing != nil && stays == nil, current: current, change: .all,
        discarded: discarded)
    )
  }

  private func resolve(_ point: InsertionPoint) -> (Int, ShuffleOrder.Place) {
    switch point {
    case .end: return (count, .anywhere)
    case .next: return (currentIndex.map { $0 + 1 } ?? 0, .afterCurrent)
    case .index(let index): return (index.clamped(to: 0...count), .anywhere)
    case .after(let id):
      guard let index = index(of: id) else { return (count, .anywhere) }
      return (index + 1, .after(index))
    }
  }

  /// New ranks with full gaps for all.
  mutating func renumber() {
    guard let ranks = RankSpan(after: nil, before: nil, count: count) else { return }
    table.rank(0..<count, ranks)
  }
}
