/// The columns of a table in which the rows that were read have texts. A column without any is left out, so that the
/// others get its room.
struct FilledColumns {
  private var columns: Set<ItemColumn> = []
  /// The version of the list in which the columns are filled.
  private var version: UInt64 = 0

  /// Whether no row was read.
  var isEmpty: Bool { columns.isEmpty }

  /// Takes over rows that were read in a version of the list. The rows of an earlier version do not count any more.
  mutating func add<Row>(_ rows: [Row], version: UInt64, hasText: (Row, ItemColumn) -> Bool) {
    if version != self.version { (columns, self.version) = ([], version) }
    for column in ItemColumn.allCases where !columns.contains(column) {
      if rows.contains(where: { hasText($0, column) }) { columns.insert(column) }
    }
  }

  /// Returns the filled columns among others; all of these if no row was read.
  func filled(of candidates: [ItemColumn]) -> [ItemColumn] {
    columns.isEmpty ? candidates : candidates.filter(columns.contains)
  }
}
