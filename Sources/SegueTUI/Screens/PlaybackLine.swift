internal import SegueClientKit
internal import SegueSystem
internal import SegueUnicode
internal import SegueWire

/// One line with the current track and the position: `▶ Title — Artist   1:23 / 4:56`.
enum PlaybackLine {
  /// Draws the line. A `text` stands in place of the track.
  static func draw(_ frame: inout TerminalFrame, row: Int, insteadOfTrack text: String? = nil, _ state: SharedState) {
    let appearance = state.appearance
    let columns = frame.grid.size.columns
    guard let status = state.status, let track = status.track else { return }
    let clock = clock(state)
    let room = columns - DisplayWidth.of(clock) - 4
    var column = 1
    column += frame.grid.write(state.symbol, row: row, column: column, look: appearance.look(.accent)) + 1
    column += frame.grid.write(
      text ?? track.title, row: row, column: column, width: room - column, look: text == nil ? .bold : .plain,
      ellipsis: appearance.ellipsis)
    if text == nil, !track.artist.isEmpty, room - column > 6 {
      frame.grid.write(
        " \(appearance.dash) \(track.artist)", row: row, column: column, width: room - column,
        ellipsis: appearance.ellipsis)
    }
    frame.grid.write(clock, row: row, endingAt: columns - 1)
    frame.addTarget(.command(.showPlayer), Area(row: row, column: 0, rows: 1, columns: columns))
  }

  /// Returns the position and the duration, or the duration alone if the clock stands still by request.
  static func clock(_ state: SharedState) -> String {
    guard let status = state.status, status.track != nil else { return "" }
    let duration = durationText(status.duration, status.durationKind)
    if let waiting = status.stream?.state?.waiting { return waiting }
    if !state.showsClock, status.rate > 0 { return duration }
    let position = state.position?.clock ?? "0:00"
    return duration.isEmpty ? position : "\(position) / \(duration)"
  }
}

/// The progress bar, which reacts to the mouse.
enum ProgressBar {
  /// Draws the bar in an area of one row.
  static func draw(_ frame: inout TerminalFrame, _ area: Area, _ state: SharedState) {
    guard area.columns > 0, state.showsClock, let progress = state.dragged ?? state.progress else { return }
    LineBar.draw(&frame, area, progress, .accent, state.appearance)
    drawChapters(&frame, area, state)
    frame.addTarget(.progress, area)
  }

  /// Marks the starts of chapters, unless the marks would fill the bar.
  private static func drawChapters(_ frame: inout TerminalFrame, _ area: Area, _ state: SharedState) {
    guard let chapters = state.chapter?.all, chapters.count * 4 <= area.columns,
      let duration = state.status?.duration
    else { return }
    for chapter in chapters where chapter.start > .zero && chapter.start < duration {
      let column = Int(chapter.start.seconds / duration.seconds * Double(area.columns))
      let place = Area(row: area.row, column: area.column + column, rows: 1, columns: 1)
      guard place.column < frame.grid.size.columns, place.row < frame.grid.size.rows else { continue }
      let cell = frame.grid[place.row, place.column]
      frame.grid.fill(place, with: state.appearance.mark(on: cell.glyph), look: cell.look)
    }
  }
}

/// A bar that shows a share as the thick part of a line.
enum LineBar {
  /// Draws the bar in an area of one row. `share` is from 0 to 1.
  static func draw(
    _ frame: inout TerminalFrame, _ area: Area, _ share: Double, _ color: Look.Color, _ appearance: Appearance
  ) {
    // A cell is divided into halves if there is a character for that.
    let halves = Int((share * Double(area.columns) * 2).rounded())
    let half = halves % 2 == 1 ? appearance.halfFilled : nil
    var filled = Area(row: area.row, column: area.column, rows: 1, columns: half == nil ? (halves + 1) / 2 : halves / 2)
    frame.grid.fill(area, with: appearance.empty, look: appearance.look(.line))
    frame.grid.fill(filled, with: appearance.filled, look: appearance.look(color))
    guard let half else { return }
    (filled.column, filled.columns) = (filled.column + filled.columns, 1)
    frame.grid.fill(filled, with: half, look: appearance.look(color))
  }
}
