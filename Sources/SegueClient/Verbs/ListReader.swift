internal import SegueSystem
internal import SegueWire

/// A long list, asked for page by page and shown while it is read: the next page is on its way while one is printed,
/// and none is kept. The last of a million tracks costs no more memory than the first.
struct ListReader<Item: Tabular> {
  private static var pageSize: Int { 1_000 }

  let session: Session
  let method: String
  /// The method's own parameters.
  var parameters: (inout JSONWriter) -> Void = { _ in }
  /// How many are wanted.
  var limit = Int.max
  /// Which of them are shown; nil for all.
  var filter: ((Item) -> Bool)?
  /// What a person reads above the list.
  var heading: String?
  /// What a person reads where there is nothing.
  var none: String?
  /// What a person reads where there is more than `limit`.
  var more: String?
  /// What a program reads in front of each line.
  var label = ""
  /// Whether what another query finds will do, where nothing matches.
  var takesCorrection = true

  private var name: String { "\(Item.listName)" }

  /// Prints the list: a table, lines of fields between tabs, or the answer as if it had come in one page. How many
  /// items were shown.
  @discardableResult
  func show() throws(ClientError) -> Int { session.options.json ? try showJSON() : try showLines() }

  private func showLines() throws(ClientError) -> Int {
    let (console, style) = (session.console, session.style)
    var table: Table?
    var count = 0
    var total = 0
    try pages { page throws(ClientError) in
      let items = wanted(page).map(Item.init)
      total = self.total(page)
      count += items.count
      guard style.isTerminal else {
        for item in items { console.line(label + item.tabSeparated) }
        return try session.flush()
      }
      let rows = items.map { $0.row(style) }
      guard !rows.isEmpty else { return true }
      if table == nil, let heading { console.line(style.paint(heading, .bold)) }
      let shown = table ?? Table(Item.columns, first: rows, style: style)
      table = shown
      for row in rows { console.line(shown.line(row)) }
      return try session.flush()
    }
    if style.isTerminal {
      if count == 0, let none { console.line(style.words(none).cut(to: style.columns, mark: style.ellipsis)) }
      if count > 0, total > count, let more {
        console.line(style.paint("\(style.ellipsis) \(total) in all: \(more)", .dim))
      }
    }
    return count
  }

  private func showJSON() throws(ClientError) -> Int {
    let console = session.console
    var count = 0
    var total: Int?
    try pages { page throws(ClientError) in
      if total == nil { console.part(bytes: Array(#"{"\#(name)":["#.utf8)) }
      total = self.total(page)
      for element in wanted(page) {
        var json = JSONWriter()
        json.value(element)
        console.part(bytes: count > 0 ? [UInt8(ascii: ",")] + json.bytes : json.bytes)
        count += 1
      }
      return try session.flush()
    }
    if let total { console.line(#"],"total":\#(filter == nil ? total : count),"offset":0}"#) }
    return count
  }

  private func wanted(_ page: JSON) -> [JSON] {
    let elements = (page[name]?.elements ?? []).prefix(limit)
    guard let filter else { return Array(elements) }
    return elements.filter { filter(Item($0)) }
  }

  /// Gives every page to `body` until it has enough.
  private func pages(_ body: (JSON) throws(ClientError) -> Bool) throws(ClientError) {
    let connection = try session.connection()
    var awaited: Int? = connection.send(request(0))
    var offset = 0
    while let id = awaited {
      let page = try session.answer(to: id, note: "reading the library…")
      if offset == 0, let correction = page["correction"]?.string {
        guard takesCorrection else { return }
        session.remark("no \(Item.noun) matches that; this is what “\(correction)” finds")
      }
      let count = page[name]?.elements?.count ?? 0
      offset += min(count, EntryRange.highest)
      let isCounted = page["exact"]?.bool ?? true
      let isLast = count == 0 || offset >= limit || isCounted && offset >= total(page)
      awaited = isLast ? nil : connection.send(request(offset))
      guard try body(page) else { return }
    }
  }

  private func request(_ offset: Int) -> Request {
    Request(method) {
      parameters(&$0)
      $0.member("offset", offset)
      $0.member("limit", min(Self.pageSize, limit - offset))
    }
  }

  private func total(_ page: JSON) -> Int { (page["total"]?.int ?? 0).clamped(to: 0...EntryRange.highest) }
}

extension Session {
  /// A word on standard error that is no failure; nothing under `--quiet`.
  func remark(_ text: String) {
    if !options.quiet { console.complain(text) }
  }
}
