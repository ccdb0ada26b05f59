internal import SegueSystem
internal import SegueWire

/// Functions that clean the texts of providers, which are not trusted.
enum CatalogText {
  /// Returns a text of one line: without control characters, with single spaces in place of white space, and not longer
  /// than `Metadata.maximumTextSize`; nil if nothing remains.
  static func line(_ text: String) -> String? {
    var line = String.UnicodeScalarView()
    var isSeparated = false
    // More than the limit is read, so that leading white space does not count.
    for scalar in text.truncated(to: 2 * Metadata.maximumTextSize).unicodeScalars {
      if scalar.isControl || scalar.properties.isWhitespace {
        isSeparated = !line.isEmpty
      } else {
        if isSeparated { line.append(" ") }
        isSeparated = false
        line.append(scalar)
      }
    }
    return line.isEmpty ? nil : String(line).truncated(to: Metadata.maximumTextSize)
  }

  /// Returns the date at the beginning of a text (ISO 8601: `YYYY`, `YYYY-MM` or `YYYY-MM-DD`, and possibly a time);
  /// nil if there is none. Whether the month has that many days is not checked.
  static func date(_ text: String) -> String? {
    let day = text.prefix { $0 != "T" && $0 != " " }
    let parts = day.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false).map(digits)
    guard (1...3).contains(parts.count), day.utf8.count == [4, 7, 10][parts.count - 1] else { return nil }
    for (part, range) in zip(parts, [1...9999, 1...12, 1...31]) {
      guard let part, range.contains(part) else { return nil }
    }
    return String(day)
  }

  /// Returns the year of a date that `date(_:)` has returned.
  static func year(ofDate date: String) -> Int? { Int(date.prefix(4)) }

  private static func digits(_ text: Substring.UTF8View) -> Int? {
    guard (2...4).contains(text.count), text.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return text.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }
}
