internal import SegueClientKit
internal import SegueSystem
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
    let layout = layout(track, state)
    if let art = state.cover(of: track.uri, .medium), let area = layout.cover, let cell = state.graphics?.cellSize {
      frame.addPicture(art, in: area, cell: cell)
    }
    for (line, (text, look)) in heading(track, status, state).prefix(layout.text.rows).enumerated() {
      frame.grid.write(
        text, row: layout.text.row + line, column: layout.text.column, width: layout.text.columns, look: look,
        ellipsis: state.appearance.ellipsis)
    }
    frame.cursor = Position(row: layout.text.row, column: layout.text.column)
    drawLyrics(&frame, lyricsArea(track, status, state), state)
    drawTimes(&frame, layout, status, state)
    drawButtons(&frame, layout, status, state)
  }

  func drawStatus(_ frame: inout TerminalFrame, row: Int, _ state: SharedState) {
    guard let status = state.status, status.track != nil else { return }
    let text = status.next.map { tr("Next: %1$s", label($0, state)) } ?? tr("Playback ends after this track.")
    frame.grid.write(
      text, row: row, column: 3, width: state.size.columns - 6, look: .dim, ellipsis: state.appearance.ellipsis)
  }

  private func label(_ track: QueueEntry, _ state: SharedState) -> String {
    track.artist.isEmpty ? track.title : "\(track.title) \(state.appearance.dash) \(track.artist)"
  }

  private func layout(_ track: QueueEntry, _ state: SharedState) -> PlayerLayout {
    PlayerLayout(
      state.size, picture: state.cover(of: track.uri, .medium).map { ($0.width, $0.height) },
      cell: state.graphics?.cellSize)
  }

  /// Returns the area of the lyrics, below the heading and an empty row. It may have no rows.
  func lyricsArea(_ track: QueueEntry, _ status: Status, _ state: SharedState) -> Area {
    var area = layout(track, state).text
    let used = min(area.rows, heading(track, status, state).count + 1)
    area.row += used
    area.rows -= used
    return area
  }

  /// Returns the lines above the lyrics: title, artist, album and facts.
  private func heading(_ track: QueueEntry, _ status: Status, _ state: SharedState) -> [(text: String, look: Look)] {
    let metadata = track.metadata
    var album = (metadata.album ?? "").visible
    if !album.isEmpty, let year = metadata.year { album += " (\(year))" }
    if metadata.stream != nil, let station = status.stream?.station { album = station.visible }
    let mark = track.favorite ? "\(state.appearance.favorite) " : ""
    let lines: [(text: String, look: Look)] =
      [
        (mark + track.title, state.appearance.look(.accent, .bold)), (track.artist, .plain), (album, .plain),
        (state.chapter.map { ChapterMessages.place($0.all[$0.index], $0.index, of: $0.all.count) } ?? "", .plain),
        (facts(status), .dim),
      ] + (track.error.map { [("! \($0.translated)", state.appearance.look(.alert, .bold))] } ?? [])
    return lines.filter { !$0.text.isEmpty }
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

  private func drawTimes(_ frame: inout TerminalFrame, _ layout: PlayerLayout, _ status: Status, _ state: SharedState) {
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
  private func drawButtons(_ frame: inout TerminalFrame, _ layout: PlayerLayout, _ status: Status, _ state: SharedState)
  {
    let row = layout.buttonRow
    var column = 3
    column += frame.grid.write(state.symbol, row: row, column: column, look: state.appearance.look(.accent, .bold)) + 1
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
  private func drawLyrics(_ frame: inout TerminalFrame, _ area: Area, _ state: SharedState) {
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
      let text = lyricsText(lyrics, area)
      // The size may have changed since the text was scrolled.
      let top = text.top(lyricsTop, scrolledBy: 0, height: area.rows)
      for (row, content) in text.screen(from: top, height: area.rows).enumerated() {
        frame.grid.write(content.text, row: area.row + row, column: area.column, width: area.columns)
      }
      return
    }
    let text = lyricsText(lyrics, area)
    let current = lines.indexOfLine(at: state.position ?? .zero)
    let top = text.top(showing: current ?? 0, height: area.rows)
    for (row, content) in text.screen(from: top, height: area.rows).enumerated() {
      let isCurrent = content.line == current
      frame.grid.write(
        (isCurrent && content.isFirst ? "> " : "  ") + content.text, row: area.row + row, column: area.column,
        width: area.columns, look: isCurrent ? .bold : .dim)
    }
  }

  /// Returns the text of lyrics in an area. Lines with times have a mark before them.
  func lyricsText(_ lyrics: Lyrics, _ area: Area) -> LyricsRows {
    if let lines = lyrics.lines { return LyricsRows(lines.map { $0.text[...] }, columns: area.columns - 2) }
    return LyricsRows(lyrics.text.split(separator: "\n", omittingEmptySubsequences: false), columns: area.columns)
  }
}
