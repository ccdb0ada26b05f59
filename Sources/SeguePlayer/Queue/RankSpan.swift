/// Evenly spread ranks for entries that go between two neighbours.
struct RankSpan {
  /// Between entries that were appended: room for forty insertions in one place before a renumbering.
  static let gap: Int64 = 1 << 40

  private let first: Int64
  private let step: Int64

  /// nil if there is no room: then all must be numbered anew.
  init?(after low: Int64?, before high: Int64?, count: Int) {
    let count = Int64(count)
    switch (low, high) {
    case (nil, nil):
      // As many entries as have room at full gaps on both sides of zero; closer together beyond.
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
      let (room, overflow) = high.subtractingReportingOverflow(low)
      guard !overflow, room / (count + 1) > 0 else { return nil }
      step = room / (count + 1)
      first = low + step
    }
  }

  subscript(offset: Int) -> Int64 { first + Int64(offset) * step }
}
