public import SegueSystem
public import SegueWire

/// What `play` was asked for.
public enum PlayTarget: Equatable, Sendable {
  /// Go on, or start at the current or first track.
  case resume
  /// From 0.
  case index(Int)
  case id(UInt64)
  /// Placed after the current track and started.
  case uri(String)
}

/// What `seek` was asked for.
public enum SeekTarget: Equatable, Sendable {
  case position(MediaTime)
  case offset(MediaTime)
  /// 0…1 of the duration.
  case fraction(Double)
}

/// By what `next` and `prev` go.
public enum StepUnit: String, Sendable, CaseIterable {
  /// By chapter where the file has any; back to the start of a long track that is not at its start; else by track.
  case chapter
  case track
}

/// Where `queue.add` puts things.
public enum Placement: Equatable, Sendable {
  case end, next
  /// Before the entry that is there now; the queue's length means the end.
  case index(Int)
}

/// What `volume` was asked for. Levels are 0…100; a delta is clamped to that.
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

/// How a request's answer comes: on the loop thread, once, possibly before the call returns.
public typealias Completion<Value> = @MainActor (Result<Value, Failure>) -> Void

/// What an observer is told about; the state itself is asked for.
public enum Topic: String, Sendable, CaseIterable {
  case player, queue, library, output, settings
}
