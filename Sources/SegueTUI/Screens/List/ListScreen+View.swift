internal import SegueClientKit
internal import SegueWire

extension ListScreen {
  func draw(_ frame: inout TerminalFrame, _ state: SharedState) {
    let layout = ListLayout(state.size)
    drawTitle(&frame, state)
    let columns = state.size.columns
    ProgressBar.draw(
      &frame, Area(row: layout.progressRow, column: 1, rows: 1, columns: max(0, columns - 2)), state)
    let (count, scrolling) = (navigation.count(state.queue), navigation.scrolling)
    guard count > 0 else { return drawEmpty(&frame, layout, state) }
    let table = ListColumns(width: columns, count: state.queue.length)
    if let row = layout.headingRow { drawHeadings(&frame, row, table) }
    for line in 0..<min(layout.rows, count - scrolling.top) {
      drawRow(&frame, scrolling.top + line, at: layout.firstRow + line, table, state)
    }
    if !takesText { frame.cursor = Position(row: layout.firstRow + scrolling.focus - scrolling.top, column: 0) }
  }

  private func drawTitle(_ frame: inout TerminalFrame, _ state: SharedState) {
    let selection = navigation.selection
    guard let filter = navigation.filter else {
      let facts =
        selection.isEmpty
        ? trn("1 track", "%1$d tracks", state.queue.length)
        : ListMessages.selected(selection.count, of: state.queue.length)
      return TitleLine.draw(&frame, ListMessages.title, state.status == nil ? "" : facts, state)
    }
    var facts = FilterLine.facts(filter, in: state.queue)
    if !selection.isEmpty {
      let selected = ListMessages.selected(selection.count)
      // A narrow screen has no room for both facts and the text of the filter.
      facts = facts.count + selected.count + 18 > state.size.columns ? selected : "\(facts), \(selected)"
    }
    FilterLine.draw(&frame, filter.field, isEditing: filter.isEditing, facts, state)
  }

  private func drawEmpty(_ frame: inout TerminalFrame, _ layout: ListLayout, _ state: SharedState) {
    frame.cursor = frame.cursor ?? Position(row: layout.firstRow, column: 0)
    if let filter = navigation.filter {
      if filter.isReading(of: state.queue) || filter.failure != nil { return }
      frame.grid.write(ListMessages.noMatch, row: layout.firstRow, column: 4, look: .dim)
    } else {
      let messages =
        if case .lost(let error) = state.connection, error.exit == .noDaemon {
          PlaybackMessages.startHints
        } else {
          state.status == nil ? [] : ListSource.queue.emptyMessages(state)
        }
      let area = Area(row: layout.firstRow, column: 0, rows: layout.rows, columns: state.size.columns)
      EmptyText.draw(&frame, messages, in: area, state)
    }
  }

  private func drawHeadings(_ frame: inout TerminalFrame, _ row: Int, _ table: ListColumns) {
    let look = Look.dim
    frame.grid.write(ListMessages.number, row: row, endingAt: table.number.start + table.number.width, look: look)
    frame.grid.write(ListMessages.track, row: row, column: table.title.start, width: table.title.width, look: look)
    if let artist = table.artist {
      frame.grid.write(tr("Artist"), row: row, column: artist.start, width: artist.width, look: look)
    }
    if let album = table.album {
      frame.grid.write(tr("Album"), row: row, column: album.start, width: album.width, look: look)
    }
    frame.grid.write(tr("Time"), row: row, endingAt: table.end, look: look)
  }

  private func drawRow(
    _ frame: inout TerminalFrame, _ index: Int, at row: Int, _ table: ListColumns, _ state: SharedState
  ) {
    let appearance = state.appearance
    let track = navigation.element(at: index, state.queue)
    let isCurrent = track != nil && track?.id == state.status?.track?.id
    let number = navigation.index(ofRow: index)
    let base = isCurrent ? appearance.look(.accent, .bold) : Look.plain
    let dim = isCurrent ? base : Look.dim
    frame.grid.write(String(number.oneBased), row: row, endingAt: table.number.start + table.number.width, look: dim)
    if let track {
      if isCurrent {
        frame.grid.write(state.symbol, row: row, column: 1, look: base)
      } else if track.error != nil {
        frame.grid.write("!", row: row, column: 1, look: appearance.look(.alert, .bold))
      }
      if navigation.selection.contains(track.id) {
        frame.grid.write(appearance.selected, row: row, column: 2, look: appearance.look(.mark, .bold))
      }
      if track.favorite {
        frame.grid.write(appearance.favorite, row: row, column: 3, look: appearance.look(.alert))
      }
      let ellipsis = appearance.ellipsis
      frame.grid.write(
        track.title, row: row, column: table.title.start, width: table.title.width, look: base, ellipsis: ellipsis)
      if let artist = table.artist {
        frame.grid.write(
          track.artist, row: row, column: artist.start, width: artist.width, look: base, ellipsis: ellipsis)
      }
      if let album = table.album {
        frame.grid.write(
          track.metadata.album ?? "", row: row, column: album.start, width: album.width, look: dim, ellipsis: ellipsis)
      }
      frame.grid.write(durationText(track.duration, track.durationKind), row: row, endingAt: table.end, look: dim)
    } else {
      frame.grid.write(
        tr("Loading…"), row: row, column: table.title.start, width: table.title.width, look: .dim,
        ellipsis: appearance.ellipsis)
    }
    let area = Area(row: row, column: 0, rows: 1, columns: state.size.columns)
    if index == navigation.scrolling.focus { frame.grid.restyle(area) { $0.emphasis.insert(.reversed) } }
    frame.addTarget(.row(index), area)
  }
}
