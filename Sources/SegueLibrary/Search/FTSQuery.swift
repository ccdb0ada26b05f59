internal import SegueSQLite

/// An expression in the query syntax of FTS5. Every word is quoted, and `SearchTokenizer` does not change it.
struct FTSQuery {
  private(set) var bytes: [UInt8] = []
  /// The phrases that affect the rank: those for whole titles, then the terms in their order.
  private(set) var ranking: [Phrase] = []
  /// The number of terms that affect the rank.
  private(set) var termCount = 0
  /// The columns that are named in the credits only (`SearchTable.creditColumns`).
  let creditColumns: Range<Int32>
  private var phraseCount: Int32 = 0

  struct Phrase {
    /// The index of the phrase in the query.
    let number: Int32
    /// The number of the term, or nil for a whole title.
    let term: Int?
    /// The number of words.
    let length: Int
    let isComplete: Bool
    let isLiteral: Bool
  }

  init(_ expression: SearchExpression, creditColumns: Range<Int32> = 0..<0) {
    self.creditColumns = creditColumns
    write(expression)
    // In the query, they are in the order that is the fastest for FTS5.
    ranking.sort { ($0.term ?? -1, $0.number) < ($1.term ?? -1, $1.number) }
  }

  private mutating func write(_ expression: SearchExpression) {
    switch expression {
    case .phrase(let positions, let isPrefix, let role):
      write(positions)
      if isPrefix { write(" *") }
      switch role {
      case .unranked: break
      case .wholeTitle:
        ranking.append(Phrase(number: phraseCount, term: nil, length: 0, isComplete: true, isLiteral: true))
      case .term(let term, let length, let isComplete, let isLiteral):
        ranking.append(
          Phrase(number: phraseCount, term: term, length: length, isComplete: isComplete, isLiteral: isLiteral))
        termCount = max(termCount, term + 1)
      }
      phraseCount += 1
    case .within(let column, let expression):
      write(column)
      write(" : (")
      write(expression)
      write(")")
    case .all(let parts): writeAll(parts[...])
    case .any(let parts): write(parts, " OR ")
    case .but(let expression, let not): write([expression, not], " NOT ")
    }
  }

  /// The maximum depth of nested expressions. FTS5 limits the depth.
  private static let maximumNesting = 4

  /// Writes `((a AND b) NOT absent) AND c` for `a AND b AND c`. For the latter, FTS5 would look up the next row of `c`
  /// for each row of `b`. With the former, it looks up rows of `c`, the most frequent term, only for rows that match
  /// all others. Without the NOT, FTS5 would flatten the expression.
  private mutating func writeAll(_ parts: ArraySlice<SearchExpression>, nested: Int = maximumNesting) {
    guard parts.count > 2, nested > 0, let last = parts.last else { return write(Array(parts), " AND ") }
    write("((")
    writeAll(parts.dropLast(), nested: nested - 1)
    write(" NOT ")
    write(.phrase([[[TokenExpander.absentWord]]], isPrefix: false, .unranked))
    write(") AND ")
    write(last)
    write(")")
  }

  private mutating func write(_ parts: [SearchExpression], _ conjunction: StaticString) {
    if parts.count == 1 { return write(parts[0]) }
    for (index, part) in parts.enumerated() {
      write(index == 0 ? "(" : conjunction)
      write(part)
    }
    write(")")
  }

  private mutating func write(_ positions: [[[UInt8]]]) {
    let quote = UInt8(ascii: "\"")
    bytes.append(quote)
    for (index, words) in positions.enumerated() {
      if index > 0 { bytes.append(SearchTokenizer.positionSeparator) }
      for (index, word) in words.enumerated() {
        if index > 0 { bytes.append(SearchTokenizer.alternativeSeparator) }
        for byte in word { bytes += byte == quote ? [quote, quote] : [byte] }
      }
    }
    bytes.append(quote)
  }

  private mutating func write(_ text: String) { bytes += Array(text.utf8) }
  private mutating func write(_ text: StaticString) { text.withUTF8Buffer { bytes.append(contentsOf: $0) } }
}
