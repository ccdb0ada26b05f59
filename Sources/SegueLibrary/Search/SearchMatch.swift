/// An expression as FTS5 reads it. Every word is quoted, and `SearchTokenizer` takes it as it is.
struct SearchMatch {
  private(set) var bytes: [UInt8] = []
  /// Its phrases that say something of the rank, the whole titles first. `phrase`: as FTS5 counts them.
  private(set) var meanings: [(phrase: Int32, meaning: SearchMeaning)] = []
  /// How many terms it ranks by.
  private(set) var terms = 0
  private var phrases: Int32 = 0

  init(_ expression: SearchExpression) { write(expression) }

  private mutating func write(_ expression: SearchExpression) {
    switch expression {
    case .phrase(let places, let isPrefix, let meaning):
      write(places)
      if isPrefix { write(" *") }
      switch meaning {
      case .nothing: break
      case .whole: meanings.insert((phrases, meaning), at: 0)
      case .term(let number, _, _, _):
        meanings.append((phrases, meaning))
        terms = max(terms, number + 1)
      }
      phrases += 1
    case .within(let column, let expression):
      write(column)
      write(" : (")
      write(expression)
      write(")")
    case .all(let parts): write(parts, " AND ")
    case .any(let parts): write(parts, " OR ")
    case .but(let expression, let not): write([expression, not], " NOT ")
    }
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
