/// An index of ids: it finds the position of each of many ids in a list, without a search for each.
struct IDIndex {
  /// The positions by id, from `first` on, -1 for an id that is not in the list. The ids of a queue are close together,
  /// so that such a table is faster than a dictionary.
  private var table: [Int32] = []
  private var first: UInt64 = 0
  /// The positions if most of a table would be unused.
  private var dictionary: [UInt64: Int] = [:]

  /// Creates an index of `ids`, none of which occurs twice, in which the ids `wanted` are looked up.
  init(_ ids: [UInt64], for wanted: [UInt64]) {
    guard let present = Self.bounds(of: ids), let needed = Self.bounds(of: wanted), present.overlaps(needed) else {
      return
    }
    let bounds = present.clamped(to: needed)
    let (low, high) = (bounds.lowerBound, bounds.upperBound)
    // The lists are long. In programs that are not optimized, tuples of `enumerated` would take most of the time.
    guard high - low < 16 * UInt64(ids.count) + 4096 else {
      for position in ids.indices where low <= ids[position] && ids[position] <= high {
        dictionary[ids[position]] = position
      }
      return
    }
    first = low
    table = [Int32](repeating: -1, count: Int(high - low) + 1)
    for position in ids.indices where low <= ids[position] && ids[position] <= high {
      table[Int(ids[position] - low)] = Int32(truncatingIfNeeded: position)
    }
  }

  private static func bounds(of ids: [UInt64]) -> ClosedRange<UInt64>? {
    guard var low = ids.first else { return nil }
    var high = low
    for id in ids { if id < low { low = id } else if id > high { high = id } }
    return low...high
  }

  subscript(id: UInt64) -> Int? {
    guard id >= first, id - first < table.count else { return dictionary.isEmpty ? nil : dictionary[id] }
    let position = table[Int(id - first)]
    return position >= 0 ? Int(position) : nil
  }
}
