internal import SegueSystem

/// A position on the screen, in cells from the upper left corner.
struct Position: Equatable {
  var row: Int
  var column: Int
}

/// The size of the screen in cells.
public struct ScreenSize: Equatable, Sendable {
  public var rows: Int
  public var columns: Int

  /// Returns the size within the limits of a screen, 0 to 512 rows and 0 to 1024 columns. The cells beyond them stay
  /// empty.
  var limited: ScreenSize { ScreenSize(rows: rows.clamped(to: 0...512), columns: columns.clamped(to: 0...1024)) }

  /// Whether there is room for whole screens. A smaller one shows a single line.
  var fitsScreens: Bool { rows >= 8 && columns >= 40 }
}

/// A rectangle of cells.
struct Area: Equatable {
  var row: Int
  var column: Int
  var rows: Int
  var columns: Int

  func contains(_ position: Position) -> Bool {
    row..<(row + rows) ~= position.row && column..<(column + columns) ~= position.column
  }

  func overlaps(_ other: Area) -> Bool {
    row < other.row + other.rows && other.row < row + rows && column < other.column + other.columns
      && other.column < column + columns
  }

  /// Returns the place of a row within the area, from 0 to 1. Rows outside it count as its first or last one.
  func fraction(atRow row: Int) -> Double {
    guard rows > 1 else { return 0 }
    return Double(min(max(row - self.row, 0), rows - 1)) / Double(rows - 1)
  }

  /// Returns the place of a column within the area, from 0 to 1. Columns outside it count as its first or last one.
  func fraction(at column: Int) -> Double {
    guard columns > 1 else { return 0 }
    return Double(min(max(column - self.column, 0), columns - 1)) / Double(columns - 1)
  }
}
