internal import SegueSQLite

/// An expression that is searched for in an FTS5 table.
indirect enum SearchExpression {
  /// Consecutive words. For each position there are alternatives. With `isPrefix`, the last word may be a prefix.
  case phrase(_ positions: [[[UInt8]]], isPrefix: Bool, PhraseRole)
  /// An expression that applies to one column.
  case within(_ column: String, SearchExpression)
  case all([SearchExpression])
  case any([SearchExpression])
  case but(SearchExpression, not: SearchExpression)
}

/// The role of a phrase in the ranking of a row that contains it.
enum PhraseRole {
  /// The phrase does not affect the rank.
  case unranked
  /// The phrase matches the whole title.
  case wholeTitle
  /// The phrase matches the term with this number. It has `length` words. It is complete if it matches the term as
  /// whole words, not as the beginning of others, and literal if it is the term as it was typed, not another spelling.
  case term(Int, length: Int, isComplete: Bool, isLiteral: Bool)
}

extension SearchExpression {
  /// Returns an expression for a word of the column `facts`, or for a prefix of it.
  static func fact(_ text: String, isPrefix: Bool = false) -> SearchExpression {
    .phrase([[[TokenExpander.factPrefix] + Array(text.utf8)]], isPrefix: isPrefix, .unranked)
  }

  /// Returns an expression for a range of years. A decade or a century is a prefix.
  static func years(_ range: ClosedRange<Int>) -> SearchExpression {
    var parts: [SearchExpression] = []
    var year = range.lowerBound
    while year <= range.upperBound {
      let step = [1000, 100, 10, 1].first { year % $0 == 0 && year + $0 - 1 <= range.upperBound } ?? 1
      let digits = SearchText.fact(year: year)
      parts.append(
        .fact(String(digits.dropLast(step == 1 ? 0 : String(step).utf8.count - 1)), isPrefix: step > 1))
      year += step
    }
    return .any(parts)
  }

  private typealias Spelling = (positions: [[[UInt8]]], isLiteral: Bool)

  /// Returns an expression for a word in all its spellings.
  ///
  /// - Parameters:
  ///   - isPrefix: Whether words that begin with it are found, too.
  ///   - term: The number of the term, or nil if it does not affect the rank.
  ///   - findsYear: Whether a word that is a year is also found in the column `facts`.
  static func word(
    _ word: SearchWord, isPrefix: Bool, term: Int?, findsYear: Bool = false
  ) -> SearchExpression {
    // FTS5 is faster with several phrases of one word than with one phrase of several alternatives.
    var spellings: [Spelling] = [(word.positions, true)]
    if let only = word.positions.first, word.positions.count == 1 {
      spellings = only.enumerated().map { ([[$1]], $0 == 0) }
    }
    spellings += word.joined.map { ([[$0]], false) }
    // The search for a prefix also finds the complete word, which is searched for separately only to rank it.
    let complete = isPrefix && term == nil ? [] : phrases(spellings, term, isComplete: true)
    let year = findsYear ? word.year.map { phrases([([[$0]], false)], term, isComplete: true) } ?? [] : []
    return .any(complete + (isPrefix ? phrases(spellings, term, isComplete: false, isPrefix: true) : []) + year)
  }

  /// Returns an expression for an unfinished word whose completions are known.
  static func word(_ word: SearchWord, completions: [[UInt8]], term: Int?) -> SearchExpression {
    let spellings = (word.positions.count == 1 ? word.positions[0] : []) + word.joined
    let complete = spellings.filter(completions.contains).map { ([[$0]], $0 == spellings[0]) }
    let rest = completions.filter { !spellings.contains($0) }.map { ([[$0]], false) }
    return .any(phrases(complete, term, isComplete: true) + phrases(rest, term, isComplete: false))
  }

  private static func phrases(
    _ spellings: [Spelling], _ term: Int?, isComplete: Bool, isPrefix: Bool = false
  ) -> [SearchExpression] {
    spellings.map { spelling in
      let role = term.map {
        PhraseRole.term($0, length: spelling.positions.count, isComplete: isComplete, isLiteral: spelling.isLiteral)
      }
      return .phrase(spelling.positions, isPrefix: isPrefix, role ?? .unranked)
    }
  }
}
