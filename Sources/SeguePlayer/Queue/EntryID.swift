/// What names an entry of the play queue for its life, across restarts; never used twice.
public struct EntryID: Hashable, Comparable, Sendable, CustomStringConvertible {
  public let number: UInt64

  public init(_ number: UInt64) { self.number = number }

  public static func < (a: EntryID, b: EntryID) -> Bool { a.number < b.number }

  public var description: String { "\(number)" }
}
