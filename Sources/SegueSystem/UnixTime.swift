internal import Glibc

/// A point in wall-clock time (CLOCK_REALTIME), in nanoseconds since 1970. It remains meaningful after a restart.
public struct UnixTime: Hashable, Comparable, Sendable {
  public var nanoseconds: Int64

  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  public static var now: UnixTime {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return UnixTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  public static func < (a: UnixTime, b: UnixTime) -> Bool { a.nanoseconds < b.nanoseconds }

  public static func + (a: UnixTime, b: MediaTime) -> UnixTime {
    UnixTime(nanoseconds: a.nanoseconds + b.nanoseconds)
  }

  public static func - (a: UnixTime, b: UnixTime) -> MediaTime {
    MediaTime(nanoseconds: a.nanoseconds - b.nanoseconds)
  }
}
