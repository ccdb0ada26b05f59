/// A computation with dates of the Gregorian calendar, without Foundation.
public enum CalendarDate {
  /// Returns the number of days from 1970-01-01 to a date. The month is in 1...12. Years begin in March, so that leap
  /// days come last.
  public static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month > 2 ? year : year - 1
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
  }
}

/// A day of the Gregorian calendar.
public struct Day: Hashable, Comparable, Sendable {
  public let year: Int
  public let month: Int
  public let day: Int

  /// Parses a date as `YYYY-MM-DD`. Returns nil if there is no such day.
  public init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map(\.utf8.count) == [4, 2, 2],
      parts.joined().utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2])
    else { return nil }
    self.init(year, month, day)
  }

  /// Returns nil if there is no such day.
  public init?(_ year: Int, _ month: Int, _ day: Int) {
    guard (1...12).contains(month), day >= 1 else { return nil }
    let next = month == 12 ? CalendarDate.days(year + 1, 1, 1) : CalendarDate.days(year, month + 1, 1)
    guard CalendarDate.days(year, month, day) < next else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
  }

  /// The number of whole years from this day to another. Who was born on February 29 grows older on March 1.
  public func age(on other: Day) -> Int {
    other.year - year - ((other.month, other.day) < (month, day) ? 1 : 0)
  }

  public static func < (one: Day, other: Day) -> Bool {
    (one.year, one.month, one.day) < (other.year, other.month, other.day)
  }
}
