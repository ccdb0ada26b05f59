public import SegueSystem

extension Status {
  /// Where the music is now: the position, carried on from the moment it was true.
  public func position(at now: MonotonicTime) -> MediaTime? {
    guard var position else { return nil }
    if rate > 0, monotonic.nanoseconds > 0, now > monotonic { position = position + (now - monotonic) }
    if let duration, durationKind == .exact { position = min(position, duration) }
    return max(position, .zero)
  }
}
