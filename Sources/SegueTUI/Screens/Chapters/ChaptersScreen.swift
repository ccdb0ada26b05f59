internal import SegueClientKit
internal import SegueSystem
internal import SegueWire

/// The chapters of the current track, of which Enter plays one.
struct ChaptersScreen: Screen {
  private var scrolling = ListScrolling()
  /// The URI of the track whose chapters are listed.
  private let uri: String

  init(_ state: SharedState) {
    uri = state.status?.track?.uri ?? ""
    scrolling.center(on: state.chapter?.index ?? 0)
  }

  let commands: [Command] =
    [.open, .back] + Command.navigation + Command.playback + Command.everywhere
  let hints: [Command] = [.open, .toggle, .previous, .next, .back, .help]

  private func chapters(_ state: SharedState) -> [Chapter] { state.chapters.value(for: uri) ?? [] }

  func reasonDisabled(_ command: Command, _ state: SharedState) -> String? {
    guard command == .open else { return nil }
    return state.status?.track?.uri == uri ? nil : tr("Another track is played now.")
  }

  mutating func perform(_ command: Command, _ state: SharedState) -> [Action] {
    let chapters = chapters(state)
    if scrolling.perform(command, count: chapters.count) { return [] }
    guard command == .open, chapters.indices.contains(scrolling.focus) else { return [] }
    return [.call(.seek(to: chapters[scrolling.focus].start)), .back]
  }

  mutating func click(row: Int, isDouble: Bool, _ state: SharedState) -> [Action] {
    scrolling.focus(on: row)
    return isDouble && reasonDisabled(.open, state) == nil ? perform(.open, state) : []
  }

  mutating func scroll(by rows: Int, _ state: SharedState) -> [Action] {
    scrolling.scroll(by: rows, count: chapters(state).count)
    return []
  }

  mutating func fit(_ state: SharedState) { scrolling.fit(count: chapters(state).count, height: height(state)) }

  private func height(_ state: SharedState) -> Int { max(1, state.size.rows - 4) }

  func draw(_ frame: inout TerminalFrame, _ state: SharedState) {
    let chapters = chapters(state)
    let columns = state.size.columns
    TitleLine.draw(
      &frame, tr("Chapters"), trn("1 chapter", "%1$d chapters", chapters.count), state)
    let current = state.status?.track?.uri == uri ? state.chapter?.index : nil
    let digits = String(chapters.count).utf8.count
    for (line, chapter) in chapters.dropFirst(scrolling.top).prefix(height(state)).enumerated() {
      let (row, index) = (2 + line, scrolling.top + line)
      let isCurrent = index == current
      let look = isCurrent ? state.appearance.look(.accent, .bold) : .plain
      if isCurrent { frame.grid.write(state.symbol, row: row, column: 1, look: look) }
      frame.grid.write(String(index + 1), row: row, endingAt: 3 + digits, look: .dim)
      let start = chapter.start.clock
      frame.grid.write(
        ChapterMessages.title(chapter, index), row: row, column: 5 + digits,
        width: columns - 5 - digits - start.utf8.count - 3, look: look, ellipsis: state.appearance.ellipsis)
      frame.grid.write(start, row: row, endingAt: columns - 1)
      let area = Area(row: row, column: 0, rows: 1, columns: columns)
      if index == scrolling.focus {
        frame.grid.restyle(area) { $0.emphasis.insert(.reversed) }
        frame.cursor = Position(row: row, column: 0)
      }
      frame.addTarget(.row(index), area)
    }
  }
}

/// The messages about chapters.
enum ChapterMessages {
  static var none: String { tr("This track has no chapters.") }

  /// Returns the title of a chapter, or its number.
  static func title(_ chapter: Chapter, _ index: Int) -> String {
    chapter.title.isEmpty ? tr("Chapter %1$d", index + 1) : chapter.title.visible
  }

  /// Returns the line about the current chapter.
  static func place(_ chapter: Chapter, _ index: Int, of count: Int) -> String {
    chapter.title.isEmpty
      ? tr("Chapter %1$d of %2$d", index + 1, count)
      : tr("Chapter %1$d of %2$d: %3$s", index + 1, count, chapter.title.visible)
  }
}
