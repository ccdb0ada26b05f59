internal import Glibc
public import SegueSystem

/// CLOCK_REALTIME, in nanoseconds since 1970: for what must be compared across restarts.
public struct WallTime: Hashable, Comparable, Sendable {
  public var nanoseconds: Int64

  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  public static var now: WallTime {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return WallTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  public static func < (a: WallTime, b: WallTime) -> Bool { a.nanoseconds < b.nanoseconds }
  public static func + (a: WallTime, b: MediaTime) -> WallTime {
    WallTime(nanoseconds: a.nanoseconds + b.nanoseconds)
  }
  public static func - (a: WallTime, b: WallTime) -> MediaTime {
    MediaTime(nanoseconds: a.nanoseconds - b.nanoseconds)
  }
}
