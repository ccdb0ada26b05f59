internal import SegueSystem

extension PlayQueue {
  /// Takes `removed` out; ids that are not in the queue are passed over. If the current entry goes, the one that would
  /// have been played after it becomes current.
  @discardableResult
  public mutating func remove(_ removed: [EntryID]) -> Removal {
    let gone = mask(of: removed)
    guard gone.contains(true) else {
      return Removal(removed: [], currentChanged: false, current: current, change: .none, discarded: nil)
    }
    let currentGoes = currentIndex.map { gone[$0] } ?? false
    if currentGoes {
      let (target, walked, _) = plan(.next) { gone[$0] }
      take(target, walked)
    }

    var newIndex = [Int32](repeating: -1, count: count)
    var goneIDs: [EntryID] = []
    var kept: Int32 = 0
    for index in 0..<count {
      if !gone[index] {
        newIndex[index] = kept
        kept += 1
        continue
      }
      goneIDs.append(EntryID(table.ids[index]))
    }
    table.remove(RangeSet(ascending: gone.indices.lazy.filter { gone[$0] }))
    currentIndex = currentIndex.map { Int(newIndex[$0]) }
    walk?.removed(newIndex: newIndex, table.albums)
    version += 1
    return Removal(
      removed: goneIDs, currentChanged: currentGoes, current: current, change: .removed(goneIDs), discarded: nil)
  }

  @discardableResult
  public mutating func clear() -> Removal {
    let removed = table.ids.map(EntryID.init)
    let discarded = DiscardedEntries(table.entries)
    let had = current != nil
    table = EntryTable()
    currentIndex = nil
    walk?.restart(table.albums)
    if !removed.isEmpty { version += 1 }
    return Removal(
      removed: removed, currentChanged: had, current: nil, change: removed.isEmpty ? .none : .all, discarded: discarded)
  }

  /// Puts `moving`, in the order given, together so that the first of them is at index `to` afterwards (clamped). Ids
  /// that are not in the queue or come twice are passed over. The order under shuffle stays.
  @discardableResult
  public mutating func move(_ moving: [EntryID], to: Int) -> QueueChange {
    let positions = indices(of: moving)
    guard !positions.isEmpty else { return .none }
    var gone = [Bool](repeating: false, count: count)
    for position in positions { gone[position] = true }
    let start = to.clamped(to: 0...(count - positions.count))
    let end = start + positions.count

    // Who stands where afterwards, as indices of before.
    var order: [Int32] = []
    order.reserveCapacity(count)
    for index in 0..<count where !gone[index] {
      if order.count == start { order.append(contentsOf: positions.map(Int32.init)) }
      order.append(Int32(index))
    }
    if order.count == start { order.append(contentsOf: positions.map(Int32.init)) }
    guard !order.elementsEqual(0..<Int32(count)) else { return .none }

    var newIndex = [Int32](repeating: 0, count: count)
    for (new, old) in order.enumerated() { newIndex[Int(old)] = Int32(new) }
    table.move(positions, to: start)
    currentIndex = currentIndex.map { Int(newIndex[$0]) }
    walk?.moved(newIndex: newIndex)
    version += 1

    let ranks = RankSpan(
      after: start > 0 ? table[start - 1].rank : nil, before: end < count ? table[end].rank : nil,
      count: positions.count)
    guard let ranks else {
      renumber()
      return .all
    }
    table.rank(start..<end, ranks)
    return .upserted(start..<end)
  }

  /// Which indices `wanted` names.
  private func mask(of wanted: [EntryID]) -> [Bool] {
    var mask = [Bool](repeating: false, count: count)
    for index in indices(of: wanted) { mask[index] = true }
    return mask
  }

  /// Where each of `wanted` is, in their order, without the absent and the repeated.
  private func indices(of wanted: [EntryID]) -> [Int] {
    var seen = [Bool](repeating: false, count: count)
    return places(of: wanted).compactMap { index in
      guard let index, !seen[index] else { return nil }
      seen[index] = true
      return index
    }
  }
}
