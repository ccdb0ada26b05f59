/// An expression as FTS5 reads it. Every word is quoted, and `SearchTokenizer` takes it as it is.
struct FTSQuery {
  private(set) var bytes: [UInt8] = []
  /// Its phrases that say something of the rank: the whole titles, then the terms in their order.
  private(set) var ranking: [Phrase] = []
  /// How many terms it ranks by.
  private(set) var terms = 0
  private var phrases: Int32 = 0

  struct Phrase {
    /// As FTS5 counts them.
    let number: Int32
    /// nil: the whole title is what was asked.
    let term: Int?
    /// How many it takes in a text.
    let places: Int
    let isComplete: Bool
    let isLiteral: Bool
  }

  init(_ expression: SearchExpression) {
    write(expression)
    // As FTS5 is fastest with them, they stand in another order.
    ranking.sort { ($0.term ?? -1, $0.number) < ($1.term ?? -1, $1.number) }
  }

  private mutating func write(_ expression: SearchExpression) {
    switch expression {
    case .phrase(let places, let isPrefix, let meaning):
      write(places)
      if isPrefix { write(" *") }
      switch meaning {
      case .nothing: break
      case .whole:
        ranking.append(Phrase(number: phrases, term: nil, places: 0, isComplete: true, isLiteral: true))
      case .term(let term, let places, let isComplete, let isLiteral):
        ranking.append(
          Phrase(number: phrases, term: term, places: places, isComplete: isComplete, isLiteral: isLiteral))
        terms = max(terms, term + 1)
      }
      phrases += 1
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

  /// So many of `all`'s last parts are looked for by themselves; FTS5 does not read what is nested without end.
  private static let mostNested = 4

  /// Of `a AND b AND c` FTS5 looks for the next row of c from each row of b on. What is wide stands last and is looked
  /// for only from rows on that have all the rest: in `((a AND b) NOT nothing) AND c`. Without the NOT, FTS5 would make
  /// the former of it.
  private mutating func writeAll(_ parts: ArraySlice<SearchExpression>, nested: Int = mostNested) {
    guard parts.count > 2, nested > 0, let last = parts.last else { return write(Array(parts), " AND ") }
    write("((")
    writeAll(parts.dropLast(), nested: nested - 1)
    write(" NOT ")
    write(.phrase([[[TokenExpander.noMark]]], isPrefix: false, .nothing))
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

  private mutating func write(_ places: [[[UInt8]]]) {
    let quote = UInt8(ascii: "\"")
    bytes.append(quote)
    for (index, words) in places.enumerated() {
      if index > 0 { bytes.append(SearchTokenizer.placeSeparator) }
      for (index, word) in words.enumerated() {
        if index > 0 { bytes.append(SearchTokenizer.wordSeparator) }
        for byte in word { bytes += byte == quote ? [quote, quote] : [byte] }
      }
    }
    bytes.append(quote)
  }

  private mutating func write(_ text: String) { bytes += Array(text.utf8) }
  private mutating func write(_ text: StaticString) { text.withUTF8Buffer { bytes.append(contentsOf: $0) } }
}
