internal import Glibc

/// CLOCK_MONOTONIC, in nanoseconds: the clock that `Status.monotonic` names and every anchor is stamped with.
public struct MonotonicTime: Hashable, Comparable, Sendable {
  public var nanoseconds: Int64

  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  public static var now: MonotonicTime {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return MonotonicTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

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

/// CLOCK_THREAD_CPUTIME_ID, in nanoseconds: the processor's time that the calling thread has used. Unlike others, this
/// clock does not go on while the thread waits for a disk or for other processes.
public struct ThreadCPUTime: Hashable, Comparable, Sendable {
  public var nanoseconds: Int64

  public static var now: ThreadCPUTime {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return ThreadCPUTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  public static func < (a: ThreadCPUTime, b: ThreadCPUTime) -> Bool { a.nanoseconds < b.nanoseconds }
  public static func + (a: ThreadCPUTime, b: MediaTime) -> ThreadCPUTime {
    ThreadCPUTime(nanoseconds: a.nanoseconds + b.nanoseconds)
  }
}

/// CLOCK_BOOTTIME, in nanoseconds: runs on while the machine sleeps, which CLOCK_MONOTONIC does not. For what people mean
/// by "in half an hour".
public struct BootTime: Hashable, Comparable, Sendable {
  public var nanoseconds: Int64

  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  public static var now: BootTime {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return BootTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  /// How much this clock has gone beyond the monotonic one: it grows when the machine sleeps.
  public static var slept: MediaTime { MediaTime(nanoseconds: now.nanoseconds - MonotonicTime.now.nanoseconds) }

  public static func < (a: BootTime, b: BootTime) -> Bool { a.nanoseconds < b.nanoseconds }
  public static func + (a: BootTime, b: MediaTime) -> BootTime {
    BootTime(nanoseconds: a.nanoseconds + b.nanoseconds)
  }
  public static func - (a: BootTime, b: BootTime) -> MediaTime {
    MediaTime(nanoseconds: a.nanoseconds - b.nanoseconds)
  }
}
