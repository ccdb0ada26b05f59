internal import SegueClientKit
internal import SegueSystem
internal import SegueUnicode
internal import SegueWire

/// The help: all commands of the screen before, which can be searched and performed.
struct HelpScreen: Screen {
  /// A command with its keys, and why it cannot be performed now.
  private struct Entry {
    /// The command that Enter performs; nil if the displayed tab has no such command.
    let command: Command?
    let keys: String
    let summary: String
    let reasonDisabled: String?
    /// The text that is searched, in lower case.
    let searchText: String

    /// Creates an entry about a command, for which Enter performs `command`.
    init(of described: Command, performing command: Command?, keys: [Key], summary: String, reasonDisabled: String?) {
      self.command = command
      self.keys = keys.map(\.label).joined(separator: ", ")
      self.summary = summary
      self.reasonDisabled = reasonDisabled
      searchText = "\(self.keys) \(described.rawValue) \(described.label) \(summary)".lowercased()
    }
  }

  /// The commands of the screen before.
  private let entries: [Entry]
  /// The commands that a search shows, too: those of other tabs of the screen, and those of other screens. Each of the
  /// latter leads to its screen.
  private let others: [Entry]
  /// The entries that are shown.
  private var found: [Entry]
  private var field = TextField()
  private var scrolling = ListScrolling()

  /// Creates the help for a screen.
  init(_ screen: any Screen, _ bindings: KeyBindings, _ state: SharedState) {
    entries = screen.commands.filter { $0 != .help }.map { command in
      let reason =
        Command.playback.contains(command)
        ? PlaybackCommands.reasonDisabled(command, state) : screen.reasonDisabled(command, state)
      return Entry(
        of: command, performing: command, keys: bindings.keys(for: command, among: screen.commands),
        summary: command.summary, reasonDisabled: reason)
    }
    others = Self.others(screen, bindings)
    found = entries
  }

  /// Returns an entry for every command that `screen` does not have now: those of another tab or view, and then those
  /// of the first other screen that has them.
  private static func others(_ screen: any Screen, _ bindings: KeyBindings) -> [Entry] {
    var known = Set(screen.commands)
    // A screen without tabs has none in any view.
    known.formUnion([.nextTab, .previousTab])
    var entries: [Entry] = []
    for command in screen.possibleCommands where known.insert(command).inserted {
      entries.append(
        Entry(
          of: command, performing: nil, keys: bindings.keys(for: command, among: screen.possibleCommands),
          summary: command.summary, reasonDisabled: HelpMessages.inAnotherView))
    }
    known = Set(screen.possibleCommands)
    for show in Command.screens {
      guard
        let other: any Screen = show == .showQueue
          ? ListScreen() : show == .showPlayer ? PlayerScreen() : show.mainScreen?()
      else { continue }
      for command in other.possibleCommands where known.insert(command).inserted {
        entries.append(
          Entry(
            of: command, performing: show, keys: bindings.keys(for: command, among: other.possibleCommands),
            summary: HelpMessages.elsewhere(bindings.named(show), command.summary), reasonDisabled: nil))
      }
    }
    return entries
  }

  let commands: [Command] = [.open, .back] + Command.navigation + [.redraw, .suspend, .quit]
  let hints: [Command] = []
  let takesText = true

  /// Shows the entries that contain each word of the text.
  private mutating func search() {
    let words = field.text.lowercased().split(separator: " ").map(String.init)
    found = (words.isEmpty ? entries : entries + others).filter { entry in
      words.allSatisfy(entry.searchText.containsSubstring)
    }
    scrolling = ListScrolling()
  }

  mutating func perform(_ command: Command, _ state: SharedState) -> [Action] {
    if scrolling.perform(command, count: found.count) { return [] }
    guard command == .open, found.indices.contains(scrolling.focus) else { return [] }
    let entry = found[scrolling.focus]
    guard let command = entry.command else {
      return [.showMessage(.information(entry.reasonDisabled ?? entry.summary))]
    }
    return [.backAndPerform(command)]
  }

  mutating func type(_ key: Key, _ state: SharedState) -> [Action]? {
    switch key.code {
    case .escape: return [.back]
    case .enter, .up, .down, .pageUp, .pageDown, .tab, .function: return nil
    case .character where key.modifiers.contains(.control): return nil
    default: break
    }
    guard field.handle(key) else { return nil }
    search()
    return []
  }

  mutating func paste(_ text: String, _ state: SharedState) -> [Action] {
    field.insert(text)
    search()
    return []
  }

  mutating func click(row: Int, isDouble: Bool, _ state: SharedState) -> [Action] {
    scrolling.focus(on: row)
    return isDouble ? perform(.open, state) : []
  }

  mutating func scroll(by rows: Int, _ state: SharedState) -> [Action] {
    scrolling.scroll(by: rows, count: found.count)
    return []
  }

  mutating func fit(_ state: SharedState) {
    let flow = flow(state)
    scrolling.fit(count: found.count, height: flow.maximum, capacity: flow.capacity)
  }

  func nextChange(_ state: SharedState) -> MonotonicTime? { nil }

  // MARK: The view

  /// The columns that keys and a description need.
  private static let minimumColumns = 92

  private func flow(_ state: SharedState) -> RowFlow {
    let rows = max(1, state.size.rows - 5 - statusText(state).rowsAbove)
    return RowFlow(
      Area(row: 3, column: 0, rows: rows, columns: state.size.columns), count: found.count,
      minimumColumns: Self.minimumColumns)
  }

  func draw(_ frame: inout TerminalFrame, _ state: SharedState) {
    let columns = state.size.columns
    let ellipsis = state.appearance.ellipsis
    let usage = 1 + frame.grid.write(tr("Keys"), row: 0, column: 1, look: .bold) + 2
    frame.grid.write(
      HelpMessages.usage, row: 0, column: usage, width: columns - usage - 1, look: .dim, ellipsis: ellipsis)
    let start = 1 + frame.grid.write(tr("Search:"), row: 1, column: 1, look: .dim) + 1
    frame.write(field, row: 1, column: start, width: columns - start - 1)
    if found.isEmpty { frame.grid.write(HelpMessages.nothing, row: 3, column: 3, look: .dim) }
    let widest = (entries + others).map { DisplayWidth.of($0.keys) }.max() ?? 0
    for line in flow(state).lines(from: scrolling.top) {
      guard case .row(let index) = line.content else { continue }
      let (area, entry) = (line.area, found[index])
      let keyWidth = min(widest, area.columns / 3)
      frame.grid.write(
        entry.keys, row: area.row, column: area.column + 1, width: keyWidth, look: .bold, ellipsis: ellipsis)
      let text = entry.reasonDisabled == nil ? entry.summary : tr("Not now: %1$s", entry.summary)
      frame.grid.write(
        text, row: area.row, column: area.column + keyWidth + 3, width: area.columns - keyWidth - 4,
        look: entry.reasonDisabled == nil ? .plain : .dim, ellipsis: ellipsis)
      if index == scrolling.focus { frame.grid.restyle(area) { $0.emphasis.insert(.reversed) } }
      frame.addTarget(.row(index), area)
    }
  }

  func drawStatus(_ frame: inout TerminalFrame, row: Int, _ state: SharedState) {
    statusText(state).draw(&frame, row: row, .bold)
  }

  /// The status line says why the focused command cannot be performed, or describes it, because it may be truncated
  /// above.
  private func statusText(_ state: SharedState) -> StatusText {
    let entry = found.indices.contains(scrolling.focus) ? found[scrolling.focus] : nil
    return StatusText(entry.map { $0.reasonDisabled ?? $0.summary } ?? "", usesLastLine: true, state)
  }
}

/// The messages of the help.
enum HelpMessages {
  static var usage: String { tr("Enter: perform, Esc: back.") }
  static var inAnotherView: String { tr("The command has a function only in another tab or view of this screen.") }
  static var nothing: String { tr("No command contains this text.") }

  /// Returns the description of a command that only another screen has.
  static func elsewhere(_ screen: String, _ summary: String) -> String { tr("In %1$s: %2$s", screen, summary) }
}
