internal import SegueSystem

/// Times, and places in a track, as people type them.
enum TimeArgument {
  /// `90`, `90.5`, `1:30`, `1:02:03.5`, `90s`, `30m`, `1h30m`; nil for anything else.
  static func parse(_ text: some StringProtocol) -> MediaTime? {
    let bytes = Array(text.utf8)
    guard let seconds = bytes.contains(UInt8(ascii: ":")) ? clock(bytes) : units(bytes) else { return nil }
    return seconds.isFinite && seconds <= MediaTime.maximum.seconds ? MediaTime(seconds: seconds) : nil
  }

  /// `minutes:seconds` or `hours:minutes:seconds`; what follows a colon is below 60.
  private static func clock(_ bytes: [UInt8]) -> Double? {
    let fields = bytes.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard fields.count <= 3 else { return nil }
    var total = 0.0
    for (place, field) in fields.enumerated() {
      let isLast = place == fields.count - 1
      guard let value = number(field, fraction: isLast), place == 0 || value < 60 else { return nil }
      total = total * 60 + value
    }
    return total
  }

  /// Seconds, or amounts each with its unit, the larger first.
  private static func units(_ bytes: [UInt8]) -> Double? {
    if let plain = number(bytes[...], fraction: true) { return plain }
    var rest = bytes[...]
    var total = 0.0
    var largest = Double.infinity
    while let end = rest.firstIndex(where: { !isNumeral($0) }) {
      let factor: Double
      switch rest[end] {
      case UInt8(ascii: "h"): factor = 3600
      case UInt8(ascii: "m"): factor = 60
      case UInt8(ascii: "s"): factor = 1
      default: return nil
      }
      guard factor < largest, let value = number(rest[..<end], fraction: true) else { return nil }
      total += value * factor
      largest = factor
      rest = rest[(end + 1)...]
    }
    return rest.isEmpty && largest < .infinity ? total : nil
  }

  private static func isNumeral(_ byte: UInt8) -> Bool {
    UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || byte == UInt8(ascii: ".")
  }

  /// `50%`, `12.5%` as 0…1; nil for anything else, or beyond 100 %.
  static func share(_ text: String) -> Double? {
    guard text.hasSuffix("%"), let percent = number(Array(text.utf8.dropLast())[...], fraction: true), percent <= 100
    else { return nil }
    return percent / 100
  }

  /// Digits with at most one point among them: no sign, no exponent.
  private static func number(_ bytes: ArraySlice<UInt8>, fraction: Bool) -> Double? {
    let points = bytes.count { $0 == UInt8(ascii: ".") }
    guard bytes.allSatisfy(isNumeral), points <= (fraction ? 1 : 0), bytes.count > points else { return nil }
    return Double("0" + String(decoding: bytes, as: UTF8.self) + (bytes.last == UInt8(ascii: ".") ? "0" : ""))
  }
}
