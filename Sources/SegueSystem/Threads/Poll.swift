public import Glibc

/// Waits with poll(2) until an event of `entries` occurs or `deadline` passes; without a deadline, until an event
/// occurs. Returns what poll(2) returns: the number of entries with events, 0 after the deadline, or -1 if the wait
/// failed.
@discardableResult
public func poll(_ entries: inout [pollfd], until deadline: MonotonicTime?) -> Int32 {
  poll(&entries, nfds_t(entries.count), MonotonicTime.timeout(until: deadline))
}

extension MonotonicTime {
  /// Returns the time until `deadline` as poll(2) takes it, in milliseconds: rounded up, so that the deadline has
  /// passed after the wait; 0 if it has passed already; -1, which means no limit, if there is no deadline.
  public static func timeout(until deadline: MonotonicTime?, at now: MonotonicTime = .now) -> Int32 {
    guard let deadline else { return -1 }
    let (whole, rest) = max(0, (deadline - now).nanoseconds).quotientAndRemainder(dividingBy: 1_000_000)
    return Int32(clamping: rest > 0 ? whole + 1 : whole)
  }
}
