public import SegueSystem

extension Status {
  /// Returns the playback position at `now`, extrapolated from `position` and `monotonic`.
  public func position(at now: MonotonicTime) -> MediaTime? {
    guard var position else { return nil }
    if rate > 0, monotonic.nanoseconds > 0, now > monotonic {
      position = position + (rate == 1 ? now - monotonic : MediaTime(seconds: (now - monotonic).seconds * rate))
    }
    if let duration, durationKind == .exact { position = min(position, duration) }
    return max(position, .zero)
  }

  /// Returns the time at which the position is at the next whole second; nil if it stands still.
  public func nextSecond(after now: MonotonicTime) -> MonotonicTime? {
    guard rate > 0, let position = position(at: now) else { return nil }
    if durationKind == .exact, position == duration { return nil }
    let left = MediaTime(nanoseconds: 1_000_000_000 - position.nanoseconds % 1_000_000_000)
    return now + (rate == 1 ? left : MediaTime(seconds: left.seconds / rate))
  }
}
