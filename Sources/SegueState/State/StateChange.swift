internal import SegueSQLite
public import SegueSystem
internal import SegueWire

/// A change of the saved state. It contains the new values, so that it can be repeated without harm.
public enum StateChange: Equatable, Sendable {
  /// Replaces the whole queue.
  case replaceEntries([SavedEntry])
  /// Inserts or replaces entries.
  case upsertEntries([SavedEntry])
  case removeEntries([UInt64])
  case queueOrigin(QueueOrigin)
  /// Inserts or replaces a step of the queue's history.
  case upsertStep(SavedStep)
  /// Extends a step of the queue's history.
  case extendStep(SavedStepExtension)
  case removeSteps([UInt64])
  /// Sets the next id. A smaller one than the saved id has no effect.
  case nextID(UInt64)
  case modes(SavedModes)
  case shuffleOrder(SavedShuffleChange)
  case playhead(SavedPlayhead)
  case volume(SavedVolume)
  case sleep(SavedSleep?)
  case speed(PlaybackSpeed)
  /// Sets a setting by name, or removes it if the value is nil.
  case setting(String, SavedSetting?)
  case onlineSearches([String])
}

extension StateChange {
  /// Writes the change. The caller begins and ends the transaction.
  func write(to connection: SQLiteConnection) throws(StoreError) {
    let values = StateValues(connection)
    switch self {
    case .replaceEntries(let entries):
      try connection.execute("DELETE FROM queue")
      try SavedEntry.write(entries, to: connection)
    case .upsertEntries(let entries): try SavedEntry.write(entries, to: connection)
    case .removeEntries(let ids):
      let delete = try connection.statement("DELETE FROM queue WHERE id = ?")
      for id in ids { try delete.run(id) }
    case .queueOrigin(let origin): try origin.write(to: values)
    case .upsertStep(let step): try step.write(to: connection)
    case .extendStep(let part): try part.write(to: connection)
    case .removeSteps(let numbers): try SavedStep.remove(numbers, from: connection)
    case .nextID(let id): try values.raise(.nextID, to: Int64(bitPattern: id))
    case .modes(let modes):
      try values.set(.repeatMode, modes.repeatMode.rawValue)
      try values.set(.shuffle, modes.shuffle.rawValue)
      try values.set(.consume, modes.consume ? 1 : 0)
    case .shuffleOrder(let change): try change.write(to: connection)
    case .playhead(let playhead):
      try values.set(.entry, playhead.entry.map(Int64.init(bitPattern:)))
      try values.set(.position, playhead.position.nanoseconds)
      try values.set(.playState, playhead.state.rawValue)
      try values.set(.playheadTime, playhead.time.nanoseconds)
    case .volume(let volume):
      try values.set(.volume, Int64(volume.level))
      try values.set(.muted, volume.muted ? 1 : 0)
      try values.set(.balance, volume.balance)
    case .sleep(let sleep):
      var (time, item): (Int64?, String?) = (nil, nil)
      switch sleep {
      case nil: break
      case .at(let deadline): time = deadline.nanoseconds
      case .after(let end): item = end.rawValue
      }
      try values.set(.sleepAt, time)
      try values.set(.sleepAfter, item)
    case .speed(let speed): try values.set(.speed, Int64(speed.hundredths))
    case .onlineSearches(let searches): try values.set(.onlineSearches, TextList.text(of: searches))
    case .setting(let name, let setting): try SavedSetting.write(setting, named: name, to: connection)
    }
  }
}
