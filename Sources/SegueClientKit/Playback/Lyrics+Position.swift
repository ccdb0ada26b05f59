public import SegueSystem
public import SegueWire

extension [Lyrics.Line] {
  /// Returns the index of the line that is sung at `position`; nil before the first one. The lines must be ordered by
  /// time.
  public func indexOfLine(at position: MediaTime) -> Int? { lastIndex { $0.time <= position } }
}
