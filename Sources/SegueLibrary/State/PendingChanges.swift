/// What was ordered and is not in the file yet, each row and value once, so that after failures a retry costs no more
/// than the state is large.
struct PendingChanges {
  /// Set: what the file holds of the queue is void, and these are the rows.
  private(set) var replacement: [SavedEntry]?
  private(set) var upserts: [UInt64: SavedEntry] = [:]
  private(set) var removals: Set<UInt64> = []
  private(set) var nextID: UInt64?
  private(set) var modes: SavedModes?
  private(set) var playhead: SavedPlayhead?
  private(set) var volume: SavedVolume?
  // Two levels: whether it was ordered, and what.
  private(set) var sleep: SavedSleep??
  private(set) var device: String??

  mutating func add(_ order: StoreOrder) {
    switch order {
    case .replaceEntries(let entries):
      replacement = entries
      upserts = [:]
      removals = []
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
    case .nextID(let id): nextID = max(id, nextID ?? 0)
    case .modes(let value): modes = value
    case .playhead(let value): playhead = value
    case .volume(let value): volume = value
    case .sleep(let value): sleep = .some(value)
    case .device(let value): device = .some(value)
    }
  }
}
