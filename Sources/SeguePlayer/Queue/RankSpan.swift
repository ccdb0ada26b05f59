/// Evenly spaced ranks for entries between two neighbours.
struct RankSpan {
  /// The gap between appended entries: enough for forty insertions at one place before others get new ranks.
  static let gap: Int64 = 1 << 40

  private let first: Int64
  private let step: Int64

  /// Returns nil if there is no space between the neighbours: then some of the others must get new ranks, too.
  init?(after low: Int64?, before high: Int64?, count: Int) {
    let count = Int64(count)
    switch (low, high) {
    case (nil, nil):
      // The full gap, or a smaller one if the number of entries requires it.
      step = min(Self.gap, Int64.max / 2 / max(count, 1))
      first = 0
    case (let low?, nil):
      step = Self.gap
      guard count < (Int64.max - max(low, 0)) / Self.gap else { return nil }
      first = low + Self.gap
    case (nil, let high?):
      step = Self.gap
      guard count < (Int64.max + min(high, 0)) / Self.gap else { return nil }
      first = high - count * Self.gap
    case (let low?, let high?):
      let (space, overflow) = high.subtractingReportingOverflow(low)
      guard !overflow, space / (count + 1) > 0 else { return nil }
      step = space / (count + 1)
      first = low + step
    }
  }

  subscript(offset: Int) -> Int64 { first + Int64(offset) * step }
}

extension EntryRows {
  /// The result of `assignRanks`.
  struct RankAssignment {
    /// The range of the rows that have new ranks.
    let range: Range<Int>
    /// The former ranks of the rows around those to which ranks were to be assigned.
    let former: [EntryRank]
  }

  /// Gives the rows in `range` ranks between those of their neighbours. If there is no space, as many rows around them
  /// get new ranks as are needed, so that inserting a long list in one place costs little more than its own rows.
  mutating func assignRanks(_ range: Range<Int>) -> RankAssignment {
    var assigned = range
    var margin = 1
    while true {
      let span = RankSpan(
        after: assigned.lowerBound > 0 ? ranks[assigned.lowerBound - 1] : nil,
        before: assigned.upperBound < count ? ranks[assigned.upperBound] : nil, count: assigned.count)
      if let span {
        let before = entryRanks(in: assigned.lowerBound..<range.lowerBound)
        let former = before + entryRanks(in: range.upperBound..<assigned.upperBound)
        rank(assigned, span)
        return RankAssignment(range: assigned, former: former)
      }
      // The whole queue has space in any case.
      assigned = max(0, range.lowerBound - margin)..<min(count, range.upperBound + margin)
      margin *= 2
    }
  }
}
