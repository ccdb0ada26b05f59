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

  /// Cut or filled with blanks on the right to exactly `columns`.
  func padded(to columns: Int, mark: String) -> String {
    let fitting = cut(to: columns, mark: mark)
    return fitting + String(repeating: " ", count: max(0, columns - Columns.of(fitting)))
  }

  /// Filled with blanks on the left to at least `columns`; for digits.
  func rightAligned(to columns: Int) -> String { String(repeating: " ", count: max(0, columns - utf8.count)) + self }
}
