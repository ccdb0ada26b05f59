public import SegueSystem
public import SegueWire

/// The target of a request to play.
public enum PlayTarget: Equatable, Sendable {
  /// Resumes playback, or starts the current track or, without one, the first.
  case resume
  /// The entry at this index, from 0.
  case index(Int)
  case id(UInt64)
  /// A track that is inserted after the current one.
  case uri(String)
}

/// The target of a request to seek.
public enum SeekTarget: Equatable, Sendable {
  case position(MediaTime)
  case offset(MediaTime)
  /// A fraction of the duration, 0…1.
  case fraction(Double)
}

/// The unit of the steps `next` and `prev`.
public enum StepUnit: String, Sendable, CaseIterable {
  /// By chapter if the file has chapters, otherwise by track. A step back within a long track goes to its start.
  case chapter
  case track
}

/// The place at which a request inserts entries.
public enum Placement: Equatable, Sendable {
  case end, next
  /// At the end, unless the daemon has added the tracks by itself when it populated the queue: then they stay where they are.
  case endIfMissing
  /// Before the entry at this index; at the end if the index is the length of the queue.
  case index(Int)
  /// Right after the entry with this id, wherever it is by then; at the end if it is not in the queue.
  case after(UInt64)
}

/// A change of the volume. Levels are 0…100, and a delta is clamped to that range.
public struct VolumeChange: Equatable, Sendable {
  public enum Level: Equatable, Sendable {
    case level(Int)
    case delta(Int)
  }

  public var level: Level?
  public var muted: Bool?

  public init(level: Level?, muted: Bool?) {
    self.level = level
    self.muted = muted
  }
}

/// The completion of a request. It is called on the loop thread, once, possibly before the request returns.
public typealias Completion<Value> = @MainActor (Result<Value, Failure>) -> Void

/// A part of the state whose changes observers are notified of.
public enum Topic: String, Sendable, CaseIterable {
  case player, queue, library, output, settings
}
