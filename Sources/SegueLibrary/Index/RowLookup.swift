// On the thread of its connection only.

/// What some rows of a table say, by their numbers: each row is read once, and those that lie side by side one after
/// another, which costs a fraction of reading them as they come.
struct RowLookup<Value> {
  private var values: [Int64: Value] = [:]

  /// `sql`: a row by its number. There need not be one.
  init(
    _ numbers: [Int64], _ sql: String, _ connection: SQLiteConnection, _ value: (SQLiteStatement) -> Value
  ) throws(StoreError) {
    let row = try connection.statement(sql)
    defer { row.reset() }
    for number in Set(numbers).sorted() {
      row.bind(1, number)
      if try row.step() { values[number] = value(row) }
      row.reset()
    }
  }

  subscript(number: Int64) -> Value? { values[number] }
}
