// On the thread of its connection only.

/// Ranks a few finds by their texts.
struct SearchRanking {
  private let terms: [Place]
  private let wholes: [[UInt8]]
  private let joined: [(words: [[UInt8]], places: UInt64)]
  private let tokenizer: SearchTokenizer

  /// Of which column of the texts a place of the query may be; nil for any.
  private struct Place {
    let words: [[UInt8]]
    let column: Int?
  }

  /// The lower the better.
  struct Rank: Comparable {
    var tier: SearchTier
    /// Whether another spelling was needed.
    var isSpelledOtherwise: Bool
    /// What the user thinks of it.
    var score: Int64
    /// The tracks of an album stand in its order.
    var part: Int64 = 0
    var place: Int64 = 0

    static func < (a: Rank, b: Rank) -> Bool {
      if a.tier != b.tier { return a.tier < b.tier }
      if a.isSpelledOtherwise != b.isSpelledOtherwise { return b.isSpelledOtherwise }
      return (b.score, a.part, a.place) < (a.score, b.part, b.place)
    }
  }

  init(_ query: SearchQuery, _ table: SearchTable, _ tokenizer: SearchTokenizer) {
    self.tokenizer = tokenizer
    wholes = query.wholes ?? []
    var places: [Place] = []
    var joined: [(words: [[UInt8]], places: UInt64)] = []
    for term in query.rankedTerms {
      let column = term.field.flatMap(table.column).flatMap(table.columns.firstIndex)
      let first = places.count
      for words in term.word.places where places.count < 64 { places.append(Place(words: words, column: column)) }
      let range = (first..<places.count).reduce(0 as UInt64) { $0 | 1 << UInt64($1) }
      if !term.word.joined.isEmpty { joined.append((term.word.joined, range)) }
    }
    terms = places
    self.joined = joined
  }

  /// `texts`: the values of the table's columns, the title first.
  func rank(_ statement: SQLiteStatement, columns: Int) -> Rank {
    let wanted = terms.isEmpty ? 0 : UInt64.max >> UInt64(64 - terms.count)
    var everywhere: UInt64 = 0
    var inTitle: UInt64 = 0
    var literally: UInt64 = 0
    var isWhole = false
    // How many places the title begins with, in their order.
    var begun = 0
    for column in 0..<columns {
      statement.withText(Int32(column)) { text in
        guard let text else { return }
        var found: UInt64 = 0
        var index = -1
        let words = text.withMemoryRebound(to: UInt8.self) { tokenizer.words(of: $0, for: .keeping) }
        _ = words.withWords { word, kind in
          if kind == .word { index += 1 }
          if kind == .whole {
            if column == 0, wholes.contains(where: { word.elementsEqual($0) }) { isWhole = true }
            return 0
          }
          for (bit, place) in terms.enumerated() where place.column ?? column == column {
            guard let match = place.words.firstIndex(where: { word.elementsEqual($0) }) else {
              if column == 0, begun == bit, index == bit, bit == terms.count - 1,
                place.words.contains(where: word.starts)
              {
                begun += 1
              }
              continue
            }
            found |= 1 << UInt64(bit)
            if match == 0 { literally |= 1 << UInt64(bit) }
            if column == 0, begun == bit, index == bit { begun += 1 }
          }
          for (words, places) in joined where words.contains(where: { word.elementsEqual($0) }) { found |= places }
          return 0
        }
        everywhere |= found
        if column == 0 { inTitle = found }
      }
    }
    let tier: SearchTier =
      if isWhole {
        .exact
      } else if begun == terms.count, begun > 0 {
        .beginning
      } else if inTitle == wanted {
        .title
      } else {
        everywhere == wanted ? .words : .unfinished
      }
    return Rank(
      tier: tier, isSpelledOtherwise: literally & everywhere != everywhere,
      score: statement.integer(Int32(columns)) ?? 0, part: statement.integer(Int32(columns + 1)) ?? 0,
      place: statement.integer(Int32(columns + 2)) ?? 0)
  }
}
