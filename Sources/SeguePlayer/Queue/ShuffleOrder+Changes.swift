extension ShuffleOrder {
  /// Where entries that were put into the queue go in the walk.
  enum Place {
    case afterCurrent
    /// Right after the entry at this index (as it was before), if that is about to be heard.
    case after(Int)
    case anywhere
  }

  /// Takes in the entries that were inserted into the queue at `range`; `albums` has one element for each entry of the
  /// queue after the insertion.
  mutating func inserted(_ range: Range<Int>, _ place: Place, _ albums: [AlbumKey]) {
    let slot: Int? =
      switch place {
      case .afterCurrent: position + 1
      case .after(let index):
        steps[max(position, 0)..<max(decided, position + 1, 0)].firstIndex(of: Int32(index)).map { $0 + 1 }
      case .anywhere: nil
      }
    let start = Int32(range.lowerBound)
    let count = Int32(range.count)
    for index in steps.indices where steps[index] >= start { steps[index] += count }
    let new = start..<(start + count)
    if let slot {
      steps.insert(contentsOf: new, at: slot)
      if slot < roundStart { roundStart += new.count }
      decided = max(decided, slot) + new.count
      pinned = max(pinned, slot) + new.count
    } else {
      steps.append(contentsOf: new)
      reopenAlbums(albums)
    }
    decide(albums)
  }

  /// The queue lost entries: `newIndex` says where each of the old ones is now, -1 for those that are gone. The current
  /// one is not among them.
  mutating func removed(newIndex: [Int32], _ albums: [AlbumKey]) {
    var kept: [Int32] = []
    kept.reserveCapacity(steps.count)
    var (newPosition, newStart, newDecided, newPinned) = (-1, 0, 0, 0)
    for (slot, step) in steps.enumerated() {
      let index = newIndex[Int(step)]
      guard index >= 0 else { continue }
      kept.append(index)
      if slot <= position { newPosition += 1 }
      if slot < roundStart { newStart += 1 }
      if slot < decided { newDecided += 1 }
      if slot < pinned { newPinned += 1 }
    }
    (steps, position, roundStart, decided, pinned) = (kept, newPosition, newStart, newDecided, newPinned)
    decide(albums)
  }

  /// The queue was reordered: `newIndex` says where each entry is now. What is heard when stays.
  mutating func moved(newIndex: [Int32]) {
    for slot in steps.indices { steps[slot] = newIndex[Int(steps[slot])] }
  }
}
