internal import SegueClientKit
internal import SegueWire

/// The places of picture and text, which depend on the size of the screen and of the picture.
struct DetailsLayout {
  /// The place of the picture; nil without one.
  let picture: Area?
  let text: Area

  init(_ size: ScreenSize, _ art: Art?, cell: (width: Int, height: Int)?) {
    let top = size.rows >= 12 ? 2 : 1
    let rows = max(1, size.rows - 2 - top)
    guard let art, let cell, rows >= 5, size.columns >= 60 else {
      picture = nil
      text = Area(row: top, column: 1, rows: rows, columns: max(1, size.columns - 2))
      return
    }
    // A blank row separates the picture from the status line.
    let maximum = (columns: size.columns * 2 / 5, rows: size.rows >= 12 ? rows - 1 : rows)
    let box = PictureBox(art.width, art.height, cell: cell, maximum: maximum, scalesUp: true)
    picture = Area(row: top, column: 1, rows: box.rows, columns: box.columns)
    let column = box.columns + 3
    text = Area(row: top, column: column, rows: rows, columns: max(1, size.columns - column - 1))
  }
}

/// The text of the details as lines that fit beside the picture.
struct DetailsText {
  let lines: [DetailsScreen.Line]

  init(_ screen: DetailsScreen, _ state: SharedState) {
    let layout = DetailsLayout(state.size, screen.art(state), cell: state.graphics?.cellSize)
    let width = layout.text.columns - 2
    let item = screen.item
    func wrapped(_ text: String, isEmphasized: Bool = false) -> [DetailsScreen.Line] {
      text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { paragraph -> [DetailsScreen.Line] in
        let lines = String(paragraph).visible.wrapped(to: width)
        return (lines.isEmpty ? [""] : lines).map { .text($0, isEmphasized: isEmphasized) }
      }
    }
    var lines = wrapped(item.title, isEmphasized: true)
    lines += DetailsMessages.members(item, state).filter { !$0.value.isEmpty }.map { .label($0.label, $0.value) }
    if let description = item.description, !description.isEmpty {
      lines += [.text("", isEmphasized: false)] + wrapped(description)
    }
    if screen.isLoading { lines += wrapped(CatalogMessages.loading) }
    if let failure = screen.failure, screen.details == nil { lines += wrapped(CatalogMessages.failure(failure, state)) }
    if let details = screen.details, !details.contents.isEmpty {
      let total = max(details.contents.count, details.total ?? 0)
      lines += [
        .text("", isEmphasized: false), .heading(DetailsMessages.contents(item.kind, details.contents.count, total)),
      ]
      lines += details.contents.indices.map { .content($0) }
    }
    if let age = screen.staleAge(at: state.now) { lines += wrapped(CatalogMessages.stale(age)) }
    if let attribution = screen.details?.attribution ?? item.credit, !attribution.isEmpty {
      lines += [.text("", isEmphasized: false)] + wrapped(attribution)
    }
    self.lines = lines
  }
}

extension DetailsScreen {
  func draw(_ frame: inout TerminalFrame, _ state: SharedState) {
    let appearance = state.appearance
    TitleLine.draw(
      &frame, item.kind.label.prefix(1).uppercased() + item.kind.label.dropFirst(),
      item.favorite ? appearance.favorite + " " + tr("favorite") : "",
      state)
    let layout = DetailsLayout(state.size, art(state), cell: state.graphics?.cellSize)
    if let art = art(state), let area = layout.picture, let cell = state.graphics?.cellSize {
      frame.addPicture(art, in: area, cell: cell)
    }
    let text = layout.text
    let lines = DetailsText(self, state).lines
    for (offset, line) in lines.dropFirst(scrolling.top).prefix(text.rows).enumerated() {
      let (row, index) = (text.row + offset, scrolling.top + offset)
      draw(line, &frame, row, text, state)
      let area = Area(row: row, column: text.column, rows: 1, columns: text.columns)
      if index == scrolling.focus {
        frame.grid.restyle(area) { $0.emphasis.insert(.reversed) }
        frame.cursor = Position(row: row, column: text.column)
      }
      frame.addTarget(.row(index), area)
    }
  }

  private func draw(_ line: Line, _ frame: inout TerminalFrame, _ row: Int, _ area: Area, _ state: SharedState) {
    let (column, width, ellipsis) = (area.column + 1, area.columns - 2, state.appearance.ellipsis)
    switch line {
    case .text(let text, let isEmphasized):
      frame.grid.write(text, row: row, column: column, width: width, look: isEmphasized ? .bold : .plain)
    case .heading(let text): frame.grid.write(text, row: row, column: column, width: width, look: .bold)
    case .label(let label, let value):
      let start = min(16, width / 3)
      frame.grid.write(label, row: row, column: column, width: start - 1, look: .dim, ellipsis: ellipsis)
      frame.grid.write(value, row: row, column: column + start, width: width - start, ellipsis: ellipsis)
    case .content(let index):
      guard let content = details?.contents[index] else { return }
      let facts = CatalogMessages.facts(content, dot: state.appearance.dot)
      let mark = content.favorite ? "\(state.appearance.favorite) " : ""
      let used = frame.grid.write(
        mark + content.title, row: row, column: column + 2, width: width * 3 / 5, ellipsis: ellipsis)
      frame.grid.write(
        facts, row: row, column: column + 2 + used + 2, width: width - used - 4, look: .dim, ellipsis: ellipsis)
    }
  }
}
