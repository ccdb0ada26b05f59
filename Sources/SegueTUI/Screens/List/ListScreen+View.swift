internal import SegueClientKit
internal import SegueSystem
internal import SegueWire

extension ListScreen {
  func draw(_ frame: inout TerminalFrame, _ state: SharedState) {
    let layout = ListLayout(state.size)
    let pane = pane(state)
    drawTitle(&frame, state)
    let width = state.size.columns
    ProgressBar.draw(&frame, Area(row: layout.progressRow, column: 1, rows: 1, columns: max(0, width - 2)), state)
    pane?.draw(&frame, state)
    let area = Area(row: layout.firstRow, column: 0, rows: layout.rows, columns: pane?.listColumns ?? width)
    let count = navigation.count(state.queue)
    guard count > 0 else { return drawEmpty(&frame, area, state) }
    let filled = filledColumns.all(belowHeadings: navigation.filter == nil && showsHeadings(state))
    let table = ItemTable(
      ListSource.queue.columns(state.configuration, filled: filled), area, queueLength: state.queue.length)
    if let row = layout.headingRow { table.drawHeadings(&frame, row, state) }
    drawRows(&frame, area, table, state)
    let scrolling = navigation.scrolling
    ScrollBar.draw(&frame, area, top: scrolling.top, visible: scrolling.height, count: count, state)
  }

  /// Beside the pane, which names the track, the status line says where that is in the queue.
  func drawStatus(_ frame: inout TerminalFrame, row: Int, _ state: SharedState) {
    let place = state.status.flatMap { status in
      pane(state) == nil ? nil : status.index.map { PlayerMessages.place($0, of: status.length) }
    }
    let text = place.map { "\(PlayerMessages.state(state.status?.state ?? .stopped)) \(state.appearance.dot) \($0)" }
    PlaybackLine.draw(&frame, row: row, insteadOfTrack: text, state)
  }

  private func drawRows(_ frame: inout TerminalFrame, _ area: Area, _ table: ItemTable, _ state: SharedState) {
    let (top, count) = (navigation.scrolling.top, navigation.count(state.queue))
    var rows = (top..<min(count, top + area.rows)).map { QueueRows.Row.entry($0) }
    if navigation.filter == nil, showsHeadings(state) {
      rows = QueueRows(from: top, height: area.rows, state.queue).rows
    }
    var album: QueueEntry?
    for (line, row) in rows.enumerated() {
      let place = area.line(line)
      switch row {
      case .heading(let entry):
        drawAlbum(&frame, entry, place, state)
        album = entry
      case .entry(let index):
        drawRow(&frame, index, place, table, album: album, state)
        if index == navigation.scrolling.focus, !takesText { frame.cursor = Position(row: place.row, column: 0) }
      }
    }
  }

  /// Draws the heading of the album of an entry: `Album · Artist · Year ────`.
  private func drawAlbum(_ frame: inout TerminalFrame, _ entry: QueueEntry, _ place: Area, _ state: SharedState) {
    let appearance = state.appearance
    let metadata = entry.metadata
    let end = place.columns - 2
    var column = 1
    column += frame.grid.write(
      (metadata.album ?? "").visible, row: place.row, column: column, width: end - column,
      look: appearance.look(.highlight, .bold), ellipsis: appearance.ellipsis)
    let facts = [(metadata.albumArtist ?? metadata.artist ?? "").visible, metadata.year.map(String.init) ?? ""]
    for fact in facts where !fact.isEmpty && column + 8 < end {
      column += frame.grid.write(
        " \(appearance.dot) \(fact)", row: place.row, column: column, width: end - column, look: .dim,
        ellipsis: appearance.ellipsis)
    }
    guard column + 1 < end else { return }
    let line = Area(row: place.row, column: column + 1, rows: 1, columns: end - column - 1)
    frame.grid.fill(line, with: appearance.horizontalLine, look: appearance.look(.line))
  }

  private func drawTitle(_ frame: inout TerminalFrame, _ state: SharedState) {
    let selection = navigation.selection
    guard let filter = navigation.filter else {
      var facts =
        selection.isEmpty
        ? trn("1 track", "%1$d tracks", state.queue.length)
        : ListMessages.selected(selection.count, of: state.queue.length)
      let time = selection.isEmpty ? state.queueDuration : selection.elements.map(\.duration).total
      if let time, time > .zero { facts += " \(state.appearance.dot) \(time.clock)" }
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

  private func drawEmpty(_ frame: inout TerminalFrame, _ area: Area, _ state: SharedState) {
    frame.cursor = frame.cursor ?? Position(row: area.row, column: 0)
    if let filter = navigation.filter {
      if filter.isReading(of: state.queue) || filter.failure != nil { return }
      frame.grid.write(ListMessages.noMatch, row: area.row, column: 4, look: .dim)
    } else {
      let messages =
        if case .lost(let error) = state.connection, error.exit == .noDaemon {
          PlaybackMessages.startHints
        } else {
          state.status == nil ? [] : ListSource.queue.emptyMessages(state)
        }
      EmptyText.draw(&frame, messages, in: area, state)
    }
  }

  /// Draws an entry. What the heading of its album says already, that of the entry `album`, is not repeated.
  private func drawRow(
    _ frame: inout TerminalFrame, _ index: Int, _ place: Area, _ table: ItemTable, album: QueueEntry?,
    _ state: SharedState
  ) {
    let row = place.row
    let track = navigation.element(at: index, state.queue)
    let isCurrent = track != nil && track?.id == state.status?.track?.id
    let number = String(navigation.index(ofRow: index).oneBased)
    let base = isCurrent ? state.appearance.look(.accent, .bold) : Look.plain
    let dim = isCurrent ? base : Look.dim
    if let track {
      let symbols = RowSymbols(
        playback: isCurrent ? state.symbol : nil, isUnavailable: track.error != nil,
        isSelected: navigation.selection.contains(track.id), isFavorite: track.favorite)
      symbols.draw(&frame, place, base, state.appearance)
      let heading = track.heading(album)
      for place in table.places {
        let text = place.column == .number ? number : track.text(of: place.column, below: heading)
        if place.column == .rating {
          place.write(state.stars(track.rating), row: row, look: state.appearance.look(.mark), &frame, state)
          continue
        }
        let isMain = place.column == .title || place.column == .artist && !track.isByArtist(of: heading)
        place.write(text, row: row, look: isMain ? base : dim, &frame, state)
      }
    } else {
      if let place = table.places.first(where: { $0.column == .number }) {
        place.write(number, row: row, look: dim, &frame, state)
      }
      table.textPlace?.write(tr("Loading…"), row: row, look: .dim, &frame, state)
    }
    if index == navigation.scrolling.focus {
      let bar = ScrollBar.columns(visible: navigation.scrolling.height, count: navigation.count(state.queue), state)
      frame.markFocus(place, besideBar: bar)
    }
    frame.addTarget(.row(index), place)
  }
}

extension QueueEntry {
  /// Returns whether the heading of the album above the entry names the artist.
  fileprivate func isByArtist(of heading: QueueEntry?) -> Bool {
    heading.map { artist == ($0.metadata.albumArtist ?? $0.metadata.artist) } ?? false
  }
}
