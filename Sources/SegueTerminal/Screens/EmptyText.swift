internal import SegueFrontend

/// The text in place of the rows of an empty list: why there are none, and what would help.
enum EmptyText {
  /// Draws sentences, which are wrapped, into the area of the list. The first line is emphasized.
  static func draw(_ frame: inout Frame, _ sentences: [String], in area: Area) {
    let lines = sentences.flatMap { $0.visible.wrapped(to: max(1, area.columns - 6)) }
    for (number, line) in lines.prefix(area.rows).enumerated() {
      frame.grid.write(line, row: area.row + number, column: area.column + 4, look: number == 0 ? .plain : .dim)
    }
  }
}
