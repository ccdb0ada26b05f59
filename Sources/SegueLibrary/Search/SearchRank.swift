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

  /// Of a row that matches.
  init(_ row: MatchedRow, _ match: SearchMatch) {
    let terms = match.terms
    var (complete, literal, inTitle): (UInt64, UInt64, UInt64) = (0, 0, 0)
    // How many terms the title begins with, in their order, and how many of its places that takes.
    var (begun, places) = (0, 0)
    for (phrase, meaning) in match.meanings {
      guard case .term(let term, let length, let isComplete, let isLiteral) = meaning else {
        if row.firstColumn(ofPhrase: phrase) != nil {
          self.init(.exact)
          return
        }
        continue
      }
      let mayBegin = term == begun && (isComplete || term == terms - 1)
      // What is not complete says nothing else.
      guard isComplete || mayBegin, let column = row.firstColumn(ofPhrase: phrase) else { continue }
      if isComplete {
        let bit: UInt64 = 1 << UInt64(term)
        complete |= bit
        if isLiteral { literal |= bit }
        if column == 0 { inTitle |= bit }
      }
      if column == 0, mayBegin, row.hasPhrase(phrase, inTitleAt: places) {
        begun += 1
        places += length
      }
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
