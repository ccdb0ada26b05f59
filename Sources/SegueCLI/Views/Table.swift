internal import SegueClientKit
internal import SegueUnicode

/// A table that fits the width of the terminal. The first rows determine the widths of the columns, so that a long list
/// can be printed while it is read.
struct Table {
  struct Column: Sendable {
    /// The share of a text column in the width that all text columns have together. A column with weight 0 is as wide
    /// as its widest cell and is never truncated.
    let weight: Int
    /// The minimum width, which later rows may need even if the first ones do not.
    let minimumWidth: Int
    /// The order in which columns are omitted if the table is too wide: highest first. Columns with 0 are always kept.
    let dropOrder: Int

    /// Creates a column for text.
    static func text(weight: Int = 1, dropOrder: Int = 0) -> Column {
      Column(weight: weight, minimumWidth: 0, dropOrder: dropOrder)
    }
    /// Creates a right-aligned column for numbers.
    static func number(minimumWidth: Int = 0, dropOrder: Int = 0) -> Column {
      Column(weight: 0, minimumWidth: minimumWidth, dropOrder: dropOrder)
    }
  }

  struct Row {
    var cells: [String]
    var paint: Style.Paint?
  }

  private static let gap = 2
  /// The minimum width of a text column. A narrower column is omitted.
  private static let minimumTextWidth = 8

  let columns: [Column]
  let style: Style
  /// The widths of the columns that are printed.
  private let widths: [(column: Int, width: Int)]

  init(_ columns: [Column], first rows: [Row], style: Style) {
    self.columns = columns
    self.style = style
    widths = Self.widths(columns, rows, available: style.columns)
  }

  /// Returns the line for a row.
  func line(_ row: Row) -> String {
    var line = ""
    for (index, shown) in widths.enumerated() {
      if index > 0 { line += String(repeating: " ", count: Self.gap) }
      let cell = row.cells[shown.column]
      if columns[shown.column].weight == 0 {
        line += cell.rightAligned(to: shown.width)
      } else if index == widths.count - 1 {
        line += cell.truncated(to: shown.width, ellipsis: style.ellipsis)
      } else {
        line += cell.padded(to: shown.width, ellipsis: style.ellipsis)
      }
    }
    line = line.truncated(to: style.columns, ellipsis: "")
    return row.paint.map { style.paint(line, $0) } ?? line
  }

  private static func widths(_ columns: [Column], _ rows: [Row], available: Int) -> [(column: Int, width: Int)] {
    var widths = columns.indices.map { column in
      rows.reduce(columns[column].minimumWidth) { max($0, DisplayWidth.of($1.cells[column])) }
    }
    var shown = columns.indices.filter { widths[$0] > 0 }
    func neededWidth(_ column: Int) -> Int {
      columns[column].weight == 0 ? widths[column] : min(widths[column], minimumTextWidth)
    }
    while shown.reduce(gap * (shown.count - 1), { $0 + neededWidth($1) }) > available,
      let last = shown.filter({ columns[$0].dropOrder > 0 }).max(by: { columns[$0].dropOrder < columns[$1].dropOrder })
    {
      shown.removeAll { $0 == last }
    }
    distribute(
      available - gap * (shown.count - 1) - shown.reduce(0) { $0 + (columns[$1].weight == 0 ? widths[$1] : 0) },
      among: shown.filter { columns[$0].weight > 0 }, columns, &widths)
    return shown.map { ($0, widths[$0]) }
  }

  /// Distributes the width among text columns. Columns that need less than their share get what they need; the others
  /// divide the rest by weight.
  private static func distribute(_ available: Int, among texts: [Int], _ columns: [Column], _ widths: inout [Int]) {
    var (available, rest) = (available, texts)
    while !rest.isEmpty {
      let weights = rest.reduce(0) { $0 + columns[$1].weight }
      let fitting = rest.filter { widths[$0] * weights <= available * columns[$0].weight }
      if fitting.isEmpty { break }
      available -= fitting.reduce(0) { $0 + widths[$1] }
      rest.removeAll(where: fitting.contains)
    }
    var weights = rest.reduce(0) { $0 + columns[$1].weight }
    for column in rest {
      let width = max(1, available * columns[column].weight / weights)
      (widths[column], available, weights) = (width, available - width, weights - columns[column].weight)
    }
  }
}
