/// What FTS5 is asked for.
indirect enum SearchExpression {
  /// All of `places` in a row, of the words at each place any; of the last place the beginning, if `isPrefix`.
  case phrase(_ places: [[[UInt8]]], isPrefix: Bool, PhraseRole)
  /// In this column of the table.
  case within(_ column: String, SearchExpression)
  case all([SearchExpression])
  case any([SearchExpression])
  case but(SearchExpression, not: SearchExpression)
}

/// What it says of a row that it has a phrase.
enum PhraseRole {
  /// Nothing that it could be ranked by.
  case nothing
  /// The whole title is what was asked.
  case whole
  /// It has the term of this number, which takes so many places there.
  case term(Int, places: Int, isComplete: Bool, isLiteral: Bool)
}

extension SearchExpression {
  /// A word of the column `facts`, or all that begin with it.
  static func fact(_ text: String, isPrefix: Bool = false) -> SearchExpression {
    .phrase([[[TokenExpander.factMark] + Array(text.utf8)]], isPrefix: isPrefix, .nothing)
  }

  /// All years of a range: decades and centuries as the digits that they begin with.
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

  private typealias Spelling = (places: [[[UInt8]]], isLiteral: Bool)

  /// A word as it is written and as it may be; `term`: its number, nil if nothing is ranked by it. With `isPrefix` also
  /// what begins with it.
  static func word(_ word: SearchWord, isPrefix: Bool, term: Int?) -> SearchExpression {
    // FTS5 goes faster through several phrases of one word than through one with several words at its place.
    var spellings: [Spelling] = [(word.places, true)]
    if let only = word.places.first, word.places.count == 1 {
      spellings = only.enumerated().map { ([[$1]], $0 == 0) }
    }
    spellings += word.joined.map { ([[$0]], false) }
    // What is complete begins with it, too: it is asked for by itself only to be ranked by.
    let complete = isPrefix && term == nil ? [] : phrases(spellings, term, isComplete: true)
    return .any(complete + (isPrefix ? phrases(spellings, term, isComplete: false, isPrefix: true) : []))
  }

  /// A word, unfinished, of which it is known what begins with it.
  static func word(_ word: SearchWord, completions: [[UInt8]], term: Int?) -> SearchExpression {
    let ways = (word.places.count == 1 ? word.places[0] : []) + word.joined
    let complete = ways.filter(completions.contains).map { ([[$0]], $0 == ways[0]) }
    let rest = completions.filter { !ways.contains($0) }.map { ([[$0]], false) }
    return .any(phrases(complete, term, isComplete: true) + phrases(rest, term, isComplete: false))
  }

  private static func phrases(
    _ spellings: [Spelling], _ term: Int?, isComplete: Bool, isPrefix: Bool = false
  ) -> [SearchExpression] {
    spellings.map { spelling in
      let meaning = term.map {
        PhraseRole.term($0, places: spelling.places.count, isComplete: isComplete, isLiteral: spelling.isLiteral)
      }
      return .phrase(spelling.places, isPrefix: isPrefix, meaning ?? .nothing)
    }
  }
}
