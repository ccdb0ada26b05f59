internal import SegueWire

extension PlayQueue {
  /// What `advance(.trackEnded, skipping:)` would come to, with nothing changed: for decoding ahead.
  public func successor(skipping refused: (QueueEntry) -> Bool = { _ in false }) -> EntryID? {
    plan(.trackEnded) { refused(table[$0]) }.target.map { table[$0].id }
  }

  /// Goes to what is played after or before the current entry, passing over what the caller refuses to play. Every
  /// entry is asked about at most twice; where all are refused, the current one stays current. At the end of the queue
  /// none is current any more, so that `play` begins anew; before its beginning the first stays.
  public mutating func advance(
    _ reason: Reason, skipping refused: (QueueEntry) -> Bool = { _ in false }
  ) -> Advance {
    let left = currentIndex
    let (target, walked, wraps) = plan(reason) { refused(table[$0]) }
    if target == nil, !isEmpty, entries.allSatisfy(refused) {
      return Advance(entry: nil, nothingPlayable: true, wraps: wraps, change: .none)
    }
    take(target, walked)
    guard let left, left != currentIndex || target == nil, isConsumed(left, reason) else {
      return Advance(entry: current, nothingPlayable: false, wraps: wraps, change: .none)
    }
    let change = remove([table[left].id]).change
    return Advance(entry: current, nothingPlayable: false, wraps: wraps, change: change)
  }

  /// Where `reason` leads, the walk as it is then, and whether that is another round. Changes nothing.
  func plan(
    _ reason: Reason, skipping refused: (Int) -> Bool
  ) -> (target: Int?, walk: ShuffleOrder?, wraps: Bool) {
    var walk = walk
    if reason == .trackEnded, repeatMode == .one, let currentIndex, !refused(currentIndex) {
      return (currentIndex, walk, wraps: true)
    }
    let consumed = currentIndex.flatMap { isConsumed($0, reason) ? $0 : nil }
    let wraps = repeatMode != .off
    var index = currentIndex
    var isOtherRound = false
    // The rest of this round and one more hold every entry.
    for turn in 0..<(2 * count) {
      // So many refused in a row: one pass in the order of memory tells sooner whether any will do.
      if turn == 64, entries.indices.allSatisfy({ $0 == consumed || refused($0) }) { break }
      if reason != .prev, walk?.isAtEnd ?? (index == count - 1) { isOtherRound = true }
      let next =
        reason == .prev
        ? previous(of: index, wraps: wraps, &walk) : next(after: index, wraps: wraps, &walk)
      guard let next else { break }
      if next != consumed, !refused(next) { return (next, walk, isOtherRound) }
      index = next
    }
    // Before the first there is nothing: it stays.
    if reason == .prev, let currentIndex, !refused(currentIndex) { return (currentIndex, self.walk, false) }
    return (nil, walk, isOtherRound)
  }

  /// Makes what `plan` said true.
  mutating func take(_ target: Int?, _ walked: ShuffleOrder?) {
    currentIndex = target
    walk = walked
    if target == nil { walk?.restart(table.albums) }
  }

  /// An entry that failed is not one that was played.
  private func isConsumed(_ index: Int, _ reason: Reason) -> Bool {
    consume && reason != .prev && table[index].failure == nil
  }

  private func next(after index: Int?, wraps: Bool, _ walk: inout ShuffleOrder?) -> Int? {
    if walk != nil { return walk?.forward(wraps: wraps, table.albums) }
    let next = index.map { $0 + 1 } ?? 0
    if next < count { return next }
    return wraps && !isEmpty ? 0 : nil
  }

  private func previous(of index: Int?, wraps: Bool, _ walk: inout ShuffleOrder?) -> Int? {
    if walk != nil { return walk?.back(wraps: wraps, table.albums) }
    if let index, index > 0 { return index - 1 }
    return wraps && !isEmpty ? count - 1 : nil
  }
}
