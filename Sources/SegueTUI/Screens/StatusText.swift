internal import SegueClientKit

/// A text in the status line that says what keys do, or describes what is focused.
struct StatusText {
  private let lines: [String]
  /// Whether the last line of the screen, which has no names of keys then, is a part of the status line.
  private let usesLastLine: Bool

  /// Wraps a text. It has three lines at most.
  init(_ text: String, usesLastLine: Bool = false, _ state: SharedState) {
    lines = text.visible.wrapped(
      to: max(1, state.size.columns - 2), rows: 3, ellipsis: state.appearance.ellipsis)
    self.usesLastLine = usesLastLine
  }

  /// The number of rows above the status line that the text needs.
  var rowsAbove: Int { max(0, lines.count - (usesLastLine ? 2 : 1)) }

  /// Draws the text. `row` is that of the status line.
  func draw(_ frame: inout TerminalFrame, row: Int, _ look: Look) {
    for (index, line) in lines.enumerated() { frame.replaceRow(row - rowsAbove + index, with: line, look) }
  }
}
