// On the thread "index" only.

/// What is to be written into the tables of the search, kept back until the rows of a portion are written: FTS5 writes
/// all it has gathered whenever another table's statement can be taken back, which nearly every one can.
struct SearchChanges {
  typealias Change = (SearchWriter) throws(StoreError) -> Void

  private var changes: [Change] = []
  /// So many are kept back.
  private static let most = 1024

  var isFull: Bool { changes.count >= Self.most }

  mutating func add(_ change: @escaping Change) { changes.append(change) }

  /// In the order they came.
  mutating func write(_ search: SearchWriter) throws(StoreError) {
    for change in changes { try change(search) }
    changes = []
  }
}
