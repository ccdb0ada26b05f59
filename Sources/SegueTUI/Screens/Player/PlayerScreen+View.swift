internal import SegueClientKit
internal import SegueSystem
internal import SegueUnicode
internal import SegueWire

extension PlayerScreen {
  func draw(_ frame: inout TerminalFrame, _ state: SharedState) {
    guard let status = state.status, let track = status.track else {
      TitleLine.draw(&frame, PlayerMessages.title, "", state)
      frame.grid.write(tr("Nothing is playing."), row: 2, column: 3, look: .dim)
      frame.cursor = Position(row: 2, column: 3)
      return
    }
    let place = status.index.map { PlayerMessages.place($0, of: status.length) } ?? ""
    TitleLine.draw(&frame, PlayerMessages.title, place, state)
    let heading = TrackHeading(track, status, state)
    let layout = layout(track, heading, state)
    if let art = state.cover(of: track.uri, .medium), let area = layout.cover, let cell = state.graphics?.cellSize {
      frame.addPicture(art, in: area, cell: cell)
    }
    let isMissing = track.uri.hasPrefix("file:") && state.lyrics.isMissing(for: track.uri)
    let area = layout.heading(heading, isAlone: lyrics(state) == nil)
    heading.draw(&frame, area, isCentered: layout.isCentered, state)
    frame.cursor = Position(row: area.row, column: area.column)
    if lyrics(state) != nil {
      lyricsView(state)?.draw(&frame, top: lyricsTop, state)
    } else if isMissing {
      var rest = area
      rest.remove(rows: heading.lines.count + 1)
      let lines = PlayerMessages.lyricsHint.wrapped(to: max(1, min(rest.columns, Self.hintColumns)))
      for (row, text) in lines.prefix(rest.rows).enumerated() {
        frame.write(text, in: rest.line(row), isCentered: layout.isCentered, .dim, state.appearance)
      }
    }
    drawTimes(&frame, layout, status, state)
    drawState(&frame, layout, status, state)
  }

  func drawStatus(_ frame: inout TerminalFrame, row: Int, _ state: SharedState) {
    guard let status = state.status, status.track != nil else { return }
    let text = status.next.map { PlayerMessages.next($0, state) } ?? tr("Playback ends after this track.")
    frame.grid.write(
      text, row: row, column: 3, width: state.size.columns - 6, look: .dim, ellipsis: state.appearance.ellipsis)
  }

  /// The columns of the sentence about lyrics.
  private static let hintColumns = 60

  private func layout(_ track: QueueEntry, _ heading: TrackHeading, _ state: SharedState) -> PlayerLayout {
    let hint = track.uri.hasPrefix("file:") ? 1 + PlayerMessages.lyricsHint.wrapped(to: Self.hintColumns).count : 0
    return PlayerLayout(
      state.size, picture: state.cover(of: track.uri, .medium).map { ($0.width, $0.height) },
      cell: state.graphics?.cellSize, linesBelow: hasLyrics ? nil : heading.lines.count + hint)
  }

  /// Returns the lyrics below the heading; nil if there are none.
  func lyricsView(_ state: SharedState) -> LyricsView? {
    guard let status = state.status, let track = status.track, let lyrics = lyrics(state) else { return nil }
    let heading = TrackHeading(track, status, state)
    let layout = layout(track, heading, state)
    return LyricsView(lyrics: lyrics, area: layout.lyrics(below: heading), isCentered: layout.isCentered)
  }

  /// Draws the progress bar, and below it the times and between them the buttons, which react to clicks.
  private func drawTimes(_ frame: inout TerminalFrame, _ layout: PlayerLayout, _ status: Status, _ state: SharedState) {
    let columns = state.size.columns
    ProgressBar.draw(&frame, Area(row: layout.progressRow, column: 3, rows: 1, columns: max(0, columns - 6)), state)
    guard layout.timeRow != layout.stateRow else {
      frame.grid.write(PlaybackLine.clock(state), row: layout.timeRow, endingAt: columns - 3)
      return
    }
    drawButtons(&frame, layout.timeRow, status, state)
    if !state.showsClock || status.stream?.state?.waiting != nil {
      frame.grid.write(PlaybackLine.clock(state), row: layout.timeRow, endingAt: columns - 3)
      return
    }
    let position =
      if let dragged = state.dragged, let duration = status.duration {
        MediaTime(seconds: duration.seconds * dragged)
      } else {
        state.position ?? .zero
      }
    frame.grid.write(position.clock, row: layout.timeRow, column: 3)
    frame.grid.write(durationText(status.duration, status.durationKind), row: layout.timeRow, endingAt: columns - 3)
  }

  /// Draws the buttons in the middle of a row: symbols, or words where these are not displayed or not read out.
  private func drawButtons(_ frame: inout TerminalFrame, _ row: Int, _ status: Status, _ state: SharedState) {
    let appearance = state.appearance
    let isPlaying = status.state == .playing
    let buttons: [(Command, String)] =
      if appearance.isUnicode, !appearance.isPlain {
        [
          (.previous, "  ⏮  "), (.toggle, isPlaying ? "  \(appearance.paused)  " : "  \(appearance.playing)  "),
          (.next, "  ⏭  "),
        ]
      } else {
        [
          (.previous, Command.previous.label), (.toggle, PlayerMessages.toggle(status.state)),
          (.next, Command.next.label),
        ]
        .map { ($0, "[\($1)]") }
      }
    var column = max(12, (state.size.columns - buttons.reduce(2) { $0 + DisplayWidth.of($1.1) }) / 2)
    for (command, text) in buttons {
      let width = frame.grid.write(text, row: row, column: column, look: appearance.look(.highlight, .bold))
      frame.addTarget(.command(command), Area(row: row, column: column, rows: 1, columns: width))
      column += width + 1
    }
  }

  /// Draws the state of playback and the volume.
  private func drawState(_ frame: inout TerminalFrame, _ layout: PlayerLayout, _ status: Status, _ state: SharedState) {
    let appearance = state.appearance
    let row = layout.stateRow
    let start = 3 + frame.grid.write(state.symbol, row: row, column: 3, look: appearance.look(.accent, .bold)) + 1
    frame.grid.write(PlayerMessages.state(status.state), row: row, column: start, look: .bold)
    guard layout.timeRow != row else { return }
    var end = state.size.columns - 3
    end -= frame.grid.write(PlayerMessages.volume(status), row: row, endingAt: end)
    let bar = Area(row: row, column: end - 12, rows: 1, columns: 11)
    if state.size.columns >= 80, !appearance.isPlain {
      LineBar.draw(&frame, bar, status.muted ? 0 : Double(status.volume) / 100, .highlight, appearance)
    }
  }
}
