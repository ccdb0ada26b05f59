/// Queries as FTS5 reads them. Every word is quoted, and `SearchTokenizer` takes it as it is.
enum SearchExpression {
  /// All of `places` in a row; of the last one the beginning, if `isPrefix`.
  static func phrase(_ places: [[[UInt8]]], isPrefix: Bool) -> String {
    var bytes: [UInt8] = [UInt8(ascii: "\"")]
    for (index, words) in places.enumerated() {
      if index > 0 { bytes.append(SearchTokenizer.placeSeparator) }
      for (index, word) in words.enumerated() {
        if index > 0 { bytes.append(SearchTokenizer.wordSeparator) }
        for byte in word {
          if byte == UInt8(ascii: "\"") { bytes.append(byte) }
          bytes.append(byte)
        }
      }
    }
    bytes.append(UInt8(ascii: "\""))
    if isPrefix { bytes.append(contentsOf: " *".utf8) }
    return String(decoding: bytes, as: UTF8.self)
  }

  static func word(_ word: SearchWord, isPrefix: Bool) -> String {
    let phrase = phrase(word.places, isPrefix: isPrefix)
    if word.joined.isEmpty { return phrase }
    return "(\(phrase) OR \(Self.phrase([word.joined], isPrefix: isPrefix)))"
  }

  /// The columns of a table in which `expression` must match.
  static func within(_ columns: [String], _ expression: String) -> String {
    "{\(columns.joined(separator: " "))} : (\(expression))"
  }

  /// A word of the column `facts`, or all that begin with it.
  static func fact(_ text: String, isPrefix: Bool = false) -> String {
    phrase([[[WordSplitter.factMark] + Array(text.utf8)]], isPrefix: isPrefix)
  }

  /// All years of a range: decades and centuries as the digits that they begin with.
  static func years(_ range: ClosedRange<Int>) -> String {
    var parts: [String] = []
    var year = range.lowerBound
    while year <= range.upperBound {
      let step = [1000, 100, 10, 1].first { year % $0 == 0 && year + $0 - 1 <= range.upperBound } ?? 1
      let digits = SearchText.fact(year: year)
      parts.append(
        fact(String(digits.dropLast(step == 1 ? 0 : String(step).utf8.count - 1)), isPrefix: step > 1))
      year += step
    }
    return "(" + parts.joined(separator: " OR ") + ")"
  }
}
