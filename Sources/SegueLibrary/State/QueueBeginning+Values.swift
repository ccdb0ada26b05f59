/// A `QueueBeginning` among the single values of the state.
extension QueueBeginning {
  private enum Name: String {
    case filling, user
  }

  /// `hadEntries`: whether the saved queue holds entries or has ever held any. That alone tells of a user's queue in a
  /// file of an earlier version, which has none of these values.
  init(reading values: StateValues, hadEntries: Bool) throws(StoreError) {
    self = hadEntries ? .user : .none
    switch try values.text(.beginning).flatMap(Name.init) {
    case .filling:
      guard let start = try values.integer(.fillingStart), let end = try values.integer(.fillingEnd), 0 < start,
        start <= end
      else { return }
      self = .filling(UInt64(start)..<UInt64(end))
    case .user: self = .user
    case nil: break
    }
  }

  func write(to values: StateValues) throws(StoreError) {
    var (name, ids): (Name?, Range<UInt64>?) = (nil, nil)
    switch self {
    case .none: break
    case .filling(let range): (name, ids) = (.filling, range)
    case .user: name = .user
    }
    try values.set(.beginning, name?.rawValue)
    try values.set(.fillingStart, ids.map { Int64(bitPattern: $0.lowerBound) })
    try values.set(.fillingEnd, ids.map { Int64(bitPattern: $0.upperBound) })
  }
}
