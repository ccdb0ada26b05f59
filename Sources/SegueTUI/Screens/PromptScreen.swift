internal import SegueSystem

/// A screen on which something is typed or chosen, in a box above the screen before. Keys belong to the text; `Model`
/// performs the few commands that there are.
protocol PromptScreen: Screen {
  /// The title of the box.
  var title: String { get }
  /// The sentences that say what keys do.
  var usage: String { get }

  /// Returns the number of rows of the contents. On a low screen, the box has fewer.
  func rows(_ state: SharedState) -> Int
  /// Draws the contents into the area in the box.
  func draw(_ frame: inout TerminalFrame, in area: Area, _ state: SharedState)
}

extension PromptScreen {
  var commands: [Command] { [.back, .redraw, .suspend, .quit] }
  var hints: [Command] { [] }
  var takesText: Bool { true }

  mutating func perform(_ command: Command, _ state: SharedState) -> [Action] { [] }

  /// The box around the contents.
  func box(_ state: SharedState) -> PromptBox { PromptBox(title, rows: rows(state), usage: usage, state) }

  func draw(_ frame: inout TerminalFrame, _ state: SharedState) {
    let box = box(state).beside(frame.pictures, state.size)
    box.draw(&frame, state)
    draw(&frame, in: box.contents, state)
  }

  func drawStatus(_ frame: inout TerminalFrame, row: Int, _ state: SharedState) {
    box(state).drawStatus(&frame, row: row, state)
  }

  func nextChange(_ state: SharedState) -> MonotonicTime? { nil }
}

extension Area {
  /// The area of a row in a box with a column more at each side, as that of a focused row.
  var widened: Area { Area(row: row, column: column - 1, rows: rows, columns: columns + 2) }
}

extension TerminalFrame {
  /// Writes a label and the text field after it into the first row of an area. Returns the first column of the field.
  @discardableResult
  mutating func write(_ label: String, _ field: TextField, in line: Area) -> Int {
    let used = 1 + grid.write(label, row: line.row, column: line.column, width: line.columns - 5)
    write(field, row: line.row, column: line.column + used, width: line.columns - used)
    return line.column + used
  }
}
