extension String {
  /// The text cut to at most `columns`, with `mark` for what is missing.
  func cut(to columns: Int, mark: String) -> String {
    if utf8.count <= columns || Columns.of(self) <= columns { return self }
    let room = columns - Columns.of(mark)
    guard room >= 0 else { return String(repeating: ".", count: max(columns, 0)) }
    var used = 0
    var kept = ""
    for glyph in self {
      used += Columns.of(glyph)
      if used > room { break }
      kept.append(glyph)
    }
    return kept + mark
  }

  /// The text in lines of at most `columns`, broken between words, and within a word that is longer than a line.
  /// Each blank between words is kept, except one at which a line is broken.
  func wrapped(to columns: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    var used = 0
    for (index, word) in split(separator: " ", omittingEmptySubsequences: false).enumerated() {
      if index > 0 {
        if used + 1 + Columns.of(String(word)) <= columns {
          line += " "
          used += 1
        } else {
          lines.append(line)
          (line, used) = ("", 0)
        }
      }
      for glyph in word {
        let width = Columns.of(glyph)
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

  /// Cut or filled with blanks on the right to exactly `columns`.
  func padded(to columns: Int, mark: String) -> String {
    let fitting = cut(to: columns, mark: mark)
    return fitting + String(repeating: " ", count: max(0, columns - Columns.of(fitting)))
  }

  /// Filled with blanks on the left to at least `columns`; for digits.
  func rightAligned(to columns: Int) -> String { String(repeating: " ", count: max(0, columns - utf8.count)) + self }
}
