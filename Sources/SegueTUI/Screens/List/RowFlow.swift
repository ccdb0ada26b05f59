/// The places of the rows of a list on the screen: below each other, and from top to bottom in several columns if one
/// column has no room for all rows. Groups of rows have headings, with a blank row above.
struct RowFlow {
  /// A place on the screen.
  struct Line: Equatable {
    enum Content: Equatable {
      /// The heading of the group that begins with a row.
      case heading(of: Int)
      case row(Int)
    }

    let content: Content
    /// The area of one row.
    let area: Area
  }

  private let area: Area
  private let count: Int
  /// The rows that follow a heading.
  private let headed: Set<Int>
  /// The number of columns, and the rows of each that are used.
  private let columns: Int
  private let height: Int
  /// Whether each group is in one column.
  private let keepsGroups: Bool

  /// Creates the places of `count` rows. Columns of the screen are at least `minimumColumns` wide; `headed` are the
  /// rows that follow a heading.
  init(_ area: Area, count: Int, headed: Set<Int> = [], minimumColumns: Int) {
    (self.area, self.count, self.headed) = (area, count, headed)
    let possible = max(1, area.columns / max(1, minimumColumns))
    // As few columns as possible have the same height, and groups stay whole if they fit.
    for columns in 1...possible {
      for keepsGroups in headed.count > 1 && columns > 1 ? [true, false] : [false] {
        let heights = columns == 1 ? area.rows...area.rows : 1...max(1, area.rows)
        for height in heights
        where Self.places(count, headed, columns, height, area.rows, keepsGroups, from: 0).count == count {
          (self.columns, self.height, self.keepsGroups) = (columns, height, keepsGroups)
          return
        }
      }
    }
    (columns, height, keepsGroups) = (possible, area.rows, false)
  }

  /// Returns the number of rows on the screen from a row on.
  func capacity(from top: Int) -> Int { max(1, places(from: top).count) }

  /// The largest number of rows on the screen.
  var maximum: Int { max(1, columns * height) }

  /// Returns what is on the screen, from a row on.
  func lines(from top: Int) -> [Line] {
    let width = area.columns / columns
    var lines: [Line] = []
    for (index, place) in places(from: top).enumerated() {
      let row = top + index
      func area(_ line: Int) -> Area {
        Area(
          row: self.area.row + line, column: self.area.column + place.column * width, rows: 1,
          columns: columns == 1 ? width : width - 1)
      }
      if headed.contains(row), place.line > 0 {
        lines.append(Line(content: .heading(of: row), area: area(place.line - 1)))
      }
      lines.append(Line(content: .row(row), area: area(place.line)))
    }
    return lines
  }

  private func places(from top: Int) -> [(column: Int, line: Int)] {
    Self.places(count, headed, columns, height, area.rows, keepsGroups, from: top)
  }

  /// Returns the column and the line in it of each row from `top` on, as far as there is room.
  private static func places(
    _ count: Int, _ headed: Set<Int>, _ columns: Int, _ height: Int, _ available: Int, _ keepsGroups: Bool,
    from top: Int
  ) -> [(column: Int, line: Int)] {
    var places: [(column: Int, line: Int)] = []
    var (column, line) = (0, 0)
    for row in top..<max(top, count) {
      if headed.contains(row) {
        // The blank row above is left out at the top, and on a low screen.
        let above = line == 0 ? 1 : available >= 12 ? 2 : 1
        let length = keepsGroups ? (row + 1..<count).first { headed.contains($0) }.map { $0 - row } ?? count - row : 1
        if line + above + length <= height {
          line += above
        } else {
          guard line > 0 || !keepsGroups else { return places }
          (column, line) = (column + 1, 1)
          if keepsGroups, 1 + length > height { return places }
        }
      } else if line == height {
        (column, line) = (column + 1, 0)
      }
      guard column < columns, line < height else { return places }
      places.append((column, line))
      line += 1
    }
    return places
  }
}
