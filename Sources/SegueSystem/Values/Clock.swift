internal import Glibc

/// A time of a clock of the kernel in nanoseconds.
///
/// Sums and differences that do not fit into 64 bits are limited to the nearest time or interval that does: a clock may
/// be set to any time, also to one after April 2262.
public protocol ClockTime: Hashable, Comparable, Sendable {
  var nanoseconds: Int64 { get }
  init(nanoseconds: Int64)
}

extension ClockTime {
  public static func < (a: Self, b: Self) -> Bool { a.nanoseconds < b.nanoseconds }
  public static func + (a: Self, b: MediaTime) -> Self {
    Self(nanoseconds: a.nanoseconds.addingSaturated(b.nanoseconds))
  }
  public static func - (a: Self, b: MediaTime) -> Self {
    Self(nanoseconds: a.nanoseconds.subtractingSaturated(b.nanoseconds))
  }
  public static func - (a: Self, b: Self) -> MediaTime {
    MediaTime(nanoseconds: a.nanoseconds.subtractingSaturated(b.nanoseconds))
  }
}

/// A time of CLOCK_MONOTONIC in nanoseconds. `Status.monotonic` and the times of playback positions are times of this
/// clock.
public struct MonotonicTime: ClockTime {
  public var nanoseconds: Int64

  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  public static var now: MonotonicTime { MonotonicTime(nanoseconds: read(clock: CLOCK_MONOTONIC)) }
}

/// A time of CLOCK_THREAD_CPUTIME_ID in nanoseconds: the processor time that the calling thread has used. The clock
/// stops while the thread waits for a disk or for other processes.
public struct ThreadCPUTime: ClockTime {
  public var nanoseconds: Int64

  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  public static var now: ThreadCPUTime { ThreadCPUTime(nanoseconds: read(clock: CLOCK_THREAD_CPUTIME_ID)) }
}

/// A time of CLOCK_BOOTTIME in nanoseconds. Unlike CLOCK_MONOTONIC, this clock continues while the machine is
/// suspended. Users mean this clock when they say "in half an hour".
public struct BootTime: ClockTime {
  public var nanoseconds: Int64

  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  public static var now: BootTime { BootTime(nanoseconds: read(clock: CLOCK_BOOTTIME)) }

  /// The difference between this clock and the monotonic one, which grows while the machine is suspended.
  public static var suspendedTime: MediaTime {
    MediaTime(nanoseconds: now.nanoseconds.subtractingSaturated(MonotonicTime.now.nanoseconds))
  }
}

/// A time of CLOCK_REALTIME in nanoseconds since 1970, which stays meaningful after a restart of the machine. The
/// latest time is in April 2262.
public struct UnixTime: ClockTime {
  public var nanoseconds: Int64

  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  public static var now: UnixTime { UnixTime(nanoseconds: read(clock: CLOCK_REALTIME)) }
}

/// Returns the time of a clock in nanoseconds (clock_gettime(2)).
private func read(clock: clockid_t) -> Int64 {
  var time = timespec()
  clock_gettime(clock, &time)
  return Int64(time.tv_sec).multipliedSaturated(by: 1_000_000_000).addingSaturated(Int64(time.tv_nsec))
}

extension Int64 {
  /// Returns the sum, or the number nearest to it.
  public func addingSaturated(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }

  /// Returns the difference, or the number nearest to it.
  public func subtractingSaturated(_ other: Int64) -> Int64 {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (other < 0 ? .max : .min) : difference
  }

  /// Returns the product, or the number nearest to it.
  public func multipliedSaturated(by other: Int64) -> Int64 {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    return overflow ? ((self < 0) == (other < 0) ? .max : .min) : product
  }
}
