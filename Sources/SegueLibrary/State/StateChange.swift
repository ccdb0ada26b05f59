/// A change to what is saved. An order says how things are, not how they came to be: doing one twice does no harm.
public enum StateChange: Equatable, Sendable {
  /// The queue is these rows and no others.
  case replaceEntries([SavedEntry])
  /// These rows, whole, new or anew.
  case upsertEntries([SavedEntry])
  case removeEntries([UInt64])
  case beginning(QueueOrigin)
  /// Grows only: a smaller one than what is saved changes nothing.
  case nextID(UInt64)
  case modes(SavedModes)
  case playhead(SavedPlayhead)
  case volume(SavedVolume)
  case sleep(SavedSleep?)
  /// By its name; nil: it is chosen no longer.
  case setting(String, SavedSetting?)
}
