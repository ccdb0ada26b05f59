/// The changes that are not in the file yet.
struct PendingChanges {
  private(set) var changes: [StateChange] = []

  mutating func add(_ new: [StateChange]) { changes += new }

  /// Removes superseded changes, so that the cost of a retry after many failures is limited by the size of the state.
  mutating func compact() {
    var replacement: [SavedEntry]?
    var upserts: [UInt64: SavedEntry] = [:]
    var removals: Set<UInt64> = []
    var steps: [UInt64: SavedStep] = [:]
    var extensions: [UInt64: SavedStepExtension] = [:]
    var removedSteps: Set<UInt64> = []
    var order: SavedShuffleChange?
    var values: [StateChange.Value: StateChange] = [:]
    for change in changes {
      switch change {
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
      case .upsertStep(let step):
        steps[step.number] = step
        extensions[step.number] = nil
        removedSteps.remove(step.number)
      case .extendStep(let part):
        if extensions[part.number]?.append(part) == nil { extensions[part.number] = part }
      case .removeSteps(let numbers):
        for number in numbers {
          steps[number] = nil
          extensions[number] = nil
          removedSteps.insert(number)
        }
      case .shuffleOrder(let change): order = order?.followed(by: change) ?? change
      case .queueOrigin, .nextID, .modes, .playhead, .volume, .sleep, .speed, .setting, .onlineSearches:
        if let value = change.value { values[value] = change }
      }
    }
    changes = Array(values.values)
    if let order { changes.append(.shuffleOrder(order)) }
    if let replacement { changes.append(.replaceEntries(replacement)) }
    if !removals.isEmpty { changes.append(.removeEntries(removals.sorted())) }
    if !removedSteps.isEmpty { changes.append(.removeSteps(removedSteps.sorted())) }
    changes += steps.values.sorted { $0.number < $1.number }.map(StateChange.upsertStep)
    changes += extensions.values.sorted { $0.number < $1.number }.map(StateChange.extendStep)
    if !upserts.isEmpty { changes.append(.upsertEntries(upserts.values.sorted { $0.id < $1.id })) }
  }
}

extension StateChange {
  /// A value of which only the last change counts. This includes the next id, which only grows.
  fileprivate enum Value: Hashable {
    case queueOrigin, nextID, modes, playhead, volume, sleep, speed, onlineSearches
    case setting(String)
  }

  fileprivate var value: Value? {
    switch self {
    case .replaceEntries, .upsertEntries, .removeEntries, .upsertStep, .extendStep, .removeSteps, .shuffleOrder: nil
    case .queueOrigin: .queueOrigin
    case .nextID: .nextID
    case .modes: .modes
    case .playhead: .playhead
    case .volume: .volume
    case .sleep: .sleep
    case .speed: .speed
    case .setting(let name, _): .setting(name)
    case .onlineSearches: .onlineSearches
    }
  }
}
