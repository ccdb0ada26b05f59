/// The representation of a `QueueOrigin` as values of the state.
extension QueueOrigin {
  private enum Name: String {
    case filling, user
  }

  /// Reads the origin.
  ///
  /// - Parameter hadEntries: Whether the saved queue has, or ever had, entries. In a file of an earlier version, which has
  ///   none of these values, this means that the user created the queue.
  init(reading values: StateValues, hadEntries: Bool) throws(StoreError) {
    self = hadEntries ? .user : .none
    switch try values.text(.queueOrigin).flatMap(Name.init) {
    case .filling:
      if let ids = try values.text(.filling).flatMap(RangeSet<UInt64>.init(text:)), !ids.isEmpty {
        self = .filling(ids)
      }
    case .user: self = .user
    case nil: break
    }
  }

  func write(to values: StateValues) throws(StoreError) {
    var (name, ids): (Name?, String?) = (nil, nil)
    switch self {
    case .none: break
    case .filling(let set): (name, ids) = (.filling, set.text)
    case .user: name = .user
    }
    try values.set(.queueOrigin, name?.rawValue)
    try values.set(.filling, ids)
  }
}

/// The representation of a set of ids as a text such as "1-4,7-7".
extension RangeSet<UInt64> {
  fileprivate var text: String {
    ranges.map { "\($0.lowerBound)-\($0.upperBound - 1)" }.joined(separator: ",")
  }

  /// Creates nothing from a text that was not written by `text`.
  fileprivate init?(text: String) {
    self.init()
    for part in text.split(separator: ",") {
      let ends = part.split(separator: "-").map { UInt64($0) }
      guard ends.count == 2, let first = ends[0], let last = ends[1], first <= last, last < .max else { return nil }
      insert(contentsOf: first..<(last + 1))
    }
  }
}
