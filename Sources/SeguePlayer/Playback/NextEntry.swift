// Thread: the loop.

internal import SegueWire

/// A memory of the entry that is played after the current one. Many entries may have to be passed over to find it, and every
/// status has it.
struct NextEntry {
  /// The facts by which the next entry is determined. A response may be sent after the queue has changed and before the player
  /// says so.
  struct State: Equatable {
    /// The revision of the player.
    let revision: UInt64
    /// The version of the queue.
    let version: UInt64
    /// The index of the current entry.
    let current: Int?
  }

  private var known: (state: State, index: Int?)?

  /// Returns the index of the next entry in a state, which `find` finds; nil if there is none.
  mutating func index(in state: State, find: () -> Int?) -> Int? {
    if let known, known.state == state { return known.index }
    let index = find()
    known = (state, index)
    return index
  }
}
