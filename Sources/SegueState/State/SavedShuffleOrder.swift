/// The playback order of a shuffled queue, as far as it is decided.
public struct SavedShuffleOrder: Equatable, Sendable {
  /// The ids of the entries: the last ones of the previous round, then those of the current round.
  public var entries: [UInt64]
  public var marks: Marks

  /// The places in the order that have a meaning.
  public struct Marks: Equatable, Sendable {
    /// The index of the current entry; -1 before the first.
    public var position: Int
    /// The index at which the current round begins.
    public var roundStart: Int
    /// The number of entries up to the last one that the user has inserted into the order.
    public var pinned: Int

    public init(position: Int = -1, roundStart: Int = 0, pinned: Int = 0) {
      self.position = position
      self.roundStart = roundStart
      self.pinned = pinned
    }
  }

  public init(entries: [UInt64] = [], marks: Marks = Marks()) {
    self.entries = entries
    self.marks = marks
  }
}

/// A change of the saved order.
public struct SavedShuffleChange: Equatable, Sendable {
  /// The index from which on the saved entries are replaced, at most their number.
  public var start: Int
  public var entries: [UInt64]
  public var marks: SavedShuffleOrder.Marks

  public init(start: Int, entries: [UInt64], marks: SavedShuffleOrder.Marks) {
    self.start = start
    self.entries = entries
    self.marks = marks
  }

  /// Creates the change that leads from no order to `order`.
  public init(_ order: SavedShuffleOrder) { self.init(start: 0, entries: order.entries, marks: order.marks) }

  /// Returns the change that has the effect of this one and a later one.
  func followed(by later: SavedShuffleChange) -> SavedShuffleChange {
    guard later.start > start else { return later }
    return SavedShuffleChange(
      start: start, entries: entries.prefix(later.start - start) + later.entries, marks: later.marks)
  }
}
