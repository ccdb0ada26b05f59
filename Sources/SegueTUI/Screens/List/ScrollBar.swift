internal import SegueSystem

/// The bar beside a list that is longer than the screen: its handle shows which part of the list is displayed, and the
/// mouse drags it.
enum ScrollBar {
  /// Returns the number of columns at the end of rows that the bar takes: 0 if there is none.
  static func columns(visible: Int, count: Int, _ state: SharedState) -> Int {
    count > visible && visible > 0 && !state.appearance.isPlain ? 1 : 0
  }

  /// Draws the bar into the last column of the area of a list of `count` items, of which `visible` from `top` on are
  /// displayed.
  static func draw(
    _ frame: inout TerminalFrame, _ area: Area, top: Int, visible: Int, count: Int, _ state: SharedState
  ) {
    guard columns(visible: visible, count: count, state) > 0, area.rows > 1 else { return }
    let length = min(area.rows - 1, max(1, area.rows * visible / count))
    // The handle touches an end only if the list is displayed to that end.
    let free = area.rows - length
    let place = Double(free) * Double(top) / Double(count - visible)
    let inner = free > 1 ? Int(place.rounded()).clamped(to: 1...(free - 1)) : Int(place.rounded())
    let first = top == 0 ? 0 : top + visible >= count ? free : inner
    let column = area.column + area.columns - 1
    for row in first..<(first + length) {
      frame.grid.write(
        state.appearance.handle, row: area.row + row, column: column, look: state.appearance.look(.line, .dim))
    }
    frame.addTarget(.scrollBar, Area(row: area.row, column: column, rows: area.rows, columns: 1))
  }
}

extension TerminalFrame {
  /// Marks a focused row. The mark ends before the scroll bar, if there is one: without colours, they would look like
  /// one shape.
  mutating func markFocus(_ row: Area, besideBar columns: Int = 0) {
    var marked = row
    marked.columns -= columns
    grid.restyle(marked) { $0.emphasis.insert(.reversed) }
  }

  /// Marks a focused item with a cover: its text, and a bar before it. The cells of pictures keep their look, because
  /// not every terminal displays it below them.
  mutating func markFocus(tile: Area, text: Area, _ appearance: Appearance) {
    grid.restyle(text) { $0.emphasis.insert(.reversed) }
    grid.fill(
      Area(row: tile.row, column: tile.column - 1, rows: tile.rows, columns: 1), with: appearance.focusBar,
      look: appearance.look(.highlight, .bold))
  }
}
