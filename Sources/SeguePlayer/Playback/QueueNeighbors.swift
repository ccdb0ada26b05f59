// Thread: the loop.

internal import SegueWire

/// What the queue has around the current entry. Many entries may have to be passed over to find it, and every status has it.
struct QueueNeighbors {
  /// The index of the entry that is played after the current one, if nobody intervenes; nil if there is none.
  let nextIndex: Int?
  /// Whether a step forwards leads to an entry.
  let hasNext: Bool
  /// Whether a step back leads to an entry.
  let hasPrevious: Bool
}

/// A memory of the neighbors in the last state of the player.
struct QueueNeighborMemory {
  /// The facts by which the neighbors are determined. A response may be sent after the queue has changed and before the player
  /// says so.
  struct State: Equatable {
    /// The revision of the player.
    let revision: UInt64
    /// The version of the queue.
    let version: UInt64
    /// The index of the current entry.
    let current: Int?
  }

  private var known: (state: State, neighbors: QueueNeighbors)?

  /// Returns the neighbors in a state, which `find` finds.
  mutating func neighbors(in state: State, find: () -> QueueNeighbors) -> QueueNeighbors {
    if let known, known.state == state { return known.neighbors }
    let neighbors = find()
    known = (state, neighbors)
    return neighbors
  }
}
