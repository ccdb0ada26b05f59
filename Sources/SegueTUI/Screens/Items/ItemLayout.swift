internal import SegueSystem

/// The form in which a list displays its items.
enum ItemForm {
  /// A row for each item, with columns.
  case table
  /// Covers with text beside them, below each other.
  case covers
  /// Covers with text below them, beside each other. The list scrolls horizontally.
  case gallery
}

/// The places of the items of a list in its area.
struct ItemLayout {
  /// The rows and columns around items with covers.
  private static let gap = 1
  /// The rows of an item with a cover beside its text.
  private static let coverRows = 4
  /// The maximum number of rows of a cover in a gallery, so that several fit beside each other.
  private static let galleryRows = 12
  /// The rows of text below a cover.
  private static let captionRows = 2

  let form: ItemForm
  private let area: Area
  /// The size of an item without the space between items.
  private let size: ScreenSize
  /// The maximum size of a cover.
  private let coverSize: ScreenSize

  /// Creates the layout. `cell` is the size of a cell in pixels.
  init(_ form: ItemForm, _ area: Area, cell: (width: Int, height: Int)) {
    self.form = form
    self.area = area
    switch form {
    case .table:
      size = ScreenSize(rows: 1, columns: area.columns)
      coverSize = ScreenSize(rows: 0, columns: 0)
    case .covers:
      size = ScreenSize(rows: min(Self.coverRows, area.rows), columns: area.columns - 2 * Self.gap)
      coverSize = ScreenSize(rows: size.rows, columns: Self.squareColumns(size.rows, cell))
    case .gallery:
      let rows = (area.rows - Self.captionRows - Self.gap).clamped(to: 1...Self.galleryRows)
      coverSize = ScreenSize(rows: rows, columns: min(Self.squareColumns(rows, cell), area.columns - 2 * Self.gap))
      size = ScreenSize(rows: rows + Self.captionRows, columns: coverSize.columns)
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
    case .covers: max(1, (area.rows + Self.gap) / (size.rows + Self.gap))
    case .gallery: max(1, (area.columns - Self.gap) / (size.columns + 2 * Self.gap))
    }
  }

  /// Returns the area of an item, by its number among the displayed ones.
  func place(_ number: Int) -> Area {
    switch form {
    case .table: Area(row: area.row + number, column: area.column, rows: 1, columns: area.columns)
    case .covers:
      Area(
        row: area.row + number * (size.rows + Self.gap), column: area.column + Self.gap, rows: size.rows,
        columns: size.columns)
    case .gallery:
      Area(
        row: area.row, column: area.column + Self.gap + number * (size.columns + 2 * Self.gap), rows: size.rows,
        columns: size.columns)
    }
  }

  /// Returns the area of the cover of an item.
  func cover(_ number: Int) -> Area {
    let place = place(number)
    return Area(row: place.row, column: place.column, rows: coverSize.rows, columns: coverSize.columns)
  }

  /// Returns the area of the text of an item.
  func text(_ number: Int) -> Area {
    var text = place(number)
    switch form {
    case .table: break
    case .covers:
      text.column += coverSize.columns + Self.gap
      text.columns = max(1, text.columns - coverSize.columns - Self.gap)
    case .gallery:
      text.row += coverSize.rows
      text.rows = Self.captionRows
    }
    return text
  }
}
