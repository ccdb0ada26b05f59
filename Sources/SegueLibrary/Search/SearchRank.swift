internal import SegueSQLite

/// The rank of a search result. A lower rank is better.
struct SearchRank: Comparable {
  let tier: SearchTier
  /// Whether only another spelling matches.
  let isOtherSpelling: Bool

  static func < (a: SearchRank, b: SearchRank) -> Bool { a.number < b.number }

  /// The rank as a number in 0..<`count`.
  var number: Int { tier.rawValue * 2 + (isOtherSpelling ? 1 : 0) }
  static let count = SearchTier.allCases.count * 2

  init(_ tier: SearchTier, isOtherSpelling: Bool = false) {
    self.tier = tier
    self.isOtherSpelling = isOtherSpelling
  }

  init?(number: Int) {
    guard let tier = SearchTier(rawValue: number / 2) else { return nil }
    self.init(tier, isOtherSpelling: number % 2 == 1)
  }

  /// Creates the rank of a row that matches. With `onlyExact`, all ranks but `exact` count as `unfinished`.
  init(_ row: MatchedRow, _ query: FTSQuery, onlyExact: Bool = false) {
    let (phrases, termCount) = (query.ranking, query.termCount)
    var (complete, literal, inTitle): (UInt64, UInt64, UInt64) = (0, 0, 0)
    // The terms that are found elsewhere than in the credits.
    var named: UInt64 = 0
    // The number of terms with which the title begins, in their order, and the number of their words.
    var (leadingTerms, leadingWords) = (0, 0)
    // An iterator would retain the array for each of thousands of rows.
    for index in phrases.indices {
      let phrase = phrases[index]
      guard let term = phrase.term else {
        if row.find(phrase: phrase.number) != nil {
          self.init(.exact)
          return
        }
        continue
      }
      if onlyExact { break }
      let mayLead = term == leadingTerms && (phrase.isComplete || term == termCount - 1)
      // An incomplete phrase affects the rank only at the beginning of the title.
      guard phrase.isComplete || mayLead,
        let found = row.find(phrase: phrase.number, inTitleAt: mayLead ? leadingWords : -1)
      else { continue }
      if phrase.isComplete {
        let bit: UInt64 = 1 << UInt64(term)
        complete |= bit
        if phrase.isLiteral { literal |= bit }
        if found.column == 0 { inTitle |= bit }
        if !query.creditColumns.contains(found.column) { named |= bit }
      }
      if found.isAtPosition {
        leadingTerms += 1
        leadingWords += phrase.length
      }
    }
    if onlyExact {
      self.init(.unfinished)
      return
    }
    let wanted: UInt64 = termCount == 0 ? 0 : .max >> UInt64(64 - termCount)
    let tier: SearchTier =
      if leadingTerms == termCount, termCount > 0 {
        .beginning
      } else if inTitle == wanted {
        .title
      } else {
        complete == wanted ? (named == wanted ? .words : .credits) : .unfinished
      }
    self.init(tier, isOtherSpelling: literal & complete != complete)
  }
}

/// A coarse rank of search results, the best first.
enum SearchTier: Int, CaseIterable {
  /// The title equals the query.
  case exact
  /// The title begins with the query.
  case beginning
  /// The title contains all words.
  case title
  /// All words occur in some column.
  case words
  /// All words occur in some column, but some only among composers, conductors and works.
  case credits
  /// Some words are only prefixes of words.
  case unfinished
}
