internal import SegueSystem

/// The durations and points in time of XML Schema, which are those of ISO 8601.
enum ISO8601 {
  /// Reads a duration such as `PT1H2M3.5S` or `P1DT2H`, in seconds. Returns nil if it is malformed, negative, or if it
  /// has years or months, whose length is not fixed.
  static func seconds(_ text: String) -> Double? {
    guard text.first == "P", text.utf8.count <= 64 else { return nil }
    var seconds = 0.0
    var isTime = false
    var number = ""
    for character in text.dropFirst() {
      let unit: Double
      switch character {
      case "0"..."9", ".":
        number.append(character)
        continue
      case "T":
        isTime = true
        continue
      case "W" where !isTime: unit = 604_800
      case "D" where !isTime: unit = 86_400
      case "H" where isTime: unit = 3_600
      case "M" where isTime: unit = 60
      case "S" where isTime: unit = 1
      default: return nil
      }
      guard let value = Double(number) else { return nil }
      seconds += value * unit
      number = ""
    }
    guard number.isEmpty, seconds <= Double(MediaTime.maximum.nanoseconds) / 1e9 else { return nil }
    return seconds
  }

  /// Reads a point in time such as `2026-11-23T17:00:00.5Z`, in seconds since 1970. Without a time zone, it is in UTC.
  static func secondsSince1970(_ text: String) -> Double? {
    guard (19...40).contains(text.utf8.count) else { return nil }
    let bytes = Array(text.utf8)
    guard bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"), bytes[10] == UInt8(ascii: "T"),
      bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"), let year = number(bytes[0..<4], 1970...2200),
      let month = number(bytes[5..<7], 1...12), let day = number(bytes[8..<10], 1...31),
      let hours = number(bytes[11..<13], 0...24), let minutes = number(bytes[14..<16], 0...59),
      let seconds = number(bytes[17..<19], 0...60)
    else { return nil }
    let time = CalendarDate.days(year, month, day) * 86_400 + hours * 3_600 + minutes * 60 + seconds
    let fraction = bytes[19...].prefix { $0 == UInt8(ascii: ".") || (0x30...0x39).contains($0) }
    guard let offset = zone(bytes[(19 + fraction.count)...]) else { return nil }
    return Double(time - offset) + (fraction.isEmpty ? 0 : Double("0" + String(decoding: fraction, as: UTF8.self)) ?? 0)
  }

  /// Reads a time zone, `Z` or `±HH:MM`, in seconds east of UTC.
  private static func zone(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard let sign = bytes.first, sign != UInt8(ascii: "Z") else { return bytes.count <= 1 ? 0 : nil }
    let digits = bytes.dropFirst().filter { $0 != UInt8(ascii: ":") }
    guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"), digits.count == 4,
      let hours = number(digits[0..<2], 0...23), let minutes = number(digits[2..<4], 0...59)
    else { return nil }
    return (hours * 3_600 + minutes * 60) * (sign == UInt8(ascii: "-") ? -1 : 1)
  }

  private static func number(_ digits: ArraySlice<UInt8>, _ range: ClosedRange<Int>) -> Int? {
    guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(String(decoding: digits, as: UTF8.self)).flatMap { range.contains($0) ? $0 : nil }
  }
}
