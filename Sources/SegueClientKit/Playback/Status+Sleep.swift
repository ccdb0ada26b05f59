public import SegueSystem
public import SegueWire

extension Status {
  /// Returns the time until the sleep timer stops playback, if it was `left` at the time of this state.
  public func timeToSleep(_ left: MediaTime, at now: MonotonicTime) -> MediaTime {
    guard monotonic.nanoseconds > 0, now > monotonic else { return left }
    return max(.zero, left - (now - monotonic))
  }
}
