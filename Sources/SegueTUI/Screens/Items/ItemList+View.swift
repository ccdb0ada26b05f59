internal import SegueClientKit
internal import SegueUnicode
internal import SegueWire

extension ItemList {
  /// Draws the rows into an area, and the headings of their columns into a row if there is one.
  func draw(_ frame: inout TerminalFrame, _ area: Area, headingRow: Int?, _ state: SharedState) {
    let table = ItemTable(source.columns, area)
    guard count > 0 else { return drawEmpty(&frame, area, state) }
    if form == .table, let headingRow {
      for place in table.places { write(place.column.heading, place, headingRow, .dim, &frame, state) }
    }
    let scrolling = navigation.scrolling
    let layout = layout(area, state)
    for number in 0..<max(0, min(layout.capacity, count - scrolling.top)) {
      switch form {
      case .table: drawRow(&frame, scrolling.top + number, at: area.row + number, area, table, state)
      case .covers, .gallery: drawItem(&frame, scrolling.top + number, number, layout, state)
      }
    }
    if !takesText {
      let text = layout.text(scrolling.focus - scrolling.top)
      frame.cursor = Position(row: text.row, column: text.column)
    }
  }

  /// Draws an item with its cover.
  private func drawItem(
    _ frame: inout TerminalFrame, _ row: Int, _ number: Int, _ layout: ItemLayout, _ state: SharedState
  ) {
    let text = layout.text(number)
    if let item = navigation.element(at: row, window) {
      if let art = state.cover(of: item.uri, .small), let cell = state.graphics?.cellSize {
        frame.addPicture(art, in: layout.cover(number), cell: cell)
      }
      let isCurrent = self.isCurrent(item, state)
      let look: Look =
        isCurrent ? state.appearance.look(.green, .bold) : item.isUnavailable ? .dim : .bold
      let lines = [(marks(item, isCurrent, state) + item.title, look)] + item.captions.map { ($0, Look.plain) }
      for (line, (content, look)) in lines.prefix(text.rows).enumerated() {
        frame.grid.write(
          content, row: text.row + line, column: text.column, width: text.columns, look: look,
          ellipsis: state.appearance.ellipsis)
      }
    } else {
      frame.grid.write(ItemMessages.loading, row: text.row, column: text.column, width: text.columns, look: .dim)
    }
    // The cells of pictures keep their look, because not every terminal displays it below them.
    if row == navigation.scrolling.focus { frame.grid.restyle(text) { $0.emphasis.insert(.reversed) } }
    frame.addTarget(.row(row), layout.place(number))
  }

  /// Returns the symbols of playback, selection and favorites before the title of an item with a cover.
  private func marks(_ item: ListedItem, _ isCurrent: Bool, _ state: SharedState) -> String {
    let symbols = [
      isCurrent ? state.symbol : item.isUnavailable ? "!" : nil,
      navigation.selection.contains(item.id) ? state.appearance.selected : nil,
      item.isFavorite ? state.appearance.favorite : nil,
    ]
    return symbols.compactMap { $0.map { $0 + " " } }.joined()
  }

  private func drawRow(
    _ frame: inout TerminalFrame, _ row: Int, at line: Int, _ area: Area, _ table: ItemTable, _ state: SharedState
  ) {
    let appearance = state.appearance
    if let item = navigation.element(at: row, window) {
      let isCurrent = self.isCurrent(item, state)
      let look = isCurrent ? appearance.look(.green, .bold) : item.isUnavailable ? Look.dim : .plain
      if isCurrent {
        frame.grid.write(
          source == .outputs ? state.appearance.playing : state.symbol, row: line, column: area.column + 1, look: look)
      } else if item.isUnavailable {
        frame.grid.write("!", row: line, column: area.column + 1, look: appearance.look(.red, .bold))
      }
      if navigation.selection.contains(item.id) {
        frame.grid.write(
          appearance.selected, row: line, column: area.column + 2, look: appearance.look(.yellow, .bold))
      }
      if item.isFavorite {
        frame.grid.write(appearance.favorite, row: line, column: area.column + 3, look: appearance.look(.red))
      }
      for place in table.places { write(item, place, line, look, &frame, state) }
    } else if let place = table.places.first(where: { !$0.column.isNumeric }) {
      write(ItemMessages.loading, place, line, .dim, &frame, state)
    }
    let target = Area(row: line, column: area.column, rows: 1, columns: area.columns)
    if row == navigation.scrolling.focus { frame.grid.restyle(target) { $0.emphasis.insert(.reversed) } }
    frame.addTarget(.row(row), target)
  }

  /// Whether the item is the current track or the output in use.
  private func isCurrent(_ item: ListedItem, _ state: SharedState) -> Bool {
    if case .output(let output) = item { return output.isCurrent }
    return item.uri == state.status?.track?.uri
  }

  /// Writes the text of an item in a column. The marks behind a name are never truncated.
  private func write(
    _ item: ListedItem, _ place: ItemTable.Place, _ row: Int, _ look: Look, _ frame: inout TerminalFrame,
    _ state: SharedState
  ) {
    var text = item.text(of: place.column)
    if place.column == .name, !item.marks.isEmpty {
      let marks = "  " + item.marks
      let width = max(0, place.width - DisplayWidth.of(marks))
      text = text.truncated(to: width, ellipsis: state.appearance.ellipsis) + marks
    }
    write(text, place, row, look, &frame, state)
  }

  private func write(
    _ text: String, _ place: ItemTable.Place, _ row: Int, _ look: Look, _ frame: inout TerminalFrame,
    _ state: SharedState
  ) {
    if place.column.isNumeric {
      frame.grid.write(text, row: row, endingAt: place.end, look: look)
    } else {
      frame.grid.write(
        text, row: row, column: place.start, width: place.width, look: look, ellipsis: state.appearance.ellipsis)
    }
  }

  /// Says why no row is displayed, and what would help.
  private func drawEmpty(_ frame: inout TerminalFrame, _ area: Area, _ state: SharedState) {
    if !takesText { frame.cursor = Position(row: area.row, column: area.column) }
    let lines: [String]
    if failure?.isNotFound == true {
      lines = source.missingMessages(state)
    } else if let failure {
      lines = [PlaybackMessages.failure(failure), ItemMessages.retry]
    } else if let filter = navigation.filter {
      lines = filter.isReading(of: window) ? [] : [ItemMessages.noMatch]
    } else if window.isLoaded {
      lines = source.emptyMessages(state)
    } else {
      lines = state.isConnected ? [ItemMessages.loading] : []
    }
    EmptyText.draw(&frame, lines, in: area, state)
  }
}
