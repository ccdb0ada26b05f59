// On the thread of its connection only.

/// The values of rows by their ids. Each row is read once, and the rows are read in the order of the file, which costs a
/// fraction of reading them in any order.
struct RowLookup<Value> {
  private var values: [Int64: Value] = [:]

  /// Reads rows.
  ///
  /// - Parameter sql: A statement that selects a row by its id. The row may be missing.
  init(
    _ ids: [Int64], _ sql: String, _ connection: SQLiteConnection, _ value: (SQLiteStatement) -> Value
  ) throws(StoreError) {
    let row = try connection.statement(sql)
    defer { row.reset() }
    for id in Set(ids).sorted() {
      row.bind(1, id)
      if try row.step() { values[id] = value(row) }
      row.reset()
    }
  }

  subscript(id: Int64) -> Value? { values[id] }
}
