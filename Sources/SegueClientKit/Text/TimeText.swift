public import SegueSystem

/// The parser of times and of positions in a track that people type.
public enum TimeText {
  /// Parses `90`, `90.5`, `1:30`, `1:02:03.5`, `90s`, `30m`, `30min` or `1h30m`, also with a decimal comma. Returns nil
  /// for anything else.
  public static func parse(_ text: some StringProtocol) -> MediaTime? {
    let bytes = Array(text.withDecimalPoint.utf8)
    guard let seconds = bytes.contains(UInt8(ascii: ":")) ? clock(bytes) : units(bytes) else { return nil }
    return seconds.isFinite && seconds <= MediaTime.maximum.seconds ? MediaTime(seconds: seconds) : nil
  }

  /// Parses `minutes:seconds` or `hours:minutes:seconds`. Fields after a colon must be below 60.
  private static func clock(_ bytes: [UInt8]) -> Double? {
    let fields = bytes.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard fields.count <= 3 else { return nil }
    var total = 0.0
    for (index, field) in fields.enumerated() {
      let isLast = index == fields.count - 1
      guard let value = number(field, fraction: isLast), index == 0 || value < 60 else { return nil }
      total = total * 60 + value
    }
    return total
  }

  /// Parses plain seconds, or numbers with units in descending order.
  private static func units(_ bytes: [UInt8]) -> Double? {
    if let plain = number(bytes[...], fraction: true) { return plain }
    var rest = bytes[...]
    var total = 0.0
    var largest = Double.infinity
    while let start = rest.firstIndex(where: { !isNumeral($0) }) {
      var end = start
      let factor: Double
      switch rest[end] {
      case UInt8(ascii: "h"): factor = 3600
      case UInt8(ascii: "m"):
        factor = 60
        if rest[end...].starts(with: "min".utf8) {
          end += 2
        }
      case UInt8(ascii: "s"): factor = 1
      default: return nil
      }
      guard factor < largest, let value = number(rest[..<start], fraction: true) else { return nil }
      total += value * factor
      largest = factor
      rest = rest[(end + 1)...]
    }
    return rest.isEmpty && largest < .infinity ? total : nil
  }

  private static func isNumeral(_ byte: UInt8) -> Bool {
    UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || byte == UInt8(ascii: ".")
  }

  /// Parses a percentage such as `50%` or `12.5%` as a fraction from 0 to 1. Returns nil for anything else.
  public static func fraction(_ text: String) -> Double? {
    guard text.hasSuffix("%"), let percent = number(Array(text.withDecimalPoint.utf8.dropLast())[...], fraction: true),
      percent <= 100
    else { return nil }
    return percent / 100
  }

  /// Parses digits with at most one decimal point. Signs and exponents are not accepted.
  private static func number(_ bytes: ArraySlice<UInt8>, fraction: Bool) -> Double? {
    let points = bytes.count { $0 == UInt8(ascii: ".") }
    guard bytes.allSatisfy(isNumeral), points <= (fraction ? 1 : 0), bytes.count > points else { return nil }
    return Double("0" + String(decoding: bytes, as: UTF8.self) + (bytes.last == UInt8(ascii: ".") ? "0" : ""))
  }
}

/// A text that sets a value (`50`), or raises (`+10`, `10+`) or lowers it (`-5`, `5-`).
public struct Adjustment {
  public enum Direction: Equatable {
    case to, up, down
  }

  public let direction: Direction
  /// The text without its sign.
  public let magnitude: Substring

  public init(_ text: String) {
    if text.hasPrefix("+") {
      (direction, magnitude) = (.up, text.dropFirst())
    } else if text.hasPrefix("-") {
      (direction, magnitude) = (.down, text.dropFirst())
    } else if text.hasSuffix("+") {
      (direction, magnitude) = (.up, text.dropLast())
    } else if text.hasSuffix("-") {
      (direction, magnitude) = (.down, text.dropLast())
    } else {
      (direction, magnitude) = (.to, text[...])
    }
  }
}
