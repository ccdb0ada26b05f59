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
