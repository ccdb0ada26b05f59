internal import SegueUnicode

/// The first line of a screen: its name, facts about its contents, and the modes of playback on the right.
enum TitleLine {
  /// Draws the line. `tabs` are the names of the tabs, of which the selected one is emphasized. If there is no room for
  /// all tabs, those far from the selected one are left out.
  static func draw(
    _ frame: inout TerminalFrame, _ title: String, _ facts: String, tabs: [String] = [], selected: Int = 0,
    _ state: SharedState
  ) {
    let appearance = state.appearance
    let columns = frame.grid.size.columns
    var column = 1
    column += frame.grid.write(
      title, row: 0, column: column, width: columns - 2, look: appearance.look(.highlight, .bold),
      ellipsis: appearance.ellipsis)
    column += tabs.isEmpty ? 2 : 1
    column += drawTabs(&frame, tabs, selected, column: column, appearance)
    if !tabs.isEmpty { column += 1 }
    // Beside tabs, a part of the facts would look like one of them.
    if tabs.isEmpty || column + DisplayWidth.of(facts) < columns {
      column += frame.grid.write(
        facts, row: 0, column: column, width: columns - 1 - column, look: .dim, ellipsis: appearance.ellipsis)
    }
    guard let status = state.status else { return }
    let modes = PlaybackMessages.modes(status, at: state.now, dot: appearance.dot)
    if column + 2 + modes.count < columns { frame.grid.write(modes, row: 0, endingAt: columns - 1, look: .dim) }
  }

  /// Draws the tabs and returns the number of columns that they take. An ellipsis stands for those that are left out on
  /// a side; a click on it selects the next one of these.
  private static func drawTabs(
    _ frame: inout TerminalFrame, _ tabs: [String], _ selected: Int, column: Int, _ appearance: Appearance
  ) -> Int {
    let end = frame.grid.size.columns
    // A screen reader does not read emphasis.
    let brackets = appearance.isPlain ? selected : nil
    var widths = widths(of: tabs, spaces: 2, brackets: brackets)
    let isNarrow = widths.reduce(0, +) > end - column
    if isNarrow { widths = Self.widths(of: tabs, spaces: 1, brackets: brackets) }
    // Behind a tab without a space, the ellipsis would look like a part of its name.
    let ellipses = (before: appearance.ellipsis, after: (isNarrow ? " " : "") + appearance.ellipsis)
    let visible = visibleTabs(widths, selected, width: end - column, ellipses: ellipses)
    var next = column
    func draw(_ text: String, _ tab: Int, width: Int, _ look: Look) {
      frame.grid.write(text, row: 0, column: next, width: end - next, look: look)
      frame.addTarget(.tab(tab), Area(row: 0, column: next, rows: 1, columns: width))
      next += width
    }
    func draw(ellipsis: String, _ tab: Int) { draw(ellipsis, tab, width: DisplayWidth.of(ellipsis), .dim) }
    if visible.lowerBound > 0 { draw(ellipsis: ellipses.before, visible.lowerBound - 1) }
    for index in visible {
      let name = Area(row: 0, column: next + 1, rows: 1, columns: DisplayWidth.of(tabs[index]))
      draw(index == brackets ? "[\(tabs[index])]" : " \(tabs[index])", index, width: widths[index], .plain)
      let look = index == selected ? appearance.look(.highlight, [.bold, .underlined]) : .dim
      frame.grid.restyle(name) { $0 = look }
    }
    if visible.upperBound < tabs.count { draw(ellipsis: ellipses.after, visible.upperBound) }
    return next - column + (isNarrow ? 1 : 0)
  }

  /// Returns the columns that each tab takes, with spaces or brackets around its name. Of two spaces, one stands behind
  /// the name.
  private static func widths(of tabs: [String], spaces: Int, brackets: Int?) -> [Int] {
    tabs.enumerated().map { DisplayWidth.of($1) + ($0 == brackets ? 2 : spaces) }
  }

  /// Returns the tabs for which there is room, among them the selected one, and as many before it as possible.
  private static func visibleTabs(
    _ widths: [Int], _ selected: Int, width: Int, ellipses: (before: String, after: String)
  ) -> Range<Int> {
    guard widths.indices.contains(selected) else { return 0..<0 }
    let (before, after) = (DisplayWidth.of(ellipses.before), DisplayWidth.of(ellipses.after))
    func columns(_ range: Range<Int>) -> Int {
      let sides = (range.lowerBound > 0 ? before : 0) + (range.upperBound < widths.count ? after : 0)
      return widths[range].reduce(sides, +)
    }
    var range = selected..<selected + 1
    while range.lowerBound > 0, columns(range.lowerBound - 1..<range.upperBound) <= width {
      range = range.lowerBound - 1..<range.upperBound
    }
    while range.upperBound < widths.count, columns(range.lowerBound..<range.upperBound + 1) <= width {
      range = range.lowerBound..<range.upperBound + 1
    }
    return range
  }
}
