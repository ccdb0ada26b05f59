internal import SegueFrontend
internal import SegueSystem
internal import SegueUnicode
internal import SegueWire

extension PlayerScreen {
  func draw(_ frame: inout Frame, _ state: SharedState) {
    guard let status = state.status, let track = status.track else {
      TitleLine.draw(&frame, PlayerMessages.title, "", state)
      frame.grid.write(PlayerMessages.nothing, row: 2, column: 3, look: .dim)
      frame.cursor = Position(row: 2, column: 3)
      return
    }
    let place = status.index.map { PlayerMessages.place($0, of: status.length) } ?? ""
    TitleLine.draw(&frame, PlayerMessages.title, place, state)
    let art = state.cover(of: track.uri, .medium)
    let layout = PlayerLayout(
      state.size, picture: art.map { ($0.width, $0.height) }, cell: state.graphics?.cellSize)
    if let art, let area = layout.cover, let cell = state.graphics?.cellSize {
      frame.addPicture(art, in: area, cell: cell)
    }
    let row = drawHeading(&frame, layout.text, track, status, state)
    frame.cursor = Position(row: layout.text.row, column: layout.text.column)
    let lyricsRow = row + 1
    drawLyrics(
      &frame,
      Area(
        row: lyricsRow, column: layout.text.column, rows: layout.text.row + layout.text.rows - lyricsRow,
        columns: layout.text.columns), state)
    drawTimes(&frame, layout, status, state)
    drawButtons(&frame, layout, status, state)
  }

  func drawStatus(_ frame: inout Frame, row: Int, _ state: SharedState) {
    guard let status = state.status, status.track != nil else { return }
    let text = status.next.map { PlayerMessages.next(heading($0, state)) } ?? PlayerMessages.last
    frame.grid.write(
      text, row: row, column: 3, width: state.size.columns - 6, look: .dim, ellipsis: state.appearance.ellipsis)
  }

  private func heading(_ track: Track, _ state: SharedState) -> String {
    track.artist.isEmpty ? track.title : "\(track.title) \(state.appearance.dash) \(track.artist)"
  }

  /// Draws title, artist, album and facts. Returns the row after them.
  private func drawHeading(
    _ frame: inout Frame, _ area: Area, _ track: Track, _ status: Status, _ state: SharedState
  ) -> Int {
    let metadata = track.metadata
    var album = (metadata.album ?? "").visible
    if !album.isEmpty, let year = metadata.year { album += " (\(year))" }
    if metadata.stream != nil, let station = status.stream?.station { album = station.visible }
    let mark = track.favorite ? "\(state.appearance.favorite) " : ""
    var lines: [(String, Look)] = [(mark + track.title, state.appearance.look(.green, .bold))]
    if !track.artist.isEmpty { lines.append((track.artist, .plain)) }
    if !album.isEmpty { lines.append((album, .plain)) }
    lines.append((facts(status), .dim))
    if let error = track.error { lines.append(("! \(error.translated)", state.appearance.look(.red, .bold))) }
    var row = area.row
    for (text, look) in lines.prefix(area.rows) where !text.isEmpty {
      frame.grid.write(
        text, row: row, column: area.column, width: area.columns, look: look, ellipsis: state.appearance.ellipsis)
      row += 1
    }
    return row
  }

  private func facts(_ status: Status) -> String {
    guard let audio = status.audio else { return "" }
    var words = [audio.codec.visible.uppercased()]
    if audio.sampleRate > 0 {
      words.append(tr("%1$s kHz", decimalText(tenths: audio.sampleRate.roundedQuotient(by: 100))))
    }
    if let bits = audio.bitDepth { words.append(tr("%1$d bit", bits)) }
    if let rate = audio.bitRate, !audio.lossless {
      words.append(CatalogMessages.bitRate(String(rate.roundedQuotient(by: 1000))))
    }
    return words.joined(separator: " ")
  }

  private func drawTimes(_ frame: inout Frame, _ layout: PlayerLayout, _ status: Status, _ state: SharedState) {
    let columns = state.size.columns
    ProgressBar.draw(&frame, Area(row: layout.progressRow, column: 3, rows: 1, columns: max(0, columns - 6)), state)
    if layout.timeRow == layout.buttonRow || !state.showsClock || status.stream?.state?.waiting != nil {
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

  /// Draws the state of playback, the buttons, which react to clicks, and the volume.
  private func drawButtons(_ frame: inout Frame, _ layout: PlayerLayout, _ status: Status, _ state: SharedState) {
    let row = layout.buttonRow
    var column = 3
    column += frame.grid.write(state.symbol, row: row, column: column, look: state.appearance.look(.green, .bold)) + 1
    column +=
      frame.grid.write(PlayerMessages.state(status.state), row: row, column: column, look: .bold) + 4
    let buttons: [(Command, String)] = [
      (.previous, Command.previous.label), (.toggle, PlayerMessages.toggle(status.state)), (.next, Command.next.label),
    ]
    guard layout.timeRow != row else { return }
    let volume = PlayerMessages.volume(status)
    for (command, label) in buttons where column + label.count + volume.count + 6 < state.size.columns {
      let width = frame.grid.write("[\(label)]", row: row, column: column)
      frame.addTarget(.command(command), Area(row: row, column: column, rows: 1, columns: width))
      column += width + 1
    }
    frame.grid.write(volume, row: row, endingAt: state.size.columns - 3)
  }

  /// Draws the lyrics: those with times around the line that is sung, others from the place to which they are scrolled.
  private func drawLyrics(_ frame: inout Frame, _ area: Area, _ state: SharedState) {
    guard area.rows > 0 else { return }
    guard let lyrics = lyrics(state) else {
      guard let uri = state.status?.track?.uri, uri.hasPrefix("file:"), state.lyrics.isMissing(for: uri) else { return }
      let lines = PlayerMessages.lyricsHint.wrapped(to: max(1, area.columns)).prefix(area.rows)
      for (line, text) in lines.enumerated() {
        frame.grid.write(text, row: area.row + line, column: area.column, look: .dim)
      }
      return
    }
    guard let lines = lyrics.lines else {
      let text = lyrics.text.split(separator: "\n", omittingEmptySubsequences: false)
      for (line, content) in text.dropFirst(lyricsOffset).prefix(area.rows).enumerated() {
        frame.grid.write(
          String(content), row: area.row + line, column: area.column, width: area.columns,
          ellipsis: state.appearance.ellipsis)
      }
      return
    }
    let position = state.position ?? .zero
    let current = lines.indexOfLine(at: position)
    // The line that is sung stands above the middle, so that more of the lines to come are visible.
    let first = min(max(0, (current ?? 0) - area.rows / 3), max(0, lines.count - area.rows))
    for (line, content) in lines[first...].prefix(area.rows).enumerated() {
      let isCurrent = first + line == current
      frame.grid.write(
        (isCurrent ? "> " : "  ") + content.text, row: area.row + line, column: area.column, width: area.columns,
        look: isCurrent ? .bold : .dim, ellipsis: state.appearance.ellipsis)
    }
  }
}
