internal import SegueClientKit
internal import SegueSystem
internal import SegueWire

/// The output of a list of items of a catalogue: a table or tiles on a terminal, else lines with tabs.
struct CatalogListing {
  /// The maximum size of a picture in a table, in cells.
  private static let pictureSize = (columns: 4, rows: 2)

  let context: VerbContext
  let items: [CatalogItem]
  /// The number of the first item.
  let first: Int
  let usesTiles: Bool
  /// The terminal; nil if it displays no pictures.
  let terminal: GraphicsTerminal?

  /// Prints the items, numbered if they are for a user, and keeps them for the next command.
  func show() throws(ClientError) {
    let numbering = context.resultNumbering(first: first)
    let showsKind = Set(items.map(\.kind)).count > 1
    let rows = items.map { item in
      ItemRow(
        item: item, number: numbering.map { $0.number(item.uri, item.heading(context.style)) }, showsKind: showsKind)
    }
    if !context.style.isTerminal {
      for row in rows { context.console.printLine(row.tabSeparated) }
    } else if usesTiles {
      try showTiles(rows)
    } else {
      try showTable(rows)
    }
    context.keep(numbering)
  }

  private func showTable(_ rows: [ItemRow]) throws(ClientError) {
    let (console, style) = (context.console, context.style)
    let covers = try covers()
    guard let terminal, !covers.isEmpty else {
      let cells = rows.map { $0.row(style) }
      let table = Table(ItemRow.columns, first: cells, style: style)
      for row in cells { console.printLine(table.line(row)) }
      return
    }
    let indent = Self.pictureSize.columns + 1
    var narrow = style
    narrow.columns -= indent
    let cells = rows.map { $0.row(narrow) }
    let table = Table(ItemRow.columns, first: cells, style: narrow)
    for (row, cells) in zip(rows, cells) {
      if let cover = covers[row.item.uri] {
        context.draw(cover.path, cover.box(terminal, maximum: Self.pictureSize), terminal)
      }
      console.printLine("\u{1B}[\(indent)C" + table.line(cells))
      console.printLine("\u{1B}[\(indent)C" + style.paint(narrow.fitted("    " + row.item.shortFacts(style)), .dim))
    }
  }

  private func showTiles(_ rows: [ItemRow]) throws(ClientError) {
    let covers = try covers()
    let tiles = ItemTiles(rows: rows, style: context.style, hasPictures: !covers.isEmpty)
    for group in tiles.groups {
      if let terminal {
        for (index, row) in group.enumerated() {
          guard let cover = covers[row.item.uri] else { continue }
          let box = cover.box(terminal, maximum: ItemTiles.pictureSize)
          context.draw(cover.path, box, terminal, column: tiles.column(index))
          context.console.write([UInt8(ascii: "\r")])
        }
      }
      for line in tiles.lines(group) { context.console.printLine(line) }
    }
  }

  /// Returns the covers that arrive in time.
  private func covers() throws(ClientError) -> [String: Cover] {
    guard let terminal, context.style.columns >= VerbContext.minimumColumns else { return [:] }
    return try context.covers(of: items.filter { $0.art != nil }.map(\.uri), for: terminal)
  }
}

/// The line below a page of items that says how to show more of them.
struct CatalogPageHint {
  let offset: Int
  let count: Int
  let limit: Int
  /// The number of all items; nil if the provider does not say it.
  let total: Int?
  /// The number of the page.
  let page: Int

  /// Prints the line on a terminal if there are more items, or if there may be more.
  func show(_ context: VerbContext) {
    guard context.style.isTerminal, count > 0, let text else { return }
    context.console.printLine(context.style.paint("\(context.style.ellipsis) \(text)", .dim))
  }

  private var text: String? {
    guard let total else { return count >= limit ? tr("more: %1$s", "--page \(page + 1)") : nil }
    return offset + count < total ? tr("%1$d in total: %2$s", total, "--page \(page + 1)") : nil
  }
}

/// The lines below a list or an item: the age of an outdated response and the attribution that the provider requires.
struct CatalogNotes {
  let attribution: String?
  let isStale: Bool
  let age: MediaTime?

  /// Prints the lines on a terminal. In the output for programs, only a notice of outdated results is printed, to
  /// standard error.
  func show(_ context: VerbContext) {
    let style = context.style
    if isStale { context.style.isTerminal ? line(staleness, .yellow, context) : context.printNotice(staleness) }
    guard style.isTerminal, let attribution, !attribution.isEmpty else { return }
    line(attribution.visible, .dim, context)
  }

  private func line(_ text: String, _ paint: Style.Paint, _ context: VerbContext) {
    // The attribution must be legible, so it is wrapped instead of truncated.
    for part in text.wrapped(to: context.style.columns) { context.console.printLine(context.style.paint(part, paint)) }
  }

  private var staleness: String { age.map(\.staleness) ?? tr("from the cache") }
}

extension MediaTime {
  /// The notice of results of this age, which is rounded down to its largest unit: `from the cache, 3 hours old`.
  var staleness: String {
    let seconds = max(0, Int(nanoseconds / 1_000_000_000))
    switch seconds {
    case ..<60: return trn("from the cache, %1$d second old", "from the cache, %1$d seconds old", seconds)
    case ..<3_600: return trn("from the cache, %1$d minute old", "from the cache, %1$d minutes old", seconds / 60)
    case ..<86_400: return trn("from the cache, %1$d hour old", "from the cache, %1$d hours old", seconds / 3_600)
    default: return trn("from the cache, %1$d day old", "from the cache, %1$d days old", seconds / 86_400)
    }
  }
}
