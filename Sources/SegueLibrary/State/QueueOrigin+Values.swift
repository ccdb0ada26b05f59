/// A `QueueOrigin` among the single values of the state.
extension QueueOrigin {
  private enum Name: String {
    case filling, user
  }

  /// `hadEntries`: whether the saved queue holds entries or has ever held any. That alone tells of a user's queue in a
  /// file of an earlier version, which has none of these values.
  init(reading values: StateValues, hadEntries: Bool) throws(StoreError) {
    self = hadEntries ? .user : .none
    switch try values.text(.beginning).flatMap(Name.init) {
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
    try values.set(.beginning, name?.rawValue)
    try values.set(.filling, ids)
  }
}

/// A set of ids as the text "1-4,7-7".
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
