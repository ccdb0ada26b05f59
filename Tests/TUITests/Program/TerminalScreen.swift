@testable import SegueTUI

/// The screen of a terminal that displays what a program writes: as xterm does, or as the console of Linux before
/// version 6.16, which has no combining characters, and takes fewer characters for wide ones.
struct TerminalScreen {
  enum Kind: String, CaseIterable {
    case xterm
    case linux
  }

  private let kind: Kind
  private let size: (rows: Int, columns: Int)
  /// The texts of the cells; empty in the second cell of a wide character.
  private var cells: [[String]]
  private var cursor = (row: 0, column: 0)
  private var savedCursor = (row: 0, column: 0)
  /// The rows that scroll.
  private var region: Range<Int>
  /// The bytes of an incomplete sequence or character.
  private var pending: [UInt8] = []
  /// What the program has written that no terminal of this kind knows.
  private(set) var unknown: [String] = []

  init(_ kind: Kind, rows: Int, columns: Int) {
    self.kind = kind
    size = (rows, columns)
    cells = Array(repeating: Array(repeating: " ", count: columns), count: rows)
    region = 0..<rows
  }

  /// The rows without spaces at their ends.
  var lines: [String] {
    cells.map { row in
      var line = row.joined()[...]
      while line.last == " " { line.removeLast() }
      return String(line)
    }
  }

  // MARK: Parsing

  mutating func write(_ bytes: [UInt8]) {
    pending += bytes
    while let first = pending.first {
      guard let count = first == 0x1B ? sequenceLength : characterLength(first), count <= pending.count else { return }
      let part = Array(pending[..<count])
      pending.removeFirst(count)
      if first == 0x1B { perform(part) } else { put(String(decoding: part, as: UTF8.self).unicodeScalars.first!) }
    }
  }

  private func characterLength(_ first: UInt8) -> Int? {
    first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
  }

  /// The length of the sequence at the start; nil if it is incomplete.
  private var sequenceLength: Int? {
    guard pending.count > 1 else { return nil }
    switch pending[1] {
    case UInt8(ascii: "["):
      return pending.dropFirst(2).firstIndex { 0x40...0x7E ~= $0 }.map { $0 + 1 }
    case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"):
      return pending.indices.dropFirst(2).first { pending[$0] == 7 || pending[$0 - 1] == 0x1B && pending[$0] == 0x5C }
        .map { $0 + 1 }
    case UInt8(ascii: "("), UInt8(ascii: ")"): return 3
    default: return 2
    }
  }

  private mutating func perform(_ sequence: [UInt8]) {
    switch (sequence[1], sequence.last) {
    case (UInt8(ascii: "["), let final?):
      performControl(sequence.dropFirst(2).dropLast(), Character(Unicode.Scalar(final)))
    case (UInt8(ascii: "7"), _): savedCursor = cursor
    case (UInt8(ascii: "8"), _): cursor = savedCursor
    case (UInt8(ascii: "M"), _): reverseIndex()
    case (UInt8(ascii: "]"), _), (UInt8(ascii: "("), _), (UInt8(ascii: ")"), _): break
    default: unknown.append("ESC \(sequence.dropFirst())")
    }
  }

  /// Performs a control sequence (ECMA-48).
  private mutating func performControl(_ parameters: ArraySlice<UInt8>, _ final: Character) {
    let text = String(decoding: parameters, as: UTF8.self)
    // Modes and requests of terminals.
    if text.hasPrefix("?") || text.hasPrefix(">") {
      if text == "?1049", final == "h" { erase(0..<size.rows) }
      return
    }
    // After a character in the last column, the cursor is there until the next one.
    cursor.column = min(cursor.column, size.columns - 1)
    let numbers = text.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    let count = max(1, numbers.first ?? 1)
    switch final {
    case "A": cursor.row -= count
    case "B", "e": cursor.row += count
    case "C", "a": cursor.column += count
    case "D": cursor.column -= count
    case "G", "`": cursor.column = count - 1
    case "d": cursor.row = count - 1
    case "H", "f": cursor = (count - 1, max(1, numbers.count > 1 ? numbers[1] : 1) - 1)
    case "J": eraseScreen(numbers.first ?? 0)
    case "K": eraseLine(numbers.first ?? 0)
    case "X": eraseCells(cursor.column..<min(size.columns, cursor.column + count))
    case "@": shift(by: count)
    case "P": shift(by: -count)
    case "L": scroll(cursor.row..<region.upperBound, by: -count)
    case "M": scroll(cursor.row..<region.upperBound, by: count)
    case "S": scroll(region, by: count)
    case "T": scroll(region, by: -count)
    case "b" where kind == .xterm: for _ in 0..<count { putAgain() }
    case "r":
      region = count - 1..<(numbers.count > 1 ? numbers[1] : size.rows)
      cursor = (0, 0)
    case "m", "l", "h", "t", "c", "q", "n": break
    default: unknown.append("CSI \(text) \(final)")
    }
    cursor = (
      row: min(max(cursor.row, 0), size.rows - 1), column: min(max(cursor.column, 0), size.columns - 1)
    )
  }

  // MARK: Cells

  private mutating func put(_ scalar: Unicode.Scalar) {
    switch scalar.value {
    // Bells, and shifts between character sets.
    case 7, 14, 15: return
    case 8: cursor.column = max(0, cursor.column - 1)
    case 10: lineFeed()
    case 13: cursor.column = 0
    case 0..<0x20, 0x7F..<0xA0: unknown.append("U+\(String(scalar.value, radix: 16))")
    default: write(scalar)
    }
  }

  private mutating func write(_ scalar: Unicode.Scalar) {
    let width = width(of: scalar)
    if width == 0 {
      // The cursor stays on the last column after a character there.
      let last = cursor.column > 0 ? cursor.column - 1 : 0
      let base = cells[cursor.row][..<(last + 1)].lastIndex { !$0.isEmpty } ?? last
      return cells[cursor.row][base].unicodeScalars.append(scalar)
    }
    if cursor.column + width > size.columns {
      cursor.column = 0
      lineFeed()
    }
    eraseCells(cursor.column..<cursor.column + width)
    cells[cursor.row][cursor.column] = String(scalar)
    for column in cursor.column + 1..<cursor.column + width { cells[cursor.row][column] = "" }
    cursor.column += width
  }

  private mutating func putAgain() {
    guard cursor.column > 0, let scalar = cells[cursor.row][cursor.column - 1].unicodeScalars.first else { return }
    write(scalar)
  }

  private func width(of scalar: Unicode.Scalar) -> Int {
    switch kind {
    case .xterm: max(0, Display.width(of: scalar))
    case .linux:
      switch scalar.value {
      // The kernel does not display these (`conv_uni_to_pc`).
      case 0x200B...0x200F, 0xFEFF: 0
      // `is_double_width` of the kernel.
      case 0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3040...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
        0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x2FFFD, 0x30000...0x3FFFD:
        2
      default: 1
      }
    }
  }

  /// Puts spaces into cells of the row of the cursor, and in place of wide characters that begin or end outside them.
  private mutating func eraseCells(_ columns: Range<Int>) {
    var columns = columns
    while columns.lowerBound > 0, cells[cursor.row][columns.lowerBound].isEmpty {
      columns = columns.lowerBound - 1..<columns.upperBound
    }
    while columns.upperBound < size.columns, cells[cursor.row][columns.upperBound].isEmpty {
      columns = columns.lowerBound..<columns.upperBound + 1
    }
    for column in columns { cells[cursor.row][column] = " " }
  }

  private mutating func eraseLine(_ part: Int) {
    eraseCells(part == 0 ? cursor.column..<size.columns : part == 1 ? 0..<cursor.column + 1 : 0..<size.columns)
  }

  private mutating func erase(_ rows: Range<Int>) {
    for row in rows { cells[row] = Array(repeating: " ", count: size.columns) }
  }

  private mutating func eraseScreen(_ part: Int) {
    eraseLine(part)
    erase(part == 0 ? cursor.row + 1..<size.rows : part == 1 ? 0..<cursor.row : 0..<size.rows)
  }

  /// Moves the cells from the cursor on to the right, or to the left by a negative number.
  private mutating func shift(by count: Int) {
    var row = cells[cursor.row]
    if count > 0 {
      row.insert(contentsOf: Array(repeating: " ", count: count), at: cursor.column)
    } else {
      row.removeSubrange(cursor.column..<min(size.columns, cursor.column - count))
    }
    cells[cursor.row] = Array((row + Array(repeating: " ", count: size.columns)).prefix(size.columns))
  }

  /// Moves rows up, or down by a negative number.
  private mutating func scroll(_ rows: Range<Int>, by count: Int) {
    let empty = Array(repeating: Array(repeating: " ", count: size.columns), count: min(abs(count), rows.count))
    let kept = rows.count - empty.count
    let moved = count > 0 ? cells[rows].suffix(kept) + empty : empty + cells[rows].prefix(kept)
    cells.replaceSubrange(rows, with: moved)
  }

  private mutating func lineFeed() {
    if cursor.row == region.upperBound - 1 {
      scroll(region, by: 1)
    } else {
      cursor.row = min(cursor.row + 1, size.rows - 1)
    }
  }

  private mutating func reverseIndex() {
    if cursor.row == region.lowerBound { scroll(region, by: -1) } else { cursor.row = max(cursor.row - 1, 0) }
  }
}
