// On the thread of its connection only.

internal import SegueSQLite
internal import SegueWire

/// A reader of a list that can start at any position.
struct ListPager {
  /// A row and its weight: the number of items that it stands for.
  struct Row {
    var id: Int64
    var weight: Int
  }

  private let connection: SQLiteConnection
  private let list: LibraryList
  /// The numbers of items between the checkpoints. If the checkpoints are outdated, it has one element: the total.
  private var counts: [Int] = []
  private let hasCheckpoints: Bool
  /// The number of items in the list.
  let total: Int

  init(_ list: LibraryList, _ connection: SQLiteConnection) throws(StoreError) {
    self.connection = connection
    self.list = list
    hasCheckpoints = try StoredNumber.read(.checkpointsAreCurrent, connection) == 1
    if hasCheckpoints {
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

  private func checkpoint(_ index: Int) throws(StoreError) -> (key: ListKey, id: Int64) {
    guard hasCheckpoints else { return (.first, .min) }
    let row = try connection.statement("SELECT key, id FROM mark WHERE list = ? ORDER BY key, id LIMIT 1 OFFSET ?")
    row.bind(1, list.rawValue)
    row.bind(2, Int64(index))
    defer { row.reset() }
    return try row.step() ? (ListKey(row, 0), row.integer(1) ?? 0) : (.first, .min)
  }

  /// Calls `visit` with the rows from position `start` on, in order, until it returns false. The first row may begin before
  /// `start`: `skipped` is the number of its items before `start`.
  func visit(from start: Int, _ visit: (Row, _ skipped: Int) throws(StoreError) -> Bool) throws(StoreError) {
    guard start < total else { return }
    var left = start
    var index = 0
    while index < counts.count - 1, left >= counts[index] {
      left -= counts[index]
      index += 1
    }
    let checkpoint = try checkpoint(index)
    // The rows with the key of the checkpoint come first, because a long run of one key may contain several checkpoints.
    for equal in [true, false] {
      if equal, checkpoint.key == .first { continue }
      let rows = try connection.statement(
        equal
          ? list.rows("\(list.key) = ?1 AND id >= ?2")
          : list.rows(checkpoint.key == .first ? "1" : "\(list.key) > ?1"))
      if checkpoint.key != .first { checkpoint.key.bind(to: rows, 1) }
      if equal { rows.bind(2, checkpoint.id) }
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

  /// Returns the ids of a page of the list in `order`. If there is an expansion, it replaces each row by its items.
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

  /// A function that returns the items of a row: at most `limit` of them, without the first `skipped` ones.
  typealias Expansion = (_ row: Int64, _ skipped: Int, _ limit: Int) throws(StoreError) -> [Int64]
}
