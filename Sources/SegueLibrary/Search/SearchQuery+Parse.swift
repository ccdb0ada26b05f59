internal import SegueSystem

extension SearchQuery {
  /// Bytes of a query that are read, and terms that are searched for: a person types less.
  static let longest = 512
  static let mostTerms = 12

  private static let keys = Set(Field.allCases.map(\.rawValue) + ["year", "rating", "format", "added", "is"])

  /// Never fails; it may be empty.
  init(_ text: String, _ tokenizer: SearchTokenizer) {
    var rest = text.utf8.prefix(Self.longest)
    while !rest.isEmpty, terms.count + excluded.count < Self.mostTerms {
      let part = Part(&rest)
      // A key whose value is still to be typed says nothing.
      if !part.value.isEmpty || !Self.keys.contains(part.key) { add(part, tokenizer) }
    }
    // Signs say something only where there is nothing else: no text of words keeps them.
    let words = terms.filter { !$0.word.isSigns }
    terms = words.isEmpty ? Array(terms.prefix(1)) : words
    // "Everything but" is no answer to anybody's question.
    if isEmpty {
      terms = excluded
      excluded = []
    }
    let free = Array(freeWords.map(\.typed).joined(separator: [UInt8(ascii: " ")]))
    if let wholes = SearchWord(free, isPhrase: true, tokenizer)?.wholes, !wholes.isEmpty { self.wholes = wholes }
  }

  /// A piece between spaces.
  private struct Part {
    var isExcluded = false
    var key = ""
    var isQuoted = false
    var value: [UInt8] = []
    /// As it was typed.
    var whole: [UInt8] = []

    init(_ rest: inout Substring.UTF8View.SubSequence) {
      rest = rest.drop(while: Self.isSpace)
      let start = rest
      if rest.first == UInt8(ascii: "-"), rest.dropFirst().first.map({ !Self.isSpace($0) }) ?? false {
        isExcluded = true
        rest = rest.dropFirst()
      }
      let name = rest.prefix { Self.isLetter($0) }
      if rest.dropFirst(name.count).first == UInt8(ascii: ":") {
        key = String(decoding: name, as: UTF8.self).lowercased()
        rest = rest.dropFirst(name.count + 1)
      }
      if let (open, close) = Self.quotes.first(where: { rest.starts(with: $0.0) }) {
        isQuoted = true
        rest = rest.dropFirst(open.count)
        while !rest.isEmpty, !rest.starts(with: close) { value.append(rest.removeFirst()) }
        rest = rest.dropFirst(close.count)
      } else {
        value = Array(rest.prefix { !Self.isSpace($0) })
        rest = rest.dropFirst(value.count)
      }
      whole = Array(start.prefix(start.count - rest.count))
    }

    private static let quotes = [("\"", "\""), ("“", "”"), ("„", "“"), ("«", "»")].map {
      (Array($0.utf8), Array($1.utf8))
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte <= 0x20 || byte == 0x7F }

    private static func isLetter(_ byte: UInt8) -> Bool {
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
  }

  private mutating func add(_ part: Part, _ tokenizer: SearchTokenizer) {
    if !part.isExcluded, addFilter(part.key, String(decoding: part.value, as: UTF8.self).lowercased()) { return }
    let field = Field(rawValue: part.key)
    // An unknown key is a word of a name with a colon in it.
    let text = field == nil && !part.key.isEmpty ? part.whole : part.value
    guard let word = SearchWord(text, isPhrase: part.isQuoted, tokenizer) else { return }
    let term = Term(field: field, word: word)
    if part.isExcluded { excluded.append(term) } else { terms.append(term) }
  }

  /// Whether it is one. `value`: in lower case.
  private mutating func addFilter(_ key: String, _ value: String) -> Bool {
    switch key {
    case "year":
      guard let range = Self.range(value, in: Self.knownYears) else { return false }
      years = range
    case "rating":
      guard let range = Self.range(value, in: 1...10) else { return false }
      ratings = range
    case "format":
      guard let name = SearchText.fact(format: value) else { return false }
      formats.append(name)
    case "added":
      guard let time = Self.age(value) else { return false }
      age = time
    case "is":
      guard value == "favorite" || value == "favourite" else { return false }
      isFavorite = true
    default: return false
    }
    return true
  }

  /// `8`, `8..`, `..8`, `1990..1999`, `1990-1999`
  private static func range(_ text: String, in bounds: ClosedRange<Int>) -> ClosedRange<Int>? {
    let digits = text.prefix { $0.isNumber }
    let rest = text.dropFirst(digits.count)
    guard let separator = ["..", "-"].first(where: rest.hasPrefix) else {
      guard rest.isEmpty, let value = Int(digits), bounds.contains(value) else { return nil }
      return value...value
    }
    let end = rest.dropFirst(separator.count)
    let first = digits.isEmpty ? bounds.lowerBound : Int(digits)
    let last = end.isEmpty ? bounds.upperBound : Int(end)
    guard digits.count + end.count > 0, let first, let last, first <= last else { return nil }
    let range = max(first, bounds.lowerBound)...max(last, bounds.lowerBound)
    return range.overlaps(bounds) ? range.clamped(to: bounds) : nil
  }

  /// `12h`, `30d`, `2w`, `6m`, `1y`
  private static func age(_ text: String) -> MediaTime? {
    guard let count = Int64(text.dropLast()), (0...100_000).contains(count) else { return nil }
    let hours: Int64
    switch text.last {
    case "h": hours = 1
    case "d": hours = 24
    case "w": hours = 7 * 24
    case "m": hours = 30 * 24
    case "y": hours = 365 * 24
    default: return nil
    }
    // More than a century is for ever.
    return MediaTime(nanoseconds: min(count * hours, 1_000_000) * 3_600_000_000_000)
  }
}
