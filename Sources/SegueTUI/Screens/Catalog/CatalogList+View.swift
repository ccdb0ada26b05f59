internal import SegueClientKit
internal import SegueWire

/// The form of a tile: kind, title, creator and facts below each other, with the cover on the left.
enum CatalogTile {
  /// The rows of a tile, including the empty one below it.
  static let rowCount = 5
  /// The width of a screen with two columns of tiles.
  static let minimumColumns = 60

  /// Returns the area of the cover in the area of a tile.
  static func cover(_ place: Area, cell: (width: Int, height: Int)) -> Area {
    let columns = ItemLayout.squareColumns(place.rows, cell)
    return Area(row: place.row, column: place.column, rows: place.rows, columns: min(columns, place.columns / 2))
  }
}

extension CatalogList {
  /// Draws the list into an area, as a table or as tiles.
  func draw(_ frame: inout TerminalFrame, _ area: Area, showsTiles: Bool, _ state: SharedState) {
    guard !items.isEmpty else { return drawEmpty(&frame, area, state) }
    if showsTiles { drawTiles(&frame, area, state) } else { drawTable(&frame, area, state) }
  }

  /// Says why there are no items, and what would help.
  private func drawEmpty(_ frame: inout TerminalFrame, _ area: Area, _ state: SharedState) {
    frame.cursor = frame.cursor ?? Position(row: area.row, column: 0)
    let text =
      if let failure { CatalogMessages.failure(failure, state) } else {
        isLoading ? (state.isConnected ? CatalogMessages.loading : "") : CatalogMessages.nothing
      }
    EmptyText.draw(&frame, [text], in: area, state)
  }

  // MARK: Tiles

  private func drawTiles(_ frame: inout TerminalFrame, _ area: Area, _ state: SharedState) {
    let width = (area.columns - 2 * columnCount) / columnCount
    for line in 0..<max(1, area.rows / CatalogTile.rowCount) {
      for column in 0..<columnCount {
        let index = (scrolling.top + line) * columnCount + column
        guard items.indices.contains(index) else { return }
        let place = Area(
          row: area.row + line * CatalogTile.rowCount, column: 1 + column * (width + 2),
          rows: CatalogTile.rowCount - 1, columns: width)
        var text = place
        if let cell = state.graphics?.cellSize {
          let cover = CatalogTile.cover(place, cell: cell)
          if let art = state.cover(of: items[index].uri, .small) { frame.addPicture(art, in: cover, cell: cell) }
          text.column += cover.columns + 1
          text.columns -= cover.columns + 1
        }
        drawTile(&frame, items[index], text, state)
        if index == focus {
          frame.markFocus(tile: place, text: text, state.appearance)
          frame.cursor = Position(row: text.row, column: text.column)
        }
        frame.addTarget(.row(index), place)
      }
    }
  }

  private func drawTile(_ frame: inout TerminalFrame, _ item: CatalogItem, _ place: Area, _ state: SharedState) {
    let appearance = state.appearance
    let isCurrent = item.uri == state.status?.track?.uri
    let symbols = RowSymbols(playback: isCurrent ? state.symbol : nil, isFavorite: item.favorite)
    let lines: [(String, Look)] = [
      (symbols.text(appearance) + item.kind.label, .dim),
      (item.title, isCurrent ? appearance.look(.accent, .bold) : .bold), (item.creator ?? "", .plain),
      (CatalogMessages.facts(item, dot: appearance.dot), .dim),
    ]
    // A station has no creator.
    for (line, (text, look)) in lines.filter({ !$0.0.isEmpty }).prefix(place.rows).enumerated() {
      frame.grid.write(
        text, row: place.row + line, column: place.column + 1, width: place.columns - 2, look: look,
        ellipsis: appearance.ellipsis)
    }
  }

  // MARK: The table

  private func drawTable(_ frame: inout TerminalFrame, _ area: Area, _ state: SharedState) {
    let appearance = state.appearance
    let columns = CatalogColumns(
      width: area.columns, hasCreators: items.contains { $0.creator?.isEmpty == false })
    for line in 0..<max(0, min(area.rows, items.count - scrolling.top)) {
      let (row, index) = (area.row + line, scrolling.top + line)
      let item = items[index]
      let isCurrent = item.uri == state.status?.track?.uri
      let look = isCurrent ? appearance.look(.accent, .bold) : Look.plain
      let target = Area(row: row, column: 0, rows: 1, columns: area.columns)
      RowSymbols(playback: isCurrent ? state.symbol : nil, isFavorite: item.favorite)
        .draw(&frame, target, look, appearance)
      let facts = CatalogMessages.facts(item, dot: appearance.dot)
      let cells = [
        (item.title, look, columns.title), (item.creator ?? "", look, columns.creator), (facts, .dim, columns.facts),
      ]
      for case (let text, let look, let place?) in cells {
        frame.grid.write(
          text, row: row, column: place.start, width: place.width, look: look, ellipsis: appearance.ellipsis)
      }
      if index == focus {
        frame.markFocus(target)
        frame.cursor = Position(row: row, column: 0)
      }
      frame.addTarget(.row(index), target)
    }
  }

  // MARK: Notes

  /// Returns the lines below the list: why no more items could be read, that the items are outdated, and the
  /// attribution that the provider requires.
  func notes(width: Int, _ state: SharedState) -> [(text: String, look: Look)] {
    var notes: [(String, Look)] = []
    if !items.isEmpty, let failure {
      notes += CatalogMessages.failure(failure, state).wrapped(to: width).map { ($0, state.appearance.look(.alert)) }
    }
    if let age = staleAge(at: state.now) {
      notes += CatalogMessages.stale(age).wrapped(to: width).map { ($0, state.appearance.look(.mark)) }
    }
    if let attribution = page?.attribution, !attribution.isEmpty {
      notes += attribution.visible.wrapped(to: width).map { ($0, .dim) }
    }
    return notes
  }
}

/// The columns of the table of items, as far as there is room.
private struct CatalogColumns {
  typealias Place = (start: Int, width: Int)

  let title: Place?
  private(set) var creator: Place?
  private(set) var facts: Place?

  /// Creates the columns. There is none for creators if no item has one, as with stations and people.
  init(width: Int, hasCreators: Bool) {
    let (start, end) = (5, width - 1)
    let available = max(1, end - start)
    guard available >= 40 else {
      title = (start, available)
      return
    }
    let titleWidth = available < 70 ? available * 3 / 5 : available * 2 / 5
    let creatorWidth = available < 70 ? available - titleWidth - 2 : available * 3 / 10 - 2
    title = (start, titleWidth)
    var next = start + titleWidth + 2
    if hasCreators {
      creator = (next, creatorWidth)
      next += creatorWidth + 2
    }
    if next < end { facts = (next, end - next) }
  }
}
