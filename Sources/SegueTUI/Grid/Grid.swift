internal import SegueClientKit
internal import SegueUnicode

/// A way in which a cell is displayed, in terms of the palette.
struct Look: Hashable {
  struct Emphasis: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    static let bold = Emphasis(rawValue: 1)
    static let dim = Emphasis(rawValue: 2)
    static let reversed = Emphasis(rawValue: 4)
    static let underlined = Emphasis(rawValue: 8)
  }

  /// A colour of the palette.
  enum Color: UInt8, CaseIterable {
    case accent, highlight, mark, alert, line
  }

  var emphasis: Emphasis = []
  /// The colour of the text; nil for that of the terminal.
  var color: Color?
  /// Whether a picture covers the cell, which is blank.
  var isBelowPicture = false

  /// A number for each look, from 0 to `indexCount - 1`.
  var index: Int {
    let color = color.map { Int($0.rawValue) + 1 } ?? 0
    return (color * 2 + (isBelowPicture ? 1 : 0)) << 4 | Int(emphasis.rawValue)
  }
  static let indexCount = (Color.allCases.count + 1) * 2 << 4

  static let plain = Look()
  static let bold = Look(emphasis: .bold)
  static let dim = Look(emphasis: .dim)

  /// Returns the look with more emphasis.
  func with(_ more: Emphasis) -> Look { Look(emphasis: emphasis.union(more), color: color) }
}

/// A cell of the screen.
struct Cell: Equatable {
  /// The character with its combining characters. It is nil in the second cell of a wide character.
  var glyph: Character?
  var look: Look

  static let blank = Cell(glyph: " ", look: .plain)
}

/// The cells of a screen, as a value. All text reaches the terminal through `write`, which replaces control characters.
///
/// A grid is made for every frame, so that its cells are numbers, which are filled, compared and released together.
struct Grid: Equatable {
  /// A cell as the grid keeps it.
  private struct StoredCell: Equatable {
    static let blank = StoredCell(code: 0x20, look: .plain)
    /// The code of the second cell of a wide character.
    static let continuation: UInt32 = 0
    /// The lowest code of a character of several scalars. Unicode ends before it.
    static let firstCluster: UInt32 = 0x11_0000

    /// The scalar of the character, or `firstCluster` and the index of the character in `clusters`.
    var code: UInt32
    var look: Look
  }

  let size: ScreenSize
  private var cells: [StoredCell]
  /// The characters of several scalars that were put into the grid.
  private var clusters: [Character] = []

  /// Creates an empty grid. A negative size counts as zero.
  init(_ size: ScreenSize) {
    self.size = ScreenSize(rows: max(0, size.rows), columns: max(0, size.columns))
    cells = Array(repeating: .blank, count: self.size.rows * self.size.columns)
  }

  /// The cell in a row and column of the grid.
  subscript(row: Int, column: Int) -> Cell {
    get {
      let cell = cells[row * size.columns + column]
      return Cell(glyph: glyph(cell.code), look: cell.look)
    }
    set { cells[row * size.columns + column] = StoredCell(code: code(newValue.glyph), look: newValue.look) }
  }

  /// The way in which the cell in a row and column is displayed.
  func look(_ row: Int, _ column: Int) -> Look { cells[row * size.columns + column].look }

  /// Returns the character of a cell if it consists of one scalar.
  func scalar(_ row: Int, _ column: Int) -> Unicode.Scalar? {
    let code = cells[row * size.columns + column].code
    return code == StoredCell.continuation ? nil : Unicode.Scalar(code)
  }

  private func glyph(_ code: UInt32) -> Character? {
    if code >= StoredCell.firstCluster { return clusters[Int(code - StoredCell.firstCluster)] }
    return code == StoredCell.continuation ? nil : Unicode.Scalar(code).map(Character.init)
  }

  private mutating func code(_ glyph: Character?) -> UInt32 {
    guard let glyph else { return StoredCell.continuation }
    if let only = glyph.onlyScalar { return only.value }
    clusters.append(glyph)
    return StoredCell.firstCluster + UInt32(clusters.count - 1)
  }

  /// Calls `body` with the place of each cell that differs from the one in a grid of the same size, or of each cell if
  /// there is no such grid, row by row.
  func forEachChange(since before: Grid?, _ body: (_ row: Int, _ column: Int) -> Void) {
    guard let before, before.size == size else {
      for index in cells.indices { body(index / size.columns, index % size.columns) }
      return
    }
    // Most cells are the same. Pointers to both arrays spare the counting of references for each of them.
    cells.withUnsafeBufferPointer { cells in
      before.cells.withUnsafeBufferPointer { others in
        for index in cells.indices where cells[index] != others[index] || cells[index].code >= StoredCell.firstCluster {
          if !before.hasSameCell(as: self, at: index) { body(index / size.columns, index % size.columns) }
        }
      }
    }
  }

  private func hasSameCell(as other: Grid, at index: Int) -> Bool {
    let (own, others) = (cells[index], other.cells[index])
    if own == others, own.code < StoredCell.firstCluster { return true }
    guard own.look == others.look, min(own.code, others.code) >= StoredCell.firstCluster else { return false }
    return glyph(own.code) == other.glyph(others.code)
  }

  static func == (a: Grid, b: Grid) -> Bool {
    a.size == b.size && a.cells.indices.allSatisfy { a.hasSameCell(as: b, at: $0) }
  }

  /// Writes text into one row, truncated to `width` columns and to the grid, and returns the number of columns that it
  /// takes. Text outside the grid is dropped.
  @discardableResult
  mutating func write(
    _ text: String, row: Int, column: Int, width: Int = .max, look: Look = .plain, ellipsis: String = "…"
  ) -> Int {
    guard 0..<size.rows ~= row, 0..<size.columns ~= column else { return 0 }
    let available = min(width, size.columns - column)
    guard available > 0 else { return 0 }
    if let width = writeSimple(text, row, column, available, look, ellipsis) { return width }
    let fitting = UnicodeNormalization.composed(text).visible.truncated(to: available, ellipsis: ellipsis)
    var end = column
    for glyph in fitting {
      let columns = DisplayWidth.of(glyph)
      guard columns > 0, end + columns <= column + available else { continue }
      put(glyph.withoutLeadingMarks, row, end, columns, look)
      end += columns
    }
    return end - column
  }

  /// Writes text of simple scalars, as most text is. Returns the number of columns; nil for any other text, of which
  /// nothing is written.
  private mutating func writeSimple(
    _ text: String, _ row: Int, _ column: Int, _ available: Int, _ look: Look, _ ellipsis: String
  ) -> Int? {
    guard var columns = DisplayWidth.ofSimple(text) else { return nil }
    if columns > available {
      guard let width = DisplayWidth.ofSimple(ellipsis), width <= available else { return nil }
      columns =
        text.unicodeScalars.reduce((used: 0, isFull: false)) { part, scalar in
          let used = part.used + (DisplayWidth.ofSimple(scalar) ?? 0)
          return part.isFull || used > available - width ? (part.used, true) : (used, false)
        }.used
      eraseParts(around: column..<column + columns + width, row)
      put(ellipsis, before: column + columns + width, row, column + columns, look)
      put(text, before: column + columns, row, column, look)
      return columns + width
    }
    guard columns > 0 else { return 0 }
    eraseParts(around: column..<column + columns, row)
    put(text, before: column + columns, row, column, look)
    return columns
  }

  /// Puts as many simple scalars into a row as there are columns before `end`.
  private mutating func put(_ text: String, before end: Int, _ row: Int, _ column: Int, _ look: Look) {
    var index = row * size.columns + column
    let end = row * size.columns + end
    for scalar in text.unicodeScalars {
      guard index < end else { return }
      cells[index] = StoredCell(code: scalar.value, look: look)
      index += 1
      if DisplayWidth.ofSimple(scalar) == 2 {
        cells[index] = StoredCell(code: StoredCell.continuation, look: look)
        index += 1
      }
    }
  }

  /// Writes text that ends at the column before `end`, and returns the number of columns that it takes.
  @discardableResult
  mutating func write(_ text: String, row: Int, endingAt end: Int, look: Look = .plain) -> Int {
    let width = DisplayWidth.of(text.visible)
    return width <= end ? write(text, row: row, column: end - width, look: look) : 0
  }

  /// Fills the cells of an area that are in the grid with a character of one column.
  mutating func fill(_ area: Area, with glyph: Character, look: Look = .plain) {
    let columns = (area.column..<area.column + max(0, area.columns)).clamped(to: 0..<size.columns)
    for row in max(0, area.row)..<max(0, area.row, min(size.rows, area.row + area.rows)) where !columns.isEmpty {
      eraseParts(around: columns, row)
      let cell = StoredCell(code: code(glyph), look: look)
      for column in columns { cells[row * size.columns + column] = cell }
    }
  }

  /// Applies `change` to the looks of the cells of an area.
  mutating func restyle(_ area: Area, _ change: (inout Look) -> Void) {
    for row in max(0, area.row)..<max(0, area.row, min(size.rows, area.row + area.rows)) {
      for column in max(0, area.column)..<max(0, area.column, min(size.columns, area.column + area.columns)) {
        change(&cells[row * size.columns + column].look)
      }
    }
  }

  private mutating func put(_ glyph: Character, _ row: Int, _ column: Int, _ columns: Int, _ look: Look) {
    eraseParts(around: column..<column + columns, row)
    self[row, column] = Cell(glyph: glyph, look: look)
    for next in column + 1..<column + columns { self[row, next] = Cell(glyph: nil, look: look) }
  }

  /// Puts spaces in place of the characters of which only a part will be in some columns of a row, of which there is at
  /// least one.
  private mutating func eraseParts(around columns: Range<Int>, _ row: Int) {
    eraseCharacter(continuingIn: columns.lowerBound, row)
    if columns.upperBound < size.columns { eraseCharacter(continuingIn: columns.upperBound, row) }
  }

  /// Puts spaces in place of a character if it begins before a cell and continues in it.
  private mutating func eraseCharacter(continuingIn column: Int, _ row: Int) {
    let begin = row * size.columns
    guard cells[begin + column].code == StoredCell.continuation else { return }
    var first = begin + column
    while first > begin, cells[first].code == StoredCell.continuation { first -= 1 }
    cells[first].code = StoredCell.blank.code
    var next = first + 1
    while next < begin + size.columns, cells[next].code == StoredCell.continuation {
      cells[next].code = StoredCell.blank.code
      next += 1
    }
  }

  /// The rows as text without trailing spaces, for tests.
  var lines: [String] {
    (0..<size.rows).map { row in
      var line = ""
      for column in 0..<size.columns { if let glyph = self[row, column].glyph { line.append(glyph) } }
      while line.last == " " { line.removeLast() }
      return line
    }
  }
}

extension Character {
  /// The character without the marks, vowels and invisible characters at its start, which a terminal would add to the
  /// cell before.
  fileprivate var withoutLeadingMarks: Character {
    guard !isASCII, let first = unicodeScalars.first, DisplayWidth.of(first) == 0 else { return self }
    return String(String.UnicodeScalarView(unicodeScalars.drop { DisplayWidth.of($0) == 0 })).first ?? self
  }
}
