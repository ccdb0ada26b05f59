// On the thread of its connection only.

/// Ranks a few finds by their texts.
struct SearchRanking {
  private let terms: [Place]
  private let wholes: [[UInt8]]
  private let needles: SearchNeedles
  private let joined: [(words: [[UInt8]], places: UInt64)]
  private let table: SearchTable
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
    self.table = table
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
    needles = SearchNeedles(places.flatMap(\.words) + joined.flatMap(\.words) + wholes)
    self.joined = joined
  }

  /// `texts`: those of a row of the table. They are looked at until all words are found.
  func rank(_ texts: SQLiteStatement) -> Rank {
    let wanted = terms.isEmpty ? 0 : UInt64.max >> UInt64(64 - terms.count)
    var everywhere: UInt64 = 0
    var inTitle: UInt64 = 0
    var literally: UInt64 = 0
    var isWhole = false
    // How many places the title begins with, in their order.
    var begun = 0
    for (index, column) in table.parts.enumerated() {
      texts.withText(Int32(index)) { bytes in
        guard let text = bytes?.assumingMemoryBound(to: UInt8.self) else { return }
        var place = -1
        if needles.isMissing(in: text) { return }
        let words = tokenizer.words(of: text, for: .keeping)
        _ = words.withWords { word, kind in
          if kind == .word { place += 1 }
          if kind == .whole {
            if index == 0, wholes.contains(where: { word.elementsEqual($0) }) { isWhole = true }
            return 0
          }
          for (bit, term) in terms.enumerated() where term.column ?? column == column {
            guard let match = term.words.firstIndex(where: { word.elementsEqual($0) }) else {
              if index == 0, begun == bit, place == bit, bit == terms.count - 1, term.words.contains(where: word.starts)
              {
                begun += 1
              }
              continue
            }
            everywhere |= 1 << UInt64(bit)
            if match == 0 { literally |= 1 << UInt64(bit) }
            if index == 0, begun == bit, place == bit { begun += 1 }
          }
          for (words, places) in joined where words.contains(where: { word.elementsEqual($0) }) { everywhere |= places }
          return 0
        }
      }
      if index == 0 { inTitle = everywhere }
      if everywhere == wanted { break }
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
      score: texts.integer(Int32(table.parts.count)) ?? 0, part: texts.integer(Int32(table.parts.count + 1)) ?? 0,
      place: texts.integer(Int32(table.parts.count + 2)) ?? 0)
  }
}
