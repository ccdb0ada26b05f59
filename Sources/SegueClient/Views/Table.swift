/// Rows in columns as wide as they need to be, and together no wider than the terminal. The first rows set the widths,
/// so that a list of any length is shown while it is read.
struct Table {
  struct Column: Sendable {
    /// Its part of the room that texts share; 0: as wide as its widest cell, and never cut.
    let weight: Int
    /// What later rows may need though the first do not.
    let least: Int
    /// Columns are left out where there is no room, the highest rank first; 0 never.
    let rank: Int

    static func text(weight: Int = 1, rank: Int = 0) -> Column { Column(weight: weight, least: 0, rank: rank) }
    /// Digits, on the right.
    static func number(least: Int = 0, rank: Int = 0) -> Column { Column(weight: 0, least: least, rank: rank) }
  }

  struct Row {
    var cells: [String]
    var paint: Style.Paint?
  }

  private static let gap = 2
  /// A text cut shorter is not worth its column.
  private static let readable = 8

  let columns: [Column]
  let style: Style
  /// Of the columns that are shown.
  private let widths: [(column: Int, width: Int)]

  init(_ columns: [Column], first rows: [Row], style: Style) {
    self.columns = columns
    self.style = style
    widths = Self.widths(columns, rows, room: style.columns)
  }

  func line(_ row: Row) -> String {
    var line = ""
    for (place, shown) in widths.enumerated() {
      if place > 0 { line += String(repeating: " ", count: Self.gap) }
      let cell = row.cells[shown.column]
      if columns[shown.column].weight == 0 {
        line += cell.rightAligned(to: shown.width)
      } else if place == widths.count - 1 {
        line += cell.cut(to: shown.width, mark: style.ellipsis)
      } else {
        line += cell.padded(to: shown.width, mark: style.ellipsis)
      }
    }
    line = line.cut(to: style.columns, mark: "")
    return row.paint.map { style.paint(line, $0) } ?? line
  }

  private static func widths(_ columns: [Column], _ rows: [Row], room: Int) -> [(column: Int, width: Int)] {
    var widths = columns.indices.map { column in
      rows.reduce(columns[column].least) { max($0, Columns.of($1.cells[column])) }
    }
    var shown = columns.indices.filter { widths[$0] > 0 }
    func taken(_ column: Int) -> Int { columns[column].weight == 0 ? widths[column] : min(widths[column], readable) }
    while shown.reduce(gap * (shown.count - 1), { $0 + taken($1) }) > room,
      let last = shown.filter({ columns[$0].rank > 0 }).max(by: { columns[$0].rank < columns[$1].rank })
    {
      shown.removeAll { $0 == last }
    }
    share(
      room - gap * (shown.count - 1) - shown.reduce(0) { $0 + (columns[$1].weight == 0 ? widths[$1] : 0) },
      among: shown.filter { columns[$0].weight > 0 }, columns, &widths)
    return shown.map { ($0, widths[$0]) }
  }

  /// Gives each text what it needs if that is no more than its share, and the others what is left.
  private static func share(_ room: Int, among texts: [Int], _ columns: [Column], _ widths: inout [Int]) {
    var (room, rest) = (room, texts)
    while !rest.isEmpty {
      let weights = rest.reduce(0) { $0 + columns[$1].weight }
      let modest = rest.filter { widths[$0] * weights <= room * columns[$0].weight }
      if modest.isEmpty { break }
      room -= modest.reduce(0) { $0 + widths[$1] }
      rest.removeAll(where: modest.contains)
    }
    var weights = rest.reduce(0) { $0 + columns[$1].weight }
    for column in rest {
      let width = max(1, room * columns[column].weight / weights)
      (widths[column], room, weights) = (width, room - width, weights - columns[column].weight)
    }
  }
}
