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
  enum Color: Sendable {
    case accent, highlight, mark, alert, line
  }

  var emphasis: Emphasis = []
  /// The colour of the text; nil for that of the terminal.
  var color: Color?
  /// Whether a picture covers the cell, which is blank.
  var isBelowPicture = false

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
struct Grid: Equatable {
  let size: ScreenSize
  private var cells: [Cell]

  /// Creates an empty grid. A negative size counts as zero.
  init(_ size: ScreenSize) {
    self.size = ScreenSize(rows: max(0, size.rows), columns: max(0, size.columns))
    cells = Array(repeating: .blank, count: self.size.rows * self.size.columns)
  }

  /// The cell in a row and column of the grid.
  subscript(row: Int, column: Int) -> Cell {
    get { cells[row * size.columns + column] }
    set { cells[row * size.columns + column] = newValue }
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
    if let width = writeASCII(text, row, column, available, look) { return width }
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

  /// Writes text of printable ASCII characters, as most text is, each of which takes one column. Returns the number of
  /// columns; nil for any other text and for text that does not fit, of which nothing is written.
  private mutating func writeASCII(_ text: String, _ row: Int, _ column: Int, _ available: Int, _ look: Look) -> Int? {
    guard text.utf8.count <= available, text.utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) else { return nil }
    eraseParts(around: column..<column + text.utf8.count, row)
    var index = row * size.columns + column
    for byte in text.utf8 {
      cells[index] = Cell(glyph: Character(Unicode.Scalar(byte)), look: look)
      index += 1
    }
    return text.utf8.count
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
      for column in columns { self[row, column] = Cell(glyph: glyph, look: look) }
    }
  }

  /// Applies `change` to the looks of the cells of an area.
  mutating func restyle(_ area: Area, _ change: (inout Look) -> Void) {
    for row in max(0, area.row)..<max(0, area.row, min(size.rows, area.row + area.rows)) {
      for column in max(0, area.column)..<max(0, area.column, min(size.columns, area.column + area.columns)) {
        change(&self[row, column].look)
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
    guard self[row, column].glyph == nil else { return }
    var first = column
    while first > 0, self[row, first].glyph == nil { first -= 1 }
    self[row, first].glyph = " "
    var next = first + 1
    while next < size.columns, self[row, next].glyph == nil {
      self[row, next].glyph = " "
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
