internal import SegueWire

/// The first line of a screen: its name, facts about its contents, and the modes of playback on the right.
enum TitleLine {
  static func draw(_ frame: inout Frame, _ title: String, _ facts: String, _ state: SharedState) {
    let appearance = state.appearance
    let columns = frame.grid.size.columns
    var column = 1
    column += frame.grid.write(title, row: 0, column: column, width: columns - 2, look: .bold) + 2
    column += frame.grid.write(
      facts, row: 0, column: column, width: columns - 1 - column, look: .dim, ellipsis: appearance.ellipsis)
    guard let status = state.status else { return }
    let modes = PlaybackMessages.modes(status, dot: appearance.dot)
    if column + 2 + modes.count < columns { frame.grid.write(modes, row: 0, endingAt: columns - 1, look: .dim) }
  }
}
