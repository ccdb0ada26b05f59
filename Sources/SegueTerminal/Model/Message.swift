internal import SegueFrontend
internal import SegueSystem

/// A message of one line about the last action.
struct Message: Equatable {
  enum Kind: Equatable {
    case information
    case failure
  }

  let kind: Kind
  let text: String

  static func information(_ text: String) -> Message { Message(kind: .information, text: text) }
  static func failure(_ text: String) -> Message { Message(kind: .failure, text: text) }

  /// Draws the message into the status line. A long one covers lines above it, too, and hides the pictures there.
  func draw(_ frame: inout Frame, endingAt last: Int, _ state: SharedState) {
    let look = kind == .failure ? state.appearance.look(.red, .bold) : Look.bold
    let lines = lines(columns: state.size.columns).prefix(3)
    frame.removePictures(below: last - lines.count)
    for (index, line) in lines.enumerated() { draw(line, &frame, row: last - lines.count + 1 + index, look) }
  }

  /// Draws the message below the first line of a screen that is too small for more, or over that line if it is the only one.
  func drawSmall(_ frame: inout Frame) {
    let first = min(1, frame.grid.size.rows - 1)
    let lines = lines(columns: frame.grid.size.columns).prefix(frame.grid.size.rows - first)
    for (index, line) in lines.enumerated() { draw(line, &frame, row: first + index, .plain) }
  }

  private func lines(columns: Int) -> [String] {
    ((kind == .failure ? "! " : "") + text).visible.wrapped(to: max(1, columns - 2))
  }

  private func draw(_ line: String, _ frame: inout Frame, row: Int, _ look: Look) {
    frame.grid.write(String(repeating: " ", count: frame.grid.size.columns), row: row, column: 0)
    frame.grid.write(line, row: row, column: 1, look: look)
  }
}
