internal import SegueSystem

/// The form in which a list displays its items.
enum ItemForm {
  /// A row for each item, with columns.
  case table
  /// Covers with text below them, as many beside and below each other as fit.
  case grid
}

/// The places of the items of a list in its area.
struct ItemLayout {
  /// The row below items with covers, and the minimum number of columns between them.
  private static let gap = 1
  /// The number of rows of a cover: as many as two rows of items have room for, within these limits.
  private static let coverRows = 5...10
  /// The rows of text below a cover.
  private static let captionRows = 2

  let form: ItemForm
  private let area: Area
  /// The size of an item without the space between items.
  private let size: ScreenSize
  /// The rows of the cover of an item.
  private let coverRows: Int
  /// The number of items beside each other, and the columns between them.
  let columnCount: Int
  private let space: Int

  /// Creates the layout. `cell` is the size of a cell in pixels.
  init(_ form: ItemForm, _ area: Area, cell: (width: Int, height: Int)) {
    self.form = form
    self.area = area
    switch form {
    case .table:
      (size, coverRows) = (ScreenSize(rows: 1, columns: area.columns), 0)
      (columnCount, space) = (1, 0)
    case .grid:
      let below = Self.captionRows + Self.gap
      // There is no gap below the last row of items.
      let half = (area.rows + Self.gap) / 2
      let rows = max(1, min((half - below).clamped(to: Self.coverRows), area.rows - below))
      let columns = min(Self.squareColumns(rows, cell), area.columns - 2 * Self.gap)
      (size, coverRows) = (ScreenSize(rows: rows + Self.captionRows, columns: max(1, columns)), rows)
      columnCount = max(1, (area.columns - Self.gap) / (size.columns + 2 * Self.gap))
      space = max(0, (area.columns - columnCount * size.columns) / (columnCount + 1))
    }
  }

  /// Returns the number of columns of a square with this number of rows.
  static func squareColumns(_ rows: Int, _ cell: (width: Int, height: Int)) -> Int {
    max(1, (rows * cell.height + cell.width / 2) / cell.width)
  }

  /// The number of items that fit into the area, at least 1.
  var capacity: Int {
    switch form {
    case .table: max(1, area.rows)
    case .grid: columnCount * max(1, (area.rows + Self.gap) / (size.rows + Self.gap))
    }
  }

  /// Returns the area of an item, by its number among the displayed ones.
  func place(_ number: Int) -> Area {
    switch form {
    case .table: area.line(number)
    case .grid:
      Area(
        row: area.row + number / columnCount * (size.rows + Self.gap),
        column: area.column + space + number % columnCount * (size.columns + space), rows: size.rows,
        columns: size.columns)
    }
  }

  /// Returns the area of the cover of an item.
  func cover(_ number: Int) -> Area {
    var place = place(number)
    place.rows = coverRows
    return place
  }

  /// Returns the area of the text of an item, which is wider than the cover if there is room beside it.
  func text(_ number: Int) -> Area {
    var text = place(number)
    text.remove(rows: coverRows)
    text.columns += max(0, space - 2 * Self.gap)
    return text
  }
}
