internal import SegueClientKit

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

  /// Draws the message into the status line. A long one covers lines above it, too, up to half of the screen, and hides
  /// the pictures there.
  func draw(_ frame: inout TerminalFrame, endingAt last: Int, _ state: SharedState) {
    let look = kind == .failure ? state.appearance.look(.alert, .bold) : Look.bold
    let lines = displayedText.wrapped(
      to: max(1, state.size.columns - 2), rows: max(1, state.size.rows / 2), ellipsis: state.appearance.ellipsis)
    frame.removePictures(below: last - lines.count)
    for (index, line) in lines.enumerated() { frame.replaceRow(last - lines.count + 1 + index, with: line, look) }
  }

  /// Draws the message below the first line of a screen that is too small for more, or over that line if it is the only
  /// one.
  func drawSmall(_ frame: inout TerminalFrame) {
    let first = min(1, frame.grid.size.rows - 1)
    let lines = displayedText.wrapped(to: max(1, frame.grid.size.columns - 2)).prefix(frame.grid.size.rows - first)
    for (index, line) in lines.enumerated() { frame.replaceRow(first + index, with: line, .plain) }
  }

  private var displayedText: String { ((kind == .failure ? "! " : "") + text).visible }
}
