/// A set of ids that is built and searched fast: for a million ids, both take a few milliseconds.
struct IDSet {
  /// One bit for each number below a power of two. It is set if the set has an id with that remainder.
  private var bits: [UInt64] = []
  private var mask: UInt64 = 0
  /// The ids, if several may have the same remainder.
  private var exact: Set<UInt64>?
  /// The smallest and the greatest id; nil if there are none.
  private var bounds: ClosedRange<UInt64>?

  /// The maximum number of bits. The ids of a queue are close together, so that they mostly have different remainders.
  private static let maximumBits: UInt64 = 1 << 25

  init(_ ids: [UInt64]) {
    guard var low = ids.first else { return }
    var high = low
    for id in ids { (low, high) = (min(low, id), max(high, id)) }
    prepare(low...high)
    for id in ids { insert(id) }
    if high - low > mask { exact = Set(ids) }
  }

  init(_ ranges: AscendingRanges<UInt64>) {
    guard let first = ranges.ranges.first, let last = ranges.ranges.last else { return }
    prepare(first.lowerBound...(last.upperBound - 1))
    for range in ranges.ranges { for id in range { insert(id) } }
    if last.upperBound - first.lowerBound > mask { exact = Set(ranges.ranges.joined()) }
  }

  private mutating func prepare(_ bounds: ClosedRange<UInt64>) {
    self.bounds = bounds
    let span = bounds.upperBound - bounds.lowerBound
    var count: UInt64 = 64
    while count <= span, count < Self.maximumBits { count *= 2 }
    mask = count - 1
    bits = [UInt64](repeating: 0, count: Int(count / 64))
  }

  private mutating func insert(_ id: UInt64) { bits[Int((id & mask) >> 6)] |= 1 << (id & 63) }

  func contains(_ id: UInt64) -> Bool {
    guard let bounds, bounds.contains(id), bits[Int((id & mask) >> 6)] >> (id & 63) & 1 == 1 else { return false }
    return exact?.contains(id) ?? true
  }

  /// Returns for each of `ids` whether it is in the set.
  func mask(of ids: [UInt64]) -> [Bool] {
    guard bounds != nil else { return [Bool](repeating: false, count: ids.count) }
    return ids.map(contains)
  }

  /// The ids in ascending order.
  var ranges: AscendingRanges<UInt64> {
    guard let bounds else { return AscendingRanges() }
    if let exact { return AscendingRanges(ascending: exact.sorted()) }
    var ranges: [Range<UInt64>] = []
    var id = bounds.lowerBound
    while id <= bounds.upperBound {
      let word = bits[Int((id & mask) >> 6)] >> (id & 63)
      if word == 0 {
        id = (id | 63) + 1
        continue
      }
      id += UInt64(word.trailingZeroBitCount)
      let start = id
      while id <= bounds.upperBound {
        let ones = (~(bits[Int((id & mask) >> 6)] >> (id & 63))).trailingZeroBitCount
        let end = min(id + UInt64(ones), (id | 63) + 1)
        let reachesEnd = end == (id | 63) + 1
        id = end
        if !reachesEnd { break }
      }
      ranges.append(start..<min(id, bounds.upperBound + 1))
    }
    return AscendingRanges(ascending: ranges)
  }
}
