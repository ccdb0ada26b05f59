public import SegueSystem
public import SegueWire

/// A further part of a change of the queue that can be undone: what it adds to the step that was saved before.
///
/// A client divides a long command among many requests. Each of them saves only its own part.
public struct SavedStepExtension: Equatable, Sendable {
  /// The number of the step, which can be undone.
  public var number: UInt64
  /// The whole change so far.
  public var step: QueueStep
  /// Further entries that return to the queue when the change is undone.
  public var insertions: [SavedEntry]
  /// The ids of all entries that leave the queue then.
  public var removals: RangeSet<UInt64>
  /// The ranks that further entries get then.
  public var ranks: [SavedRank]
  /// The ids of the entries that no longer get a rank of their own: they return instead.
  public var endedRanks: [UInt64]
  /// As in `SavedStep`.
  public var current: UInt64?
  /// As in `SavedStep`.
  public var position: MediaTime?

  public init(
    number: UInt64, step: QueueStep, insertions: [SavedEntry] = [], removals: RangeSet<UInt64> = RangeSet(),
    ranks: [SavedRank] = [], endedRanks: [UInt64] = [], current: UInt64? = nil, position: MediaTime? = nil
  ) {
    self.number = number
    self.step = step
    self.insertions = insertions
    self.removals = removals
    self.ranks = ranks
    self.endedRanks = endedRanks
    self.current = current
    self.position = position
  }

  /// Adds a later part of the change.
  mutating func append(_ later: SavedStepExtension) {
    step = later.step
    insertions += later.insertions
    removals = later.removals
    ranks += later.ranks
    // An entry whose rank has ended is not in the queue, so that no later part ranks it.
    endedRanks += later.endedRanks
    (current, position) = (later.current, later.position)
  }
}
