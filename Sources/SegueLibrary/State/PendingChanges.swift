/// What was ordered and is not in the file yet.
struct PendingChanges {
  private(set) var orders: [StateChange] = []

  mutating func add(_ new: [StateChange]) { orders += new }

  /// Keeps each row and value once, so that after many failures a retry costs no more than the state is large.
  mutating func compact() {
    var replacement: [SavedEntry]?
    var upserts: [UInt64: SavedEntry] = [:]
    var removals: Set<UInt64> = []
    var values: [StateChange.Value: StateChange] = [:]
    for order in orders {
      switch order {
      case .replaceEntries(let entries): (replacement, upserts, removals) = (entries, [:], [])
      case .upsertEntries(let entries):
        for entry in entries {
          upserts[entry.id] = entry
          removals.remove(entry.id)
        }
      case .removeEntries(let ids):
        for id in ids {
          upserts[id] = nil
          removals.insert(id)
        }
      case .beginning, .nextID, .modes, .playhead, .volume, .sleep, .setting:
        if let value = order.value { values[value] = order }
      }
    }
    orders = Array(values.values)
    if let replacement { orders.append(.replaceEntries(replacement)) }
    if !removals.isEmpty { orders.append(.removeEntries(removals.sorted())) }
    if !upserts.isEmpty { orders.append(.upsertEntries(upserts.values.sorted { $0.id < $1.id })) }
  }
}

extension StateChange {
  /// Orders of which only the last counts (of the next id too: it only grows).
  fileprivate enum Value: Hashable {
    case beginning, nextID, modes, playhead, volume, sleep
    case setting(String)
  }

  fileprivate var value: Value? {
    switch self {
    case .replaceEntries, .upsertEntries, .removeEntries: nil
    case .beginning: .beginning
    case .nextID: .nextID
    case .modes: .modes
    case .playhead: .playhead
    case .volume: .volume
    case .sleep: .sleep
    case .setting(let name, _): .setting(name)
    }
  }
}
