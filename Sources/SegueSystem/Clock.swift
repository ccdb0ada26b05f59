internal import Glibc

/// A time of CLOCK_MONOTONIC in nanoseconds. `Status.monotonic` and the times of playback positions are times of this clock.
public struct MonotonicTime: Hashable, Comparable, Sendable {
  public var nanoseconds: Int64

  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  public static var now: MonotonicTime { MonotonicTime(nanoseconds: read(clock: CLOCK_MONOTONIC)) }

  public static func < (a: MonotonicTime, b: MonotonicTime) -> Bool { a.nanoseconds < b.nanoseconds }
  public static func + (a: MonotonicTime, b: MediaTime) -> MonotonicTime {
    MonotonicTime(nanoseconds: a.nanoseconds + b.nanoseconds)
  }
  public static func - (a: MonotonicTime, b: MediaTime) -> MonotonicTime {
    MonotonicTime(nanoseconds: a.nanoseconds - b.nanoseconds)
  }
  public static func - (a: MonotonicTime, b: MonotonicTime) -> MediaTime {
    MediaTime(nanoseconds: a.nanoseconds - b.nanoseconds)
  }
}

/// A time of CLOCK_THREAD_CPUTIME_ID in nanoseconds: the processor time that the calling thread has used. The clock stops
/// while the thread waits for a disk or for other processes.
public struct ThreadCPUTime: Hashable, Comparable, Sendable {
  public var nanoseconds: Int64

  public static var now: ThreadCPUTime { ThreadCPUTime(nanoseconds: read(clock: CLOCK_THREAD_CPUTIME_ID)) }

  public static func < (a: ThreadCPUTime, b: ThreadCPUTime) -> Bool { a.nanoseconds < b.nanoseconds }
  public static func + (a: ThreadCPUTime, b: MediaTime) -> ThreadCPUTime {
    ThreadCPUTime(nanoseconds: a.nanoseconds + b.nanoseconds)
  }
}

/// A time of CLOCK_BOOTTIME in nanoseconds. Unlike CLOCK_MONOTONIC, this clock continues while the machine is suspended.
/// Users mean this clock when they say "in half an hour".
public struct BootTime: Hashable, Comparable, Sendable {
  public var nanoseconds: Int64

  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  public static var now: BootTime { BootTime(nanoseconds: read(clock: CLOCK_BOOTTIME)) }

  /// The difference between this clock and the monotonic one, which grows while the machine is suspended.
  public static var suspendedTime: MediaTime { MediaTime(nanoseconds: now.nanoseconds - MonotonicTime.now.nanoseconds) }

  public static func < (a: BootTime, b: BootTime) -> Bool { a.nanoseconds < b.nanoseconds }
  public static func + (a: BootTime, b: MediaTime) -> BootTime {
    BootTime(nanoseconds: a.nanoseconds + b.nanoseconds)
  }
  public static func - (a: BootTime, b: BootTime) -> MediaTime {
    MediaTime(nanoseconds: a.nanoseconds - b.nanoseconds)
  }
}

/// A time of CLOCK_REALTIME in nanoseconds since 1970, which stays meaningful after a restart of the machine.
public struct UnixTime: Hashable, Comparable, Sendable {
  public var nanoseconds: Int64

  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  public static var now: UnixTime { UnixTime(nanoseconds: read(clock: CLOCK_REALTIME)) }

  public static func < (a: UnixTime, b: UnixTime) -> Bool { a.nanoseconds < b.nanoseconds }
  public static func + (a: UnixTime, b: MediaTime) -> UnixTime {
    UnixTime(nanoseconds: a.nanoseconds + b.nanoseconds)
  }
  public static func - (a: UnixTime, b: UnixTime) -> MediaTime {
    MediaTime(nanoseconds: a.nanoseconds - b.nanoseconds)
  }
}

/// Returns the time of a clock in nanoseconds (clock_gettime(2)).
private func read(clock: clockid_t) -> Int64 {
  var time = timespec()
  clock_gettime(clock, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}
