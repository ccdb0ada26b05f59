public import SegueSystem
public import SegueWire

/// A change of the queue that can be undone or redone.
public struct SavedStep: Equatable, Sendable {
  /// A number that is greater than those of all earlier changes.
  public var number: UInt64
  /// Whether the change was undone, and can be redone.
  public var isUndone: Bool
  public var step: QueueStep
  /// The entries that return to the queue when the change is undone or redone.
  public var insertions: [SavedEntry]
  /// The ids of the entries that leave the queue then.
  public var removals: RangeSet<UInt64>
  /// The ranks that other entries get then.
  public var ranks: [SavedRank]
  /// The id of the entry that was current when it left the queue; nil if the current entry stayed.
  public var current: UInt64?
  /// The position in that entry; nil if playback was stopped.
  public var position: MediaTime?

  public init(
    number: UInt64, isUndone: Bool, step: QueueStep, insertions: [SavedEntry] = [],
    removals: RangeSet<UInt64> = RangeSet(), ranks: [SavedRank] = [], current: UInt64? = nil,
    position: MediaTime? = nil
  ) {
    self.number = number
    self.isUndone = isUndone
    self.step = step
    self.insertions = insertions
    self.removals = removals
    self.ranks = ranks
    self.current = current
    self.position = position
  }
}

/// The rank of an entry.
public struct SavedRank: Equatable, Sendable {
  public var id: UInt64
  public var rank: Int64

  public init(id: UInt64, rank: Int64) {
    self.id = id
    self.rank = rank
  }
}
