internal import SegueSQLite
internal import SegueSystem

/// A parsed search query. A query consists of words, which may have a field (`artist:kino`), quoted phrases, excluded
/// words (`-live`) and filters. A word of four digits without a field is also found in the year. Every text is a valid
/// query: everything else is taken for words.
struct SearchQuery {
  enum Field: String, CaseIterable {
    case title, artist, album, genre, composer, conductor, work
  }

  struct Term {
    /// The field that must contain the word, or nil for any field.
    let field: Field?
    let word: SearchWord
    /// The completions of the word in its field, if they are known (`GenreVocabulary`).
    fileprivate(set) var completions: [[UInt8]]?
  }

  /// The words that must occur.
  private(set) var terms: [Term] = []
  /// The words that must not occur.
  private(set) var excluded: [Term] = []
  private(set) var years: ClosedRange<Int>?
  /// The names of codecs or containers in lower case, one of which must match.
  private(set) var formats: [String] = []
  /// The maximum time since the item was added to the index.
  private(set) var age: MediaTime?
  /// A range in 1…10.
  private(set) var ratings: ClosedRange<Int>?
  private(set) var isFavorite = false
  /// The words without a field as a whole title, in all spellings; nil if they are too long.
  private(set) var wholeTitles: [[UInt8]]?

  static let knownYears = 1...9999

  var isEmpty: Bool {
    terms.isEmpty && years == nil && formats.isEmpty && age == nil && ratings == nil && !isFavorite
  }

  /// Whether a filter refers to the affinity.
  var requiresAffinity: Bool { ratings != nil || isFavorite }

  /// The words without a field, in their order.
  var freeWords: [SearchWord] { terms.filter { $0.field == nil }.map(\.word) }

  /// The query without the conditions that `RowFilter` checks.
  var withoutRowFilter: SearchQuery {
    var query = self
    (query.age, query.isFavorite) = (nil, false)
    return query
  }

  /// The query without the condition on the year.
  var withoutYears: SearchQuery {
    var query = self
    query.years = nil
    return query
  }

  /// Sets the completions of the words with the field `genre`.
  mutating func completeGenres(
    _ completions: (SearchWord) throws(StoreError) -> [[UInt8]]?
  ) throws(StoreError) {
    for index in terms.indices where terms[index].field == .genre {
      terms[index].completions = try completions(terms[index].word)
    }
  }
}

extension SearchQuery {
  /// The number of bytes of a query that are read.
  static let maximumLength = 512
  /// The number of terms that are searched for.
  static let maximumTerms = 12

  private static let keys = Set(Field.allCases.map(\.rawValue) + ["year", "rating", "format", "added", "is"])

  /// Parses a query. Every text is a valid query. The result may be empty.
  init(_ text: String, _ tokenizer: SearchTokenizer) {
    var rest = text.utf8.prefix(Self.maximumLength)
    while !rest.isEmpty, terms.count + excluded.count < Self.maximumTerms {
      let part = Part(&rest)
      // A key without a value, which is still to be typed, has no effect.
      if !part.value.isEmpty || !Self.keys.contains(part.key) { add(part, tokenizer) }
    }
    // Symbols are searched for only if there are no words: only texts without words are indexed by their symbols.
    let words = terms.filter { !$0.word.isSymbols }
    terms = words.isEmpty ? Array(terms.prefix(1)) : words
    // A query that only excludes words is taken for a query that searches for them.
    if isEmpty {
      terms = excluded
      excluded = []
    }
    let free = Array(freeWords.map(\.typed).joined(separator: [UInt8(ascii: " ")]))
    if let lines = SearchWord(free, isPhrase: true, tokenizer)?.wholeLines, !lines.isEmpty { wholeTitles = lines }
  }

  /// A part of a query between spaces.
  private struct Part {
    var isExcluded = false
    var key = ""
    var isQuoted = false
    var value: [UInt8] = []
    /// The whole part as it was typed.
    var text: [UInt8] = []

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
      text = Array(start.prefix(start.count - rest.count))
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
    // An unknown key belongs to a name that contains a colon.
    let text = field == nil && !part.key.isEmpty ? part.text : part.value
    guard let word = SearchWord(text, isPhrase: part.isQuoted, tokenizer) else { return }
    let term = Term(field: field, word: word)
    if part.isExcluded { excluded.append(term) } else { terms.append(term) }
  }

  /// Adds a filter. `value` is in lower case. Returns false if it is no filter.
  private mutating func addFilter(_ key: String, _ value: String) -> Bool {
    switch key {
    case "year":
      guard let range = Self.range(value, in: Self.knownYears, number: Self.yearOrDecade) else { return false }
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

  /// Parses a number, or a range such as `8..`, `..8`, `1990..1999` or `1990-1999`. `parse` parses a number; what it
  /// takes for one may stand for several, such as a decade.
  private static func range(
    _ text: String, in bounds: ClosedRange<Int>, number parse: (Substring) -> ClosedRange<Int>? = number
  ) -> ClosedRange<Int>? {
    guard let separator = ["..", "-"].first(where: text.contains) else {
      return parse(text[...]).flatMap { bounds.contains($0.lowerBound) ? $0.clamped(to: bounds) : nil }
    }
    let ends = text.split(separator: separator, maxSplits: 1, omittingEmptySubsequences: false)
    let first = ends[0].isEmpty ? bounds.lowerBound : parse(ends[0])?.lowerBound
    let last = ends[1].isEmpty ? bounds.upperBound : parse(ends[1])?.upperBound
    guard text != separator, let first, let last, first <= last else { return nil }
    let range = max(first, bounds.lowerBound)...max(last, bounds.lowerBound)
    return range.overlaps(bounds) ? range.clamped(to: bounds) : nil
  }

  private static func number(_ digits: Substring) -> ClosedRange<Int>? {
    guard digits.allSatisfy(\.isNumber), let value = Int(digits) else { return nil }
    return value...value
  }

  /// Parses a year, or a decade such as `1960s`.
  private static func yearOrDecade(_ text: Substring) -> ClosedRange<Int>? {
    guard text.hasSuffix("0s"), text.utf8.count == 5 else { return number(text) }
    return number(text.dropLast()).map { $0.lowerBound...($0.lowerBound + 9) }
  }

  /// Parses an age such as `12h`, `30d`, `2w`, `6m` or `1y`.
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
    // The limit is more than a century.
    return MediaTime(nanoseconds: min(count * hours, 1_000_000) * 3_600_000_000_000)
  }
}
