internal import SegueSystem

extension PlayQueue {
  /// Takes `removed` out; ids that are not in the queue are passed over. If the current entry goes, the one that would
  /// have been played after it becomes current.
  @discardableResult
  public mutating func remove(_ removed: [EntryID]) -> Removal {
    let gone = mask(of: removed)
    guard let firstGone = gone.firstIndex(of: true) else {
      return Removal(removed: [], currentChanged: false, current: current, change: .none)
    }
    let currentGoes = currentIndex.map { gone[$0] } ?? false
    if currentGoes {
      let (target, walked) = plan(.next) { gone[$0] }
      take(target, walked)
    }

    var newIndex = [Int32](repeating: -1, count: count)
    var kept = firstGone
    for index in 0..<firstGone { newIndex[index] = Int32(index) }
    var goneIDs: [EntryID] = []
    for index in firstGone..<count {
      if gone[index] {
        goneIDs.append(entries[index].id)
        continue
      }
      newIndex[index] = Int32(kept)
      entries.swapAt(kept, index)
      ids[kept] = ids[index]
      kept += 1
    }
    entries.removeLast(count - kept)
    ids.removeLast(ids.count - kept)
    currentIndex = currentIndex.map { Int(newIndex[$0]) }
    walk?.removed(newIndex: newIndex, entries)
    version += 1
    return Removal(removed: goneIDs, currentChanged: currentGoes, current: current, change: .removed(goneIDs))
  }

  @discardableResult
  public mutating func clear() -> Removal {
    let removed = ids.map(EntryID.init)
    let had = current != nil
    entries = []
    ids = []
    currentIndex = nil
    walk?.restart(entries)
    if !removed.isEmpty { version += 1 }
    return Removal(
      removed: removed, currentChanged: had, current: nil, change: removed.isEmpty ? .none : .all)
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
    var order: [Int] = []
    order.reserveCapacity(count)
    for index in 0..<count where !gone[index] {
      if order.count == start { order.append(contentsOf: positions) }
      order.append(index)
    }
    if order.count == start { order.append(contentsOf: positions) }
    guard !order.elementsEqual(0..<count) else { return .none }

    var newIndex = [Int32](repeating: 0, count: count)
    for (new, old) in order.enumerated() { newIndex[old] = Int32(new) }
    let before = entries
    for (new, old) in order.enumerated() where new != old {
      entries[new] = before[old]
      ids[new] = before[old].id.number
    }
    currentIndex = currentIndex.map { Int(newIndex[$0]) }
    walk?.moved(newIndex: newIndex)
    version += 1

    let ranks = RankSpan(
      after: start > 0 ? entries[start - 1].rank : nil, before: end < count ? entries[end].rank : nil,
      count: positions.count)
    guard let ranks else {
      renumber()
      return .all
    }
    for index in start..<end { entries[index].rank = ranks[index - start] }
    return .upserted(Array(entries[start..<end]))
  }

  /// Which indices `wanted` names.
  private func mask(of wanted: [EntryID]) -> [Bool] {
    var mask = [Bool](repeating: false, count: count)
    for index in indices(of: wanted) { mask[index] = true }
    return mask
  }

  /// Where each of `wanted` is, in their order, without the absent and the repeated.
  private func indices(of wanted: [EntryID]) -> [Int] {
    // A scan an id while they are few; beyond, one table for all.
    if wanted.count <= 16 {
      var found: [Int] = []
      for id in wanted {
        if let index = index(of: id), !found.contains(index) { found.append(index) }
      }
      return found
    }
    var table: [UInt64: Int] = [:]
    table.reserveCapacity(wanted.count)
    for (turn, id) in wanted.enumerated() where table[id.number] == nil { table[id.number] = turn }
    var at = [Int](repeating: -1, count: wanted.count)
    for (index, id) in ids.enumerated() {
      if let turn = table[id] { at[turn] = index }
    }
    return at.filter { $0 >= 0 }
  }
}
