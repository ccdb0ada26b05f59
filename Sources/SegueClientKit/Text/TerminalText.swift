internal import SegueSystem
internal import SegueUnicode

extension String {
  /// Returns the text truncated to at most `columns` columns. Truncated text ends with `ellipsis`.
  public func truncated(to columns: Int, ellipsis: String) -> String {
    if utf8.count <= columns || DisplayWidth.of(self) <= columns { return self }
    let available = columns - DisplayWidth.of(ellipsis)
    guard available >= 0 else { return String(repeating: ".", count: max(columns, 0)) }
    var used = 0
    var kept = ""
    for glyph in self {
      used += DisplayWidth.of(glyph)
      if used > available { break }
      kept.append(glyph)
    }
    return kept + ellipsis
  }

  /// Returns the text in lines of at most `columns` columns. Lines are broken at spaces, or within words that are
  /// longer than a line. Every space is kept except those at which a line is broken.
  public func wrapped(to columns: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    var used = 0
    for (index, word) in split(separator: " ", omittingEmptySubsequences: false).enumerated() {
      if index > 0 {
        if used + 1 + DisplayWidth.of(String(word)) <= columns {
          line += " "
          used += 1
        } else {
          lines.append(line)
          (line, used) = ("", 0)
        }
      }
      for glyph in word {
        let width = DisplayWidth.of(glyph)
        if used > 0, used + width > columns {
          lines.append(line)
          (line, used) = ("", 0)
        }
        line.append(glyph)
        used += width
      }
    }
    return used > 0 ? lines + [line] : lines
  }

  /// Returns the first lines of the wrapped text, at most `rows`. If there are more, the last one ends with `ellipsis`.
  public func wrapped(to columns: Int, rows: Int, ellipsis: String) -> [String] {
    let lines = wrapped(to: columns)
    guard lines.count > rows, rows > 0 else { return Array(lines.prefix(max(0, rows))) }
    return lines[..<(rows - 1)] + [lines[rows - 1].abbreviated(to: columns, ellipsis: ellipsis)]
  }

  /// Returns the text followed by an ellipsis, for which some of the text is left out if there is no room.
  public func abbreviated(to columns: Int, ellipsis: String) -> String {
    "\(self) \(ellipsis)".truncated(to: columns, ellipsis: ellipsis)
  }

  /// Returns the text truncated or padded with spaces on the right to exactly `columns` columns.
  public func padded(to columns: Int, ellipsis: String) -> String {
    let fitting = truncated(to: columns, ellipsis: ellipsis)
    return fitting + String(repeating: " ", count: max(0, columns - DisplayWidth.of(fitting)))
  }

  /// Returns the text padded with spaces on the left to at least `columns` columns.
  public func rightAligned(to columns: Int) -> String {
    String(repeating: " ", count: max(0, columns - DisplayWidth.of(self))) + self
  }
}

extension String {
  /// The text with visible replacements for everything that a terminal would interpret, because tags are not trusted:
  /// `^[` for an escape character, `<U+202E>` for a change of the writing direction. The result is always a single
  /// line.
  public var visible: String {
    guard unicodeScalars.contains(where: Self.isInterpreted) else { return self }
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      switch scalar.value {
      case 0..<0x20, 0x7F:
        result.append("^")
        result.append(Unicode.Scalar(UInt8(scalar.value ^ 0x40)))
      case 0x80..<0xA0, 0x2028...0x202E, 0x2066...0x2069:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        result.append(contentsOf: "<U+\(String(repeating: "0", count: 4 - digits.count))\(digits)>".unicodeScalars)
      default: result.append(scalar)
      }
    }
    return String(result)
  }

  /// Returns whether a terminal would interpret a scalar: control characters, line breaks and changes of direction.
  private static func isInterpreted(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}

extension String {
  /// Returns whether the text contains `part`.
  public func containsSubstring(_ part: String) -> Bool { part.isEmpty || range(of: part) != nil }
}
