public import SegueSystem

/// The header `Retry-After` (RFC 9110, 10.2.3): a number of seconds, or a date.
public enum RetryAfter {
  /// The longest time that is returned: a day.
  private static let maximumSeconds = 86_400

  /// Returns the time to wait, at least a second and at most a day; nil if the value is malformed.
  /// - Parameter now: The time at which the response was received, from which a date is counted.
  public static func time(_ value: String, now: UnixTime) -> MediaTime? {
    let text = value.trimmed
    if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      return .seconds((Int(text) ?? Int.max).clamped(to: 1...maximumSeconds))
    }
    guard let date = date(text) else { return nil }
    return (date - now).clamped(to: .seconds(1) ... .seconds(maximumSeconds))
  }

  /// Reads a date in the form that servers send (RFC 9110, 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
  static func date(_ text: String) -> UnixTime? {
    let fields = text.split(separator: " ")
    guard fields.count == 6, fields[5] == "GMT" || fields[5] == "UTC", let day = number(fields[1], 1...31),
      let month = months.firstIndex(of: String(fields[2])).map({ $0 + 1 }), let year = number(fields[3], 1970...2200)
    else { return nil }
    let clock = fields[4].split(separator: ":", omittingEmptySubsequences: false)
    guard clock.count == 3, let hours = number(clock[0], 0...23), let minutes = number(clock[1], 0...59),
      let seconds = number(clock[2], 0...60)
    else { return nil }
    let time = days(year, month, day) * 86_400 + hours * 3600 + minutes * 60 + seconds
    return UnixTime(nanoseconds: Int64(time) * 1_000_000_000)
  }

  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  private static func number(_ text: Substring, _ range: ClosedRange<Int>) -> Int? {
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text) else { return nil }
    return range.contains(number) ? number : nil
  }

  /// Returns the number of days from 1970 to a date of the Gregorian calendar. Years begin in March, so that leap days
  /// come last.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month > 2 ? year : year - 1
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
  }
}
