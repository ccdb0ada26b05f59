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
    let visible = visibleTabs(tabs, selected, width: end - column, ellipsis: DisplayWidth.of(appearance.ellipsis))
    var next = column
    func draw(_ text: String, _ tab: Int, _ look: Look) {
      let width = frame.grid.write(text, row: 0, column: next, width: end - next, look: look)
      frame.addTarget(.tab(tab), Area(row: 0, column: next, rows: 1, columns: width))
      next += width
    }
    if visible.lowerBound > 0 { draw(appearance.ellipsis, visible.lowerBound - 1, .dim) }
    for index in visible {
      let isSelected = index == selected
      let look = isSelected ? appearance.look(.highlight, [.bold, .underlined]) : .dim
      // A screen reader does not read emphasis.
      let (open, close) = isSelected && appearance.isPlain ? ("[", "]") : (" ", " ")
      let column = next
      draw("\(open)\(tabs[index])\(close)", index, .plain)
      frame.grid.restyle(Area(row: 0, column: column + 1, rows: 1, columns: max(0, next - column - 2))) { $0 = look }
    }
    if visible.upperBound < tabs.count { draw(appearance.ellipsis, visible.upperBound, .dim) }
    return next - column
  }

  /// Returns the tabs for which there is room, among them the selected one, and as many before it as possible.
  private static func visibleTabs(_ tabs: [String], _ selected: Int, width: Int, ellipsis: Int) -> Range<Int> {
    guard tabs.indices.contains(selected) else { return 0..<0 }
    func columns(_ range: Range<Int>) -> Int {
      range.reduce((range.lowerBound > 0 ? ellipsis : 0) + (range.upperBound < tabs.count ? ellipsis : 0)) {
        $0 + DisplayWidth.of(tabs[$1]) + 2
      }
    }
    var range = selected..<selected + 1
    while range.lowerBound > 0, columns(range.lowerBound - 1..<range.upperBound) <= width {
      range = range.lowerBound - 1..<range.upperBound
    }
    while range.upperBound < tabs.count, columns(range.lowerBound..<range.upperBound + 1) <= width {
      range = range.lowerBound..<range.upperBound + 1
    }
    return range
  }
}
