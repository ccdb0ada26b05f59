/// How well what was found fits what was asked; the lower the better.
struct SearchRank: Comparable {
  var tier: SearchTier
  /// Whether another spelling was needed.
  var isSpelledOtherwise = false

  static func < (a: SearchRank, b: SearchRank) -> Bool { a.number < b.number }

  /// 0..<`count`
  var number: Int { tier.rawValue * 2 + (isSpelledOtherwise ? 1 : 0) }
  static let count = SearchTier.allCases.count * 2

  init(_ tier: SearchTier, isSpelledOtherwise: Bool = false) {
    self.tier = tier
    self.isSpelledOtherwise = isSpelledOtherwise
  }

  init?(number: Int) {
    guard let tier = SearchTier(rawValue: number / 2) else { return nil }
    self.init(tier, isSpelledOtherwise: number % 2 == 1)
  }

  /// Of a row that matches. With `onlyExact`, what is not exactly what was asked counts as unfinished.
  init(_ row: MatchedRow, _ match: FTSQuery, onlyExact: Bool = false) {
    let (phrases, terms) = (match.ranking, match.terms)
    var (complete, literal, inTitle): (UInt64, UInt64, UInt64) = (0, 0, 0)
    // How many terms the title begins with, in their order, and how many of its places that takes.
    var (begun, places) = (0, 0)
    // By their places: an iterator would hold the array, for each of thousands of rows.
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
      let mayBegin = term == begun && (phrase.isComplete || term == terms - 1)
      // What is not complete says nothing else.
      guard phrase.isComplete || mayBegin,
        let found = row.find(phrase: phrase.number, inTitleAt: mayBegin ? places : -1)
      else { continue }
      if phrase.isComplete {
        let bit: UInt64 = 1 << UInt64(term)
        complete |= bit
        if phrase.isLiteral { literal |= bit }
        if found.column == 0 { inTitle |= bit }
      }
      if found.isThere {
        begun += 1
        places += phrase.places
      }
    }
    if onlyExact {
      self.init(.unfinished)
      return
    }
    let wanted: UInt64 = terms == 0 ? 0 : .max >> UInt64(64 - terms)
    let tier: SearchTier =
      if begun == terms, begun > 0 {
        .beginning
      } else if inTitle == wanted {
        .title
      } else {
        complete == wanted ? .words : .unfinished
      }
    self.init(tier, isSpelledOtherwise: literal & complete != complete)
  }
}
