internal import SegueSystem

/// A moment, in nanoseconds since 1970; on the socket in seconds.
public struct UnixTime: Hashable, Comparable, Sendable {
  public var nanoseconds: Int64

  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  public static func < (a: UnixTime, b: UnixTime) -> Bool { a.nanoseconds < b.nanoseconds }
}

extension JSONWriter {
  public mutating func member(_ name: StaticString, _ time: UnixTime?) {
    member(name, time.map { MediaTime(nanoseconds: $0.nanoseconds) })
  }
}

extension JSON {
  /// Seconds since 1970, when this is a number that can be such.
  public var unixTime: UnixTime? {
    guard let seconds = double, abs(seconds) < 9e9 else { return nil }
    return UnixTime(nanoseconds: Int64((seconds * 1e9).rounded()))
  }
}
