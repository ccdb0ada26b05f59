internal import SegueUnicode

/// The last line, which shows the keys of the screen. A click on a name performs the command.
enum KeyLine {
  static func draw(_ frame: inout Frame, row: Int, _ screen: any Screen, _ bindings: KeyBindings) {
    let end = frame.grid.size.columns - 1
    var column = 1
    for command in screen.hints {
      guard let key = key(of: command, on: screen, bindings) else { continue }
      let width = DisplayWidth.of(key) + 1 + DisplayWidth.of(command.label)
      // The key of the help is last and always fits, because room is kept for it.
      let reserved = command == .help ? 0 : 8
      guard column + width <= end - reserved else { continue }
      let area = Area(row: row, column: column, rows: 1, columns: width)
      column += frame.grid.write(key, row: row, column: column, look: .bold)
      column += 1 + frame.grid.write(command.label, row: row, column: column + 1, look: .dim)
      column += 2
      frame.addTarget(.command(command), area)
    }
  }

  /// Returns the first key that performs the command on the screen.
  static func key(of command: Command, on screen: any Screen, _ bindings: KeyBindings) -> String? {
    bindings.keys(for: command, among: screen.commands).first?.name
  }
}

/// The view of a terminal that is too small for screens: the current track in one line.
enum SmallView {
  static func draw(_ frame: inout Frame, _ state: SharedState) {
    guard frame.grid.size.rows > 0 else { return }
    PlaybackLine.draw(&frame, row: 0, state)
    frame.cursor = Position(row: 0, column: 0)
  }
}
