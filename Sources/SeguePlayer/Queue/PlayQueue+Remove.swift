internal import SegueSystem

extension PlayQueue {
  /// Takes `removed` out; ids that are not in the queue are passed over. If the current entry goes, the one that would
  /// have been played after it becomes current.
  @discardableResult
  public mutating func remove(_ removed: [EntryID]) -> Removal {
    let gone = mask(of: removed)
    guard gone.contains(true) else {
      return Removal(removed: [], currentChanged: false, current: current, change: .none)
    }
    let currentGoes = currentIndex.map { gone[$0] } ?? false
    if currentGoes {
      let (target, walked, _) = plan(.next) { gone[$0] }
      take(target, walked)
    }

    var newIndex = [Int32](repeating: -1, count: count)
    var goneIDs: [EntryID] = []
    var runs: [Range<Int>] = []
    var kept: Int32 = 0
    for index in 0..<count {
      if !gone[index] {
        newIndex[index] = kept
        kept += 1
        continue
      }
      goneIDs.append(entries[index].id)
      if let last = runs.indices.last, runs[last].upperBound == index {
        runs[last] = runs[last].lowerBound..<(index + 1)
      } else {
        runs.append(index..<(index + 1))
      }
    }
    if runs.count <= Self.fewRuns {
      for run in runs.reversed() {
        entries.removeSubrange(run)
        ids.removeSubrange(run)
      }
    } else {
      entries = entries.indices.lazy.filter { !gone[$0] }.map { entries[$0] }
      ids = entries.map(\.id.number)
    }
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
    if positions.count <= Self.fewRuns {
      let moved = positions.map { entries[$0] }
      for position in positions.sorted(by: >) {
        entries.remove(at: position)
        ids.remove(at: position)
      }
      entries.insert(contentsOf: moved, at: start)
      ids.insert(contentsOf: moved.map(\.id.number), at: start)
    } else {
      entries = order.map { entries[Int($0)] }
      ids = entries.map(\.id.number)
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
    return .upserted(start..<end)
  }

  /// Up to here moving blocks of memory in place beats building the array anew, which counts every reference.
  private static let fewRuns = 8

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
