internal import SegueClientKit
internal import SegueSystem
internal import SegueUnicode

/// The lines of lyrics in rows of a number of columns. Only the lines that are displayed are wrapped.
struct LyricsRows {
  /// A row of the wrapped text.
  struct Place: Comparable {
    var line = 0
    /// The row within the line.
    var row = 0

    static func < (a: Place, b: Place) -> Bool { (a.line, a.row) < (b.line, b.row) }
  }

  let lines: [Substring]
  let columns: Int

  /// Creates the text. There is at least one line, which may be empty.
  init(_ lines: [Substring], columns: Int) {
    self.lines = lines.isEmpty ? [""] : lines
    self.columns = max(1, columns)
  }

  /// Returns the rows of a line. An empty line has one.
  private func rows(of line: Int) -> [String] {
    let rows = UnicodeNormalization.composed(String(lines[line])).visible.wrapped(to: columns)
    return rows.isEmpty ? [""] : rows
  }

  /// Returns the place a number of rows after another one, or before it if the number is negative. It is the first or
  /// the last one if there are no more.
  private func place(_ place: Place, movedBy count: Int) -> Place {
    var (line, row) = (place.line.clamped(to: 0...(lines.count - 1)), place.row + count)
    while row < 0, line > 0 {
      line -= 1
      row += rows(of: line).count
    }
    while true {
      let rows = rows(of: line).count
      guard row >= rows, line + 1 < lines.count else {
        return Place(line: line, row: row.clamped(to: 0...(rows - 1)))
      }
      line += 1
      row -= rows
    }
  }

  /// Returns the first row after scrolling by a number of rows. The last screen is full.
  func top(_ top: Place, scrolledBy count: Int, height: Int) -> Place {
    let end = Place(line: lines.count - 1, row: rows(of: lines.count - 1).count - 1)
    return min(place(top, movedBy: count), place(end, movedBy: 1 - height))
  }

  /// Returns the first row of a screen that shows all rows of a line, if it is high enough. The line stands above the
  /// middle, so that more of the lines to come are visible.
  func top(showing line: Int, height: Int) -> Place {
    let above = min(height / 3, max(0, height - rows(of: line).count))
    return top(Place(line: line), scrolledBy: -above, height: height)
  }

  /// A row of a screen.
  struct Row {
    let text: String
    let line: Int
    /// Whether it is the first row of the line.
    let isFirst: Bool
    /// Whether the last row of the line is on the screen, too.
    let isComplete: Bool
  }

  /// Returns the rows of a screen.
  func screen(from top: Place, height: Int) -> [Row] {
    var result: [Row] = []
    for line in lines.indices.dropFirst(top.line) {
      let rows = rows(of: line)
      let visible = rows.indices.dropFirst(line == top.line ? top.row : 0)
      let room = height - result.count
      for row in visible.prefix(room) {
        result.append(Row(text: rows[row], line: line, isFirst: row == 0, isComplete: visible.count <= room))
      }
      if result.count >= height { break }
    }
    return result
  }
}
