internal import Glibc
public import SegueSystem
public import SegueWire

extension UnixTime {
  /// The time in UTC, for programs: `2026-11-21T08:07:41Z`.
  public var timestamp: String { format("%Y-%m-%dT%H:%M:%SZ") { gmtime_r(&$0, &$1) != nil } }

  /// The time in the user's time zone: `2026-11-21 09:07`.
  public var localTime: String { format("%Y-%m-%d %H:%M") { localtime_r(&$0, &$1) != nil } }

  private func format(_ format: String, _ split: (inout time_t, inout tm) -> Bool) -> String {
    var seconds = time_t(nanoseconds / 1_000_000_000)
    var parts = tm()
    guard split(&seconds, &parts) else { return "" }
    var text = [CChar](repeating: 0, count: 64)
    let count = strftime(&text, text.count, format, &parts)
    return String(decoding: text[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

extension MediaTime {
  /// The time in seconds with three decimal places, for programs: `83.250`.
  public var decimalSeconds: String {
    let milliseconds = max(0, nanoseconds / 1_000_000)
    let rest = String(milliseconds % 1000)
    return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest
  }
}

/// Returns a duration: `4:56` if exact, `~4:56` if estimated, `live` if unbounded, and an empty text if unknown.
public func durationText(_ duration: MediaTime?, _ kind: DurationKind?) -> String {
  if kind == .unbounded { return tr("live") }
  return duration.map { (kind == .estimated ? "~" : "") + $0.clock } ?? ""
}

/// Counts with their nouns, such as `1 song` or `12 songs`.
public enum Counts {
  public static func songs(_ count: Int) -> String { trn("%1$d song", "%1$d songs", count) }
  public static func tracks(_ count: Int) -> String { trn("%1$d track", "%1$d tracks", count) }
  public static func albums(_ count: Int) -> String { trn("%1$d album", "%1$d albums", count) }
  public static func plays(_ count: Int) -> String { trn("%1$d play", "%1$d plays", count) }
  public static func artists(_ count: Int) -> String { trn("%1$d artist", "%1$d artists", count) }
}

/// Returns a number with one decimal place, or none if it is zero, for people: `44.1` or `48`.
public func decimalText(tenths: Int) -> String {
  let (whole, rest) = (abs(tenths) / 10, abs(tenths) % 10)
  let digits = rest == 0 ? String(whole) : decimalText("\(whole).\(rest)")
  return tenths < 0 ? "-" + digits : digits
}

/// Returns a number, rounded to at most one decimal place, for people.
public func decimalText(_ number: Double) -> String {
  let limit = 1e15
  return decimalText(tenths: Int((min(max(number, -limit), limit) * 10).rounded()))
}

/// Returns a number that is written with a decimal point, such as that of a speed or a setting, for people.
public func decimalText(_ number: String) -> String {
  // TRANSLATORS: the decimal mark, between the integer part of a number and its decimal places
  number.contains(".") ? number.map { $0 == "." ? tr(".") : String($0) }.joined() : number
}

/// Returns a number with separators between groups of three digits, for people.
public func groupedText(_ number: Int64) -> String {
  let digits = Array(String(number.magnitude))
  // TRANSLATORS: the separator between groups of three digits of a large number
  let separator = tr(",")
  var text = number < 0 ? "-" : ""
  for (index, digit) in digits.enumerated() {
    if index > 0, (digits.count - index) % 3 == 0 { text += separator }
    text.append(digit)
  }
  return text
}

extension StringProtocol {
  /// The number with a decimal point if a person has typed it with a decimal comma.
  public var withDecimalPoint: String { String(map { $0 == "," ? "." : $0 }) }
}

/// Returns the path of a `file://` URI, and any other URI in a readable form.
public func displayURI(_ uri: String) -> String {
  (FileURI.decode(uri)?.description ?? WebURL.withoutUser(WebURL.readable(uri))).visible
}

extension Int {
  /// The number, counted from 1, of an index that is counted from 0.
  public var oneBased: Int { Swift.min(self, .max - 1) + 1 }

  /// Returns the quotient, rounded to the nearest integer: 44,100 divided by 1,000 is 44.
  public func roundedQuotient(by divisor: Int) -> Int { self / divisor + (self % divisor * 2 >= divisor ? 1 : 0) }
}
