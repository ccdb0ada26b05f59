// On the thread "library" only.

internal import SegueSystem

/// The SQLite file: opened at the first use, opened again after a failure.
final class StateDatabase {
  let path: FilePath

  init(path: FilePath) { self.path = path }

  func load() throws(StoreError) -> SavedState { SavedState() }
  func save(_ orders: [StoreOrder]) throws(StoreError) {}
}
