internal import SegueUnicode

/// The last line, which shows the keys of the screen. A click on a name performs the command.
enum KeyLine {
  static func draw(_ frame: inout TerminalFrame, row: Int, _ screen: any Screen, _ state: SharedState) {
    let bindings = state.configuration.bindings
    let end = frame.grid.size.columns - 1
    var column = 1
    func width(_ command: Command, _ key: String) -> Int { DisplayWidth.of(key) + 1 + DisplayWidth.of(command.label) }
    // The key of the help is last, and room is kept for it.
    let helpKey = screen.hints.contains(.help) ? key(of: .help, on: screen, bindings) : nil
    let helpWidth = helpKey.map { width(.help, $0) + 2 } ?? 0
    for command in screen.hints {
      guard let key = key(of: command, on: screen, bindings) else { continue }
      let width = width(command, key)
      guard column + width <= end - (command == .help ? 0 : helpWidth) else { continue }
      let area = Area(row: row, column: column, rows: 1, columns: width)
      column += frame.grid.write(key, row: row, column: column, look: state.appearance.look(.highlight, .bold))
      column += 1 + frame.grid.write(command.label, row: row, column: column + 1, look: .dim)
      column += 2
      frame.addTarget(.command(command), area)
    }
  }

  /// Returns the first key that performs the command on the screen.
  static func key(of command: Command, on screen: any Screen, _ bindings: KeyBindings) -> String? {
    bindings.keys(for: command, among: screen.commands).first?.label
  }
}

/// The view of a terminal that is too small for screens: the current track in one line.
enum SmallView {
  static func draw(_ frame: inout TerminalFrame, _ state: SharedState) {
    guard frame.grid.size.rows > 0 else { return }
    PlaybackLine.draw(&frame, row: 0, state)
    frame.cursor = Position(row: 0, column: 0)
  }
}
