internal import SegueClientKit
internal import SegueSystem
internal import SegueWire

/// A view of the current track beside a list: the cover, the track, its lyrics and the next track.
struct NowPlayingPane {
  /// The columns of a screen from which on there is a pane.
  private static let minimumColumns = 110
  private static let minimumRows = 16
  private static let minimumRowsWithVisualizer = 24

  /// The area without the line that separates it from the list.
  let area: Area

  /// Creates the pane of a screen, between its first row and another one; nil if nothing plays or there is no room.
  init?(_ state: SharedState, above end: Int) {
    let size = state.size
    guard size.columns >= Self.minimumColumns, size.rows >= Self.minimumRows, !state.appearance.isPlain,
      state.status?.track != nil
    else { return nil }
    let columns = (size.columns * 9 / 25).clamped(to: 38...64)
    area = Area(row: 1, column: size.columns - columns, rows: end - 1, columns: columns)
  }

  /// The columns that are left for the list.
  var listColumns: Int { area.column - 1 }

  /// Returns whether the visualizer is displayed below the lyrics.
  func showsVisualizer(_ state: SharedState) -> Bool {
    state.configuration.showsPaneVisualizer && state.allowsVisualizer && area.rows >= Self.minimumRowsWithVisualizer
  }

  func draw(_ frame: inout TerminalFrame, _ state: SharedState) {
    guard let status = state.status, let track = status.track else { return }
    let appearance = state.appearance
    frame.drawLine(before: area, appearance)
    frame.addTarget(.command(.showPlayer), area)
    let heading = TrackHeading(track, status, state)
    var rest = Area(row: area.row + 1, column: area.column + 1, rows: area.rows - 1, columns: area.columns - 2)
    if let next = status.next {
      frame.write(PlayerMessages.next(next, state), in: rest.line(rest.rows - 1), isCentered: true, .dim, appearance)
      rest.rows -= 2
    }
    if showsVisualizer(state) {
      let rows = (area.rows / 5).clamped(to: 4...9)
      Visualizer.draw(&frame, rest.part(at: rest.rows - rows, rows: rows), state)
      rest.rows -= rows + 1
    }
    if let art = state.cover(of: track.uri, .medium), let cell = state.graphics?.cellSize {
      // The rows below the cover have room for the heading and some lines of lyrics.
      let rows = max(rest.rows * 3 / 5, min(rest.rows - heading.lines.count - 8, rest.rows))
      let place = Area(row: rest.row, column: rest.column, rows: max(1, rows), columns: rest.columns)
      let used = frame.addPicture(art, in: place, cell: cell, isCentered: true)
      rest.remove(rows: used.rows + 1)
    }
    heading.draw(&frame, rest, isCentered: true, state)
    rest.remove(rows: heading.lines.count + 1)
    guard rest.rows > 0, let lyrics = state.lyrics.value(for: track.uri) else { return }
    LyricsView(lyrics: lyrics, area: rest, isCentered: true).draw(&frame, top: LyricsRows.Place(), state)
  }
}

extension Area {
  /// Returns some rows of the area, from one of them on.
  func part(at first: Int, rows count: Int) -> Area {
    Area(row: row + first, column: column, rows: count, columns: columns)
  }

  /// Removes rows from the top, at most all.
  mutating func remove(rows count: Int) {
    let count = min(count, rows)
    row += count
    rows -= count
  }
}

extension SharedState {
  /// Returns the calls for what is displayed of the current track beside its metadata: lyrics, chapters and the cover.
  mutating func prepareCurrentTrack() -> [DaemonCall] {
    guard let uri = status?.track?.uri else { return [] }
    var calls: [DaemonCall] = []
    if lyrics.request(uri) { calls.append(.lyrics(uri: uri)) }
    if uri.hasPrefix("file:"), chapters.request(uri) { calls.append(.chapters(uri: uri)) }
    return calls + prepareCovers(of: [uri], .medium)
  }

  /// The time at which the position reaches the next second or the next line of the lyrics; nil if neither happens.
  var nextLyricsChange: MonotonicTime? {
    guard let second = nextSecond, let position else { return nextSecond }
    let lines = lyrics.value(for: status?.track?.uri)?.lines
    guard let next = lines?.first(where: { $0.time > position })?.time else { return second }
    return min(second, now + (next - position))
  }
}
