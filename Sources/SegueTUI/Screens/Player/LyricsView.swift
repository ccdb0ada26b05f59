internal import SegueClientKit
internal import SegueSystem
internal import SegueWire

/// Lyrics in an area: those with times around the line that is sung, others from the place to which they are scrolled.
struct LyricsView {
  /// The columns before a line with a time, which has a mark while it is sung.
  private static let margin = 2

  let lyrics: Lyrics
  let area: Area
  /// Whether the lines stand in the middle of the area.
  var isCentered = false

  /// The lines in rows of the area.
  var rows: LyricsRows {
    if let lines = lyrics.lines {
      return LyricsRows(lines.map { $0.text[...] }, columns: area.columns - 2 * Self.margin)
    }
    return LyricsRows(lyrics.text.split(separator: "\n", omittingEmptySubsequences: false), columns: area.columns)
  }

  /// Draws the lyrics. `top` is the first row of those without times.
  func draw(_ frame: inout TerminalFrame, top: LyricsRows.Place, _ state: SharedState) {
    guard area.rows > 0 else { return }
    let rows = rows
    guard let lines = lyrics.lines else {
      // The size may have changed since the text was scrolled.
      let top = rows.top(top, scrolledBy: 0, height: area.rows)
      for (row, content) in rows.screen(from: top, height: area.rows).enumerated() {
        write(content.text, row, .plain, &frame, state.appearance)
      }
      return
    }
    let appearance = state.appearance
    let current = lines.indexOfLine(at: state.position ?? .zero)
    var top = rows.top(showing: current ?? 0, height: area.rows)
    // A part of a line reads like another line. Only the line that is sung may be longer than the area.
    if top.row > 0, top.line != current { top = LyricsRows.Place(line: top.line + 1) }
    for (row, content) in rows.screen(from: top, height: area.rows).enumerated() {
      let isCurrent = content.line == current
      guard isCurrent || content.isComplete else { break }
      let look = isCurrent ? appearance.look(.accent, .bold) : .dim
      if isCurrent, content.isFirst, !isCentered {
        frame.grid.write(">", row: area.row + row, column: area.column, width: area.columns, look: look)
      }
      write(content.text, row, look, &frame, appearance)
    }
  }

  private func write(_ text: String, _ row: Int, _ look: Look, _ frame: inout TerminalFrame, _ appearance: Appearance) {
    let margin = lyrics.lines == nil ? 0 : Self.margin
    var line = area.line(row)
    line.column += margin
    line.columns -= 2 * margin
    frame.write(text, in: line, isCentered: isCentered, look, appearance)
  }
}
