internal import SegueUnicode
internal import SegueWire

/// The first line of a screen: its name, facts about its contents, and the modes of playback on the right.
enum TitleLine {
  /// Draws the line. `tabs` are the names of the tabs, of which the selected one is in brackets. If there is no room for all
  /// tabs, the first ones are left out, so that the selected one is visible.
  static func draw(
    _ frame: inout Frame, _ title: String, _ facts: String, tabs: [String] = [], selected: Int = 0,
    _ state: SharedState
  ) {
    let appearance = state.appearance
    let columns = frame.grid.size.columns
    var column = 1
    column += frame.grid.write(
      title, row: 0, column: column, width: columns - 2, look: .bold, ellipsis: appearance.ellipsis)
    column += tabs.isEmpty ? 2 : 1
    let first = firstTab(tabs, selected, width: columns - column)
    for (index, tab) in tabs.enumerated().dropFirst(first) {
      let isSelected = index == selected
      let width = frame.grid.write(
        isSelected ? "[\(tab)]" : " \(tab) ", row: 0, column: column, look: isSelected ? .bold : .plain)
      frame.addTarget(.tab(index), Area(row: 0, column: column, rows: 1, columns: width))
      column += width
    }
    if !tabs.isEmpty { column += 1 }
    column += frame.grid.write(
      facts, row: 0, column: column, width: columns - 1 - column, look: .dim, ellipsis: appearance.ellipsis)
    guard let status = state.status else { return }
    let modes = PlaybackMessages.modes(status, dot: appearance.dot)
    if column + 2 + modes.count < columns { frame.grid.write(modes, row: 0, endingAt: columns - 1, look: .dim) }
  }

  /// Returns the index of the first tab that is displayed.
  private static func firstTab(_ tabs: [String], _ selected: Int, width: Int) -> Int {
    guard tabs.indices.contains(selected) else { return 0 }
    var first = selected
    var used = DisplayWidth.of(tabs[selected]) + 2
    while first > 0, used + DisplayWidth.of(tabs[first - 1]) + 2 <= width {
      first -= 1
      used += DisplayWidth.of(tabs[first]) + 2
    }
    return first
  }
}
