public import SegueWire

/// The place at which a request inserts entries.
public enum Placement: Equatable, Sendable {
  case end, next
  /// At the end, unless the daemon has added the tracks by itself when it populated the queue: then they stay where
  /// they are.
  case endIfMissing
  /// Before the entry at this index; at the end if the index is the length of the queue.
  case index(Int)
  /// Right after the entry with this id, wherever it is by then; at the end if it is not in the queue.
  case after(UInt64)
}

/// The completion of a request. It is called on the loop thread, once, possibly before the request returns.
public typealias Completion<Value> = @MainActor (Result<Value, Failure>) -> Void
