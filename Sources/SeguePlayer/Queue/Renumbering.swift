/// The new indices of the entries of the queue after some of them were removed or moved.
struct Renumbering {
  /// The new index of each entry, in the former order; -1 for those that were removed.
  let indices: [Int32]

  init(removing isRemoved: [Bool]) {
    var kept: Int32 = 0
    indices = isRemoved.map { isRemoved in
      defer { kept += isRemoved ? 0 : 1 }
      return isRemoved ? -1 : kept
    }
  }

  /// `positions`: the indices of the moved entries, in their new order. `start`: the new index of the first of them.
  init(moving positions: [Int], _ isMoved: [Bool], to start: Int) {
    var indices = [Int32](repeating: 0, count: isMoved.count)
    var next: Int32 = 0
    for index in isMoved.indices where !isMoved[index] {
      if next == start { next += Int32(positions.count) }
      indices[index] = next
      next += 1
    }
    for (offset, position) in positions.enumerated() { indices[position] = Int32(start + offset) }
    self.indices = indices
  }
}
