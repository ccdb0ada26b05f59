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
    let columns = state.size.columns
    let lines = ((kind == .failure ? "! " : "") + text).visible.wrapped(to: columns - 2).prefix(3)
    frame.removePictures(below: last - lines.count)
    for (index, line) in lines.enumerated() {
      let row = last - lines.count + 1 + index
      frame.grid.write(String(repeating: " ", count: columns), row: row, column: 0)
      frame.grid.write(line, row: row, column: 1, look: look)
    }
  }
}
