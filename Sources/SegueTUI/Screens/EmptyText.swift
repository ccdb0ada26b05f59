internal import SegueClientKit

/// The text in place of the rows of an empty list: why there are none, and what would help.
enum EmptyText {
  /// Draws sentences, which are wrapped, into the area of the list. The first sentence is emphasized.
  static func draw(_ frame: inout TerminalFrame, _ sentences: [String], in area: Area, _ state: SharedState) {
    let columns = max(1, area.columns - 6)
    let lines = sentences.enumerated().flatMap { index, sentence in
      sentence.visible.wrapped(to: columns).map { (text: $0, look: index == 0 ? Look.plain : .dim) }
    }
    for (number, line) in lines.prefix(area.rows).enumerated() {
      let isCut = number == area.rows - 1 && lines.count > area.rows
      frame.grid.write(
        isCut ? line.text.abbreviated(to: columns, ellipsis: state.appearance.ellipsis) : line.text,
        row: area.row + number, column: area.column + 4, look: line.look)
    }
  }
}
