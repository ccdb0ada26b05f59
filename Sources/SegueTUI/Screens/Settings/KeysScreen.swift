internal import SegueClientKit
internal import SegueSystem
internal import SegueUnicode

/// The list of all commands with their keys, which are changed by pressing others.
struct KeysScreen: Screen {
  /// The purpose of the next key.
  private enum Capture {
    /// It replaces the keys of the command.
    case replace
    /// It is added to the keys of the command.
    case add
  }

  private var scrolling = ListScrolling()
  private var capture: Capture?

  let commands: [Command] =
    [.change, .addKey, .reset, .back] + Command.navigation + Command.playback
    + Command.everywhere
  var hints: [Command] { takesText ? [] : [.change, .addKey, .reset, .back, .help] }
  var takesText: Bool { capture != nil }

  private var focused: Command { Command.allCases[scrolling.focus] }

  func reasonDisabled(_ command: Command, _ state: SharedState) -> String? {
    command == .reset && !state.configuration.bindings.isChanged(focused)
      ? tr("The command has its default keys already.") : nil
  }

  mutating func perform(_ command: Command, _ state: SharedState) -> [Action] {
    if scrolling.perform(command, count: Command.allCases.count) { return [] }
    switch command {
    case .change: capture = .replace
    case .addKey: capture = .add
    case .reset: return set(nil, state)
    default: break
    }
    return []
  }

  mutating func type(_ key: Key, _ state: SharedState) -> [Action]? {
    guard let capture else { return nil }
    self.capture = nil
    if key == Key(code: .escape) { return [] }
    switch capture {
    case .replace: return set([key], state)
    case .add: return set(state.configuration.bindings.keys(for: focused).filter { $0 != key } + [key], state)
    }
  }

  /// Sets the keys of the focused command, unless one of them belongs to a command whose keys were changed before. Nil
  /// stands for the default keys.
  private func set(_ keys: [Key]?, _ state: SharedState) -> [Action] {
    let command = focused
    var configuration = state.configuration
    let change = ConfigurationChange.keys(command, keys)
    change.apply(to: &configuration)
    let set = configuration.bindings.keys(for: command)
    var message = KeysMessages.saved(command, set)
    for conflict in configuration.bindings.conflicts(of: command) {
      switch conflict {
      case .taken(let key, let other, let screen):
        return [.showMessage(.failure(KeysMessages.taken(key, by: other, on: screen)))]
      case .lost(let key, let other, let screen): message = KeysMessages.lost(key, by: other, on: screen)
      }
    }
    return [.configure(change), .showMessage(.information(message))]
  }

  mutating func click(row: Int, isDouble: Bool, _ state: SharedState) -> [Action] {
    capture = nil
    scrolling.focus(on: row)
    return isDouble ? perform(.change, state) : []
  }

  mutating func scroll(by rows: Int, _ state: SharedState) -> [Action] {
    capture = nil
    scrolling.scroll(by: rows, count: Command.allCases.count)
    return []
  }

  mutating func fit(_ state: SharedState) {
    let flow = flow(state)
    scrolling.fit(count: Command.allCases.count, height: flow.maximum, capacity: flow.capacity)
  }

  // MARK: The view

  /// The columns that a command and its keys need.
  private static let minimumColumns = 60

  private func flow(_ state: SharedState) -> RowFlow {
    let rows = max(1, state.size.rows - 4 - statusText(state).rowsAbove)
    return RowFlow(
      Area(row: 2, column: 0, rows: rows, columns: state.size.columns), count: Command.allCases.count,
      minimumColumns: Self.minimumColumns)
  }

  func draw(_ frame: inout TerminalFrame, _ state: SharedState) {
    TitleLine.draw(&frame, KeysMessages.title, "", state)
    let ellipsis = state.appearance.ellipsis
    let bindings = state.configuration.bindings
    for line in flow(state).lines(from: scrolling.top) {
      guard case .row(let index) = line.content else { continue }
      let (area, command) = (line.area, Command.allCases[index])
      let labelWidth = min(18, area.columns / 3)
      let keys = bindings.keys(for: command).map(\.label).joined(separator: ", ")
      let mark = bindings.isChanged(command) ? tr("changed") : ""
      frame.grid.write(command.label, row: area.row, column: area.column + 3, width: labelWidth, ellipsis: ellipsis)
      let column = area.column + labelWidth + 5
      let right = area.column + area.columns - 1
      let end = right - (mark.isEmpty ? 0 : DisplayWidth.of(mark) + 2)
      frame.grid.write(
        keys.isEmpty ? KeysMessages.none : keys, row: area.row, column: column, width: end - column, look: .bold,
        ellipsis: ellipsis)
      frame.grid.write(mark, row: area.row, endingAt: right, look: .dim)
      if index == scrolling.focus {
        frame.grid.restyle(area) { $0.emphasis.insert(.reversed) }
        frame.cursor = Position(row: area.row, column: area.column)
      }
      frame.addTarget(.row(index), area)
    }
  }

  func drawStatus(_ frame: inout TerminalFrame, row: Int, _ state: SharedState) {
    statusText(state).draw(&frame, row: row, capture == nil ? .dim : .bold)
  }

  /// The status line describes the focused command, or asks for a key.
  private func statusText(_ state: SharedState) -> StatusText {
    let text =
      switch capture {
      case .replace: tr("Press the new key of “%1$s”. Esc keeps the old one.", focused.label)
      case .add: tr("Press another key for “%1$s”. Esc adds none.", focused.label)
      case nil: focused.summary
      }
    return StatusText(text, state)
  }

  func nextChange(_ state: SharedState) -> MonotonicTime? { nil }
}
