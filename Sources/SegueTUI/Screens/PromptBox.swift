internal import SegueClientKit

/// The frame in which a prompt is displayed, in the middle of the screen before, which is dim behind it. With
/// `--plain`, the prompt has the whole screen, because a screen reader would read what is behind.
struct PromptBox {
  private static let maximumColumns = 66
  /// The columns of a screen up to which the frame takes all of them.
  private static let narrowColumns = 60
  /// The columns between the frame and its contents.
  private static let margin = 2

  /// The area of the contents.
  private(set) var contents: Area
  /// The area with the frame; nil if there is none.
  private var outside: Area?
  private let title: String
  /// The text that says what keys do, below the contents; empty if there is room for it only in the status line.
  private let usage: [String]
  /// The text in the status line; nil if the box contains it.
  private let statusText: StatusText?

  /// Creates the box around a number of rows. There may be fewer rows on a low screen.
  init(_ title: String, rows: Int, usage: String, _ state: SharedState) {
    let size = state.size
    self.title = title
    guard !state.appearance.isPlain else {
      contents = Area(row: 2, column: 3, rows: max(1, size.rows - 4), columns: max(1, size.columns - 4))
      (outside, self.usage) = (nil, [])
      statusText = StatusText(usage, usesLastLine: true, state)
      return
    }
    let isLow = size.rows < 12
    let columns = size.columns <= Self.narrowColumns ? size.columns : min(Self.maximumColumns, size.columns - 8)
    let width = max(1, columns - 2 * Self.margin - 2)
    let lines = usage.visible.wrapped(to: width)
    // The status line stays free for messages, and the frame has two rows.
    var available = size.rows - 2
    if rows + 1 + lines.count <= available - 2 {
      (self.usage, statusText) = (lines, nil)
    } else {
      let text = StatusText(usage, usesLastLine: true, state)
      (self.usage, statusText) = ([], text)
      available -= text.rowsAbove
    }
    let below = self.usage.isEmpty ? 0 : 1 + lines.count
    let needed = rows + 2 + below
    let margin = !isLow && needed + 2 <= available ? 1 : 0
    // A box that leaves only parts of some rows visible takes them, too.
    let height = isLow ? available : min(available, needed + 2 * margin)
    let outside = Area(
      row: (available - height) / 2, column: (size.columns - columns) / 2, rows: height, columns: columns)
    contents = Area(
      row: outside.row + 1 + margin, column: outside.column + 1 + Self.margin,
      rows: max(1, height - 2 - 2 * margin - below), columns: width)
    self.outside = outside
  }

  /// Returns the box beside the pictures that it would cover in part, so that they stay visible; the box itself if
  /// there is no room without other pictures.
  func beside(_ pictures: [PicturePlacement], _ size: ScreenSize) -> PromptBox {
    guard let outside else { return self }
    let covered = pictures.map(\.area).filter { $0.overlaps(outside) }
    guard let left = covered.map(\.column).min(), let right = covered.map({ $0.column + $0.columns }).max() else {
      return self
    }
    let room = [0..<left, min(right, size.columns)..<size.columns].max { $0.count < $1.count } ?? 0..<0
    guard room.count >= outside.columns + 2 else { return self }
    let step = room.lowerBound + (room.count - outside.columns) / 2 - outside.column
    var moved = outside
    moved.column += step
    guard !pictures.contains(where: { $0.area.overlaps(moved) }) else { return self }
    var box = self
    box.outside = moved
    box.contents.column += step
    return box
  }

  /// Draws the frame and the usage over all that is drawn so far.
  func draw(_ frame: inout TerminalFrame, _ state: SharedState) {
    let appearance = state.appearance
    guard let outside else { return TitleLine.draw(&frame, title, "", state) }
    frame.cover(outside)
    let line = appearance.look(.line)
    let (left, right) = (outside.column, outside.column + outside.columns - 1)
    let (top, bottom) = (outside.row, outside.row + outside.rows - 1)
    for row in [top, bottom] {
      frame.grid.fill(outside.line(row - top), with: appearance.horizontalLine, look: line)
    }
    for column in [left, right] {
      let side = Area(row: top, column: column, rows: outside.rows, columns: 1)
      frame.grid.fill(side, with: appearance.verticalLine, look: line)
    }
    let corners = appearance.corners
    for (corner, place) in zip(corners, [(top, left), (top, right), (bottom, left), (bottom, right)]) {
      frame.grid.fill(Area(row: place.0, column: place.1, rows: 1, columns: 1), with: corner, look: line)
    }
    frame.grid.write(
      " \(title) ", row: top, column: left + 2, width: outside.columns - 4, look: appearance.look(.highlight, .bold),
      ellipsis: appearance.ellipsis)
    for (index, text) in usage.enumerated() {
      frame.grid.write(
        text, row: contents.row + contents.rows + 1 + index, column: contents.column, width: contents.columns,
        look: .dim)
    }
  }

  func drawStatus(_ frame: inout TerminalFrame, row: Int, _ state: SharedState) {
    statusText?.draw(&frame, row: row, .dim)
  }
}

extension Appearance {
  /// The corners of a frame: the upper ones from left to right, and then the lower ones.
  fileprivate var corners: [Character] { isUnicode ? ["┌", "┐", "└", "┘"] : ["+", "+", "+", "+"] }
}
