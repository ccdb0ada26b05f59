internal import SegueClientKit
internal import SegueRPC
internal import SegueSystem
internal import SegueWire

/// A reader that requests a long list page by page and prints each page while the next one is on its way. No page is
/// kept, so memory use does not depend on the length of the list.
struct ListReader<Item: Tabular> {
  let context: VerbContext
  /// The request for the list. Its page is replaced by those that are read.
  let request: any PagedRequest
  /// The maximum number of items to read.
  private(set) var limit = Int.max
  /// The condition for items to be printed. If it is nil, all items are printed.
  private(set) var filter: ((Item) -> Bool)?
  /// The line above the list on a terminal.
  private(set) var heading: String?
  /// The line that replaces an empty list on a terminal.
  private(set) var emptyMessage: String?
  /// The command that shows the rest if the list has more than `limit` items. It is shown on a terminal.
  private(set) var moreHint: String?
  /// The prefix of every line in the output for programs.
  private(set) var linePrefix = ""
  /// Whether results of a corrected query are printed if the query itself has none.
  private(set) var acceptsCorrection = true
  /// Announces the corrected query whose results follow. If it is nil, the notice is about items of this kind.
  private(set) var announceCorrection: ((String) -> Void)?
  /// The numbering of the items as results. If it is nil, they are not numbered.
  private(set) var numbering: ResultNumbering?

  private var name: String { "\(Item.listName)" }

  /// Prints the list as a table, as lines with tabs, or as a single JSON object. Returns the number of printed items.
  @discardableResult
  func show() throws(ClientError) -> Int { context.printsJSON ? try showJSON() : try showLines() }

  /// Prints the list, and keeps its items as results for the next command. Returns the number of printed items.
  @discardableResult
  func showAsResults() throws(ClientError) -> Int {
    var reader = self
    reader.numbering = context.resultNumbering()
    let count = try reader.show()
    context.keep(reader.numbering)
    if count == 0 { context.discardResults() }
    return count
  }

  private func showLines() throws(ClientError) -> Int {
    let (console, style) = (context.console, context.style)
    var table: Table?
    var count = 0
    var total = 0
    try pages { page throws(ClientError) in
      let items = filteredElements(page).map(Item.init)
      total = self.total(page)
      count += items.count
      guard style.isTerminal else {
        for item in items { console.printLine(linePrefix + item.tabSeparated(style, numbering)) }
        return try context.flush()
      }
      let rows = items.map { $0.row(style, numbering) }
      guard !rows.isEmpty else { return true }
      if table == nil, let heading { console.printLine(style.paint(heading, .bold)) }
      let shown = table ?? Table(columns, first: rows, style: style)
      table = shown
      for row in rows { console.printLine(shown.line(row)) }
      return try context.flush()
    }
    if style.isTerminal {
      if count == 0, let emptyMessage {
        console.printLine(style.fitted(style.withASCIIFallback(emptyMessage)))
      }
      if count > 0, total > count, let moreHint {
        console.printLine(style.paint("\(style.ellipsis) " + tr("%1$d in total: %2$s", total, moreHint), .dim))
      }
    }
    return count
  }

  /// The columns of the items, with one for the numbers of results.
  private var columns: [Table.Column] {
    guard numbering != nil else { return Item.columns }
    var columns = Item.columns
    switch Item.numberPlace {
    case .inserted(let index): columns.insert(.number(minimumWidth: 2), at: index)
    case .replacing(let index): columns[index] = .number(minimumWidth: 2)
    }
    return columns
  }

  private func showJSON() throws(ClientError) -> Int {
    let console = context.console
    var count = 0
    var total: Int?
    try pages { page throws(ClientError) in
      if total == nil { console.write(Array(#"{"\#(name)":["#.utf8)) }
      total = self.total(page)
      for element in filteredElements(page) {
        var json = JSONWriter()
        json.value(element)
        let elements = JSONLine.escapingControls(json.bytes)
        console.write(count > 0 ? [UInt8(ascii: ",")] + elements : elements)
        count += 1
      }
      return try context.flush()
    }
    if let total { console.printLine(#"],"total":\#(filter == nil ? total : count),"offset":0}"#) }
    return count
  }

  /// Returns the elements of a page within the limit that satisfy the filter.
  private func filteredElements(_ page: JSON) -> [JSON] {
    let elements = (page[name]?.elements ?? []).prefix(limit)
    guard let filter else { return Array(elements) }
    return elements.filter { filter(Item($0)) }
  }

  /// Passes every page to `body` until it returns false.
  private func pages(_ body: (JSON) throws(ClientError) -> Bool) throws(ClientError) {
    var pendingID: Int? = try context.send(request(0))
    var offset = 0
    while let id = pendingID {
      let page = try context.response(to: id, progress: tr("reading the library…"))
      if offset == 0, let correction = page["correction"]?.string {
        guard acceptsCorrection else { return }
        if let announceCorrection {
          announceCorrection(correction)
        } else {
          context.printNotice(Item.correctionNotice(correction))
        }
      }
      let count = page[name]?.elements?.count ?? 0
      offset += min(count, EntryRange.maximum)
      let isTotalExact = page["exact"]?.bool ?? true
      let isLast = count == 0 || offset >= limit || isTotalExact && offset >= total(page)
      pendingID = isLast ? nil : try context.send(request(offset))
      guard try body(page) else { return }
    }
  }

  private func request(_ offset: Int) -> EncodedRequest {
    var request = request
    request.offset = offset
    request.limit = min(ResponseLimits.listLength, limit - offset)
    return EncodedRequest(request)
  }

  private func total(_ page: JSON) -> Int { (page["total"]?.int ?? 0).clamped(to: 0...EntryRange.maximum) }
}
