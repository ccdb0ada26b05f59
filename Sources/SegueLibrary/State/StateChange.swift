/// A change of the saved state. It contains the new values, so that it can be repeated without harm.
public enum StateChange: Equatable, Sendable {
  /// Replaces the whole queue.
  case replaceEntries([SavedEntry])
  /// Inserts or replaces entries.
  case upsertEntries([SavedEntry])
  case removeEntries([UInt64])
  case queueOrigin(QueueOrigin)
  /// Sets the next id. A smaller one than the saved id has no effect.
  case nextID(UInt64)
  case modes(SavedModes)
  case playhead(SavedPlayhead)
  case volume(SavedVolume)
  case sleep(SavedSleep?)
  /// Sets a setting by name, or removes it if the value is nil.
  case setting(String, SavedSetting?)
}
