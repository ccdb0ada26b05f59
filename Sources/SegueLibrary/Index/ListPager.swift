// On the thread of its connection only.

/// Walks through a list from any place on.
struct ListPager {
  /// A row, and how many it stands for.
  struct Row {
    var id: Int64
    var weight: Int
  }

  private let connection: SQLiteConnection
  private let list: LibraryList
  /// How many there are from each mark up to the next; one for all while the marks are of no use.
  private var counts: [Int] = []
  private let areMarked: Bool
  /// How long the list is.
  let total: Int

  init(_ list: LibraryList, _ connection: SQLiteConnection) throws(StoreError) {
    self.connection = connection
    self.list = list
    areMarked = try Meta.read(.marksAreFresh, connection) == 1
    if areMarked {
      let rows = try connection.statement("SELECT count FROM mark WHERE list = ? ORDER BY key, id")
      rows.bind(1, list.rawValue)
      defer { rows.reset() }
      while try rows.step() { counts.append(Int(rows.integer(0) ?? 0)) }
    } else {
      counts = [
        Int(
          try connection.integer("SELECT coalesce(sum(\(list.weight)), 0) FROM \(list.table) WHERE \(list.condition)"))
      ]
    }
    total = counts.reduce(0, +)
  }

  private func mark(_ index: Int) throws(StoreError) -> (key: ListKey, id: Int64) {
    guard areMarked else { return (.first, .min) }
    let row = try connection.statement("SELECT key, id FROM mark WHERE list = ? ORDER BY key, id LIMIT 1 OFFSET ?")
    row.bind(1, list.rawValue)
    row.bind(2, Int64(index))
    defer { row.reset() }
    return try row.step() ? (ListKey(row, 0), row.integer(1) ?? 0) : (.first, .min)
  }

  /// Calls `visit` with the rows from place `start` on, in order, until it answers false. The first row may begin
  /// before `start`: `skipped` of what it stands for lie before.
  func visit(from start: Int, _ visit: (Row, _ skipped: Int) throws(StoreError) -> Bool) throws(StoreError) {
    guard start < total else { return }
    var left = start
    var index = 0
    while index < counts.count - 1, left >= counts[index] {
      left -= counts[index]
      index += 1
    }
    let mark = try mark(index)
    // First what is equal to the mark, so that a long run of one key is entered where it should be.
    for equal in [true, false] {
      if equal, mark.key == .first { continue }
      let rows = try connection.statement(
        equal
          ? list.rows("\(list.key) = ?1 AND id >= ?2")
          : list.rows(mark.key == .first ? "1" : "\(list.key) > ?1"))
      if mark.key != .first { mark.key.bind(to: rows, 1) }
      if equal { rows.bind(2, mark.id) }
      defer { rows.reset() }
      while try rows.step() {
        let row = Row(id: rows.integer(1) ?? 0, weight: Int(rows.integer(2) ?? 0))
        if left >= row.weight {
          left -= row.weight
          continue
        }
        guard try visit(row, left) else { return }
        left = 0
      }
    }
  }

  /// At most `limit` from place `offset` on, as if the list stood in `order`.
  func ids(_ page: PageRequest, _ order: SortOrder, expanding: Expansion? = nil) throws(StoreError) -> [Int64] {
    var (first, count) = (page.offset, min(page.limit, max(0, total - page.offset)))
    if order == .descending { first = max(0, total - page.offset - count) }
    guard count > 0 else { return [] }
    var ids: [Int64] = []
    ids.reserveCapacity(count)
    try visit(from: first) { (row, skipped) throws(StoreError) in
      if let expanding {
        let found = try expanding(row.id, skipped, count)
        ids += found
        count -= found.count
      } else {
        ids.append(row.id)
        count -= 1
      }
      return count > 0
    }
    return order == .descending ? ids.reversed() : ids
  }

  /// What a row stands for: of the row, so many skipped, at most so many.
  typealias Expansion = (_ row: Int64, _ skipped: Int, _ limit: Int) throws(StoreError) -> [Int64]
}
