public import SegueSystem

extension JSONWriter {
  /// Writes the member `name` with the time in seconds since 1970.
  public mutating func member(_ name: StaticString, _ time: UnixTime?) {
    member(name, time.map { MediaTime(nanoseconds: $0.nanoseconds) })
  }
}

extension JSON {
  /// The value of `integer` as an `Int`.
  public var int: Int? { integer.map(Int.init) }

  /// The time in seconds, if the value is a number.
  public var time: MediaTime? { double.map { MediaTime(seconds: $0) } }

  /// The time in seconds since 1970, if the value is a number in its range.
  public var unixTime: UnixTime? {
    guard let seconds = double, abs(seconds) < 9e9 else { return nil }
    return UnixTime(nanoseconds: Int64((seconds * 1e9).rounded()))
  }
}
