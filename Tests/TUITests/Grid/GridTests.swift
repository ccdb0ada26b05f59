import Testing

@testable import SegueTUI

/// Tests of text in the cells of a screen.
@Suite struct GridTests {
  @Test func controlCharactersDoNotReachTheGrid() {
    var grid = Grid(ScreenSize(rows: 1, columns: 40))
    grid.write("a\u{1B}[31mb\u{202E}c\u{9B}d\ne", row: 0, column: 0)
    #expect(grid.lines == ["a^[[31mb<U+202E>c<U+009B>d^Je"])
  }

  @Test func wideCharactersTakeTwoCells() {
    var grid = Grid(ScreenSize(rows: 1, columns: 6))
    #expect(grid.write("夜明け前", row: 0, column: 0, width: 5) == 5)
    #expect(grid.lines == ["夜明…"])
    #expect(grid[0, 1].glyph == nil && grid[0, 4].glyph == "…")
  }

  @Test func aWideCharacterDoesNotFitIntoTheLastColumn() {
    var grid = Grid(ScreenSize(rows: 1, columns: 3))
    grid.write("ab夜", row: 0, column: 0)
    #expect(grid.lines == ["ab…"])
  }

  @Test func combiningCharactersShareACell() {
    var grid = Grid(ScreenSize(rows: 1, columns: 8))
    #expect(grid.write("e\u{301}и\u{306}x\u{332}", row: 0, column: 0) == 3)
    #expect(grid[0, 1].glyph == "й" && grid[0, 2].glyph == "x\u{332}")
  }

  /// A terminal would add the mark to the cell before.
  @Test func aMarkWithoutACharacterDoesNotReachTheGrid() {
    var grid = Grid(ScreenSize(rows: 1, columns: 8))
    #expect(grid.write("\u{301}a\u{200D}\u{DD8}b", row: 0, column: 0) == 2 + 1)
    #expect(grid[0, 0].glyph == "a\u{200D}\u{DD8}" && grid[0, 2].glyph == "b")
    #expect(grid.write("\u{943}\u{DD8}", row: 0, column: 0) == 1)
    #expect(grid[0, 0].glyph == "\u{DD8}" && grid[0, 1].glyph == " ")
  }

  @Test func halfOfAWideCharacterDoesNotStay() {
    for column in 0...3 {
      var grid = Grid(ScreenSize(rows: 1, columns: 4))
      grid.write("夜明", row: 0, column: 0)
      grid.write("x", row: 0, column: column)
      #expect(grid.lines == [["x 明", " x明", "夜x", "夜 x"][column]])
    }
  }

  @Test func textOutsideTheGridIsDropped() {
    var grid = Grid(ScreenSize(rows: 2, columns: 4))
    for (row, column) in [(-1, 0), (2, 0), (0, -1), (0, 4), (1, 99)] {
      #expect(grid.write("text", row: row, column: column) == 0)
    }
    #expect(grid.lines == ["", ""])
    var empty = Grid(ScreenSize(rows: 0, columns: 0))
    #expect(empty.write("text", row: 0, column: 0) == 0)
  }

  @Test func theSizeOfAScreenIsLimited() {
    #expect(ScreenSize(rows: 65_535, columns: 65_535).limited == ScreenSize(rows: 512, columns: 1_024))
    #expect(ScreenSize(rows: 0, columns: 80).limited == ScreenSize(rows: 0, columns: 80))
  }
}
