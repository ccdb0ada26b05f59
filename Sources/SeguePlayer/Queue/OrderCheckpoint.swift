internal import SegueState

/// What of the order under shuffle is saved, and the changes that lead from there to the present order.
struct OrderCheckpoint: Sendable {
  private var saved = ShuffleOrder.SavedPart()

  init() {}

  init(_ order: SavedShuffleOrder) {
    saved = ShuffleOrder.SavedPart(length: order.entries.count, marks: order.marks)
  }

  /// Returns whether `order`, nil without shuffle, has changed since the last call of `takeChange`.
  func differs(from order: ShuffleOrder?) -> Bool {
    order.map { $0.hasChanged(since: saved) } ?? (saved != ShuffleOrder.SavedPart())
  }

  /// Returns a function that creates the change of the saved order since the last call, to be called on another thread:
  /// a million entries take tens of milliseconds. Returns nil if there is no change. `ids`: those of the entries of the
  /// queue.
  mutating func takeChange(of order: inout ShuffleOrder?, _ ids: [UInt64]) -> (@Sendable () -> StateChange)? {
    guard differs(from: order) else { return nil }
    guard let (start, indices) = order?.takeChange(since: &saved) else {
      saved = ShuffleOrder.SavedPart()
      return Self.wholeChange(of: nil, ids)
    }
    return { [ids = Self.ids(ids, at: indices), marks = saved.marks] in
      .shuffleOrder(SavedShuffleChange(start: start, entries: ids(), marks: marks))
    }
  }

  /// Returns a function that creates the change that leads from no saved order to `order`, to be called on another
  /// thread.
  static func wholeChange(of order: ShuffleOrder?, _ ids: [UInt64]) -> @Sendable () -> StateChange {
    guard let (indices, marks) = order?.saved else {
      return { .shuffleOrder(SavedShuffleChange(SavedShuffleOrder())) }
    }
    return { [ids = Self.ids(ids, at: indices)] in
      .shuffleOrder(SavedShuffleChange(SavedShuffleOrder(entries: ids(), marks: marks)))
    }
  }

  private static func ids(_ ids: [UInt64], at indices: ArraySlice<Int32>) -> @Sendable () -> [UInt64] {
    // A function that keeps the column for a few ids would cause the next change of the queue to copy it.
    if indices.count < 1_000 {
      let ids = indices.map { ids[Int($0)] }
      return { ids }
    }
    return { indices.map { ids[Int($0)] } }
  }
}
