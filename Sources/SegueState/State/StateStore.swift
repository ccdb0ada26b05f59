// Thread: any. The work is done on the thread "state", which owns the SQLite connection and may block in it. Only
// `close` waits for it.

public import SegueSQLite
public import SegueSystem

/// A store for the state that survives a restart of the daemon, in one SQLite file.
///
/// Changes survive the end of the process once `save` has confirmed them (WAL, `synchronous=NORMAL`; a power failure
/// may undo the last transactions, but never damages the file). Changes that could not be saved are saved with the next
/// ones.
public final class StateStore: Sendable {
  private let thread: SerialThread<StateDatabase>

  /// Opens nothing yet. The folder of `path` is created when it is needed.
  public init(path: FilePath) {
    thread = SerialThread(name: "state", onIdle: { $0.updateCopy() }, state: { StateDatabase(path: path) })
  }

  /// Reads the state. If the database is damaged, or a later version wrote it, it is renamed, which is logged, and a
  /// new one is created with what can be read of it, and of its last copy where it cannot be read. A database that is
  /// not writable is read nevertheless. A database that is not readable is renamed as soon as something can be saved.
  /// `completion` runs on the thread "state".
  public func load(_ completion: @escaping @Sendable (Result<SavedState, StoreError>) -> Void) {
    thread.post { database in
      completion(Result { () throws(StoreError) in try database.load() })
    }
  }

  /// Writes `changes` in one transaction, after all earlier ones. `completion` runs on the thread "state" when they are
  /// durable or have failed. If the file is unusable, it is renamed, and every call fails with the same error until the
  /// whole queue (`replaceEntries`) is saved, so that the new file is always complete.
  public func save(
    _ changes: [StateChange], _ completion: (@Sendable (Result<Void, StoreError>) -> Void)? = nil
  ) {
    save(making: { changes }, completion)
  }

  /// Writes the changes that a function returns. The function runs on the thread "state".
  public func save(
    making changes: @escaping @Sendable () -> [StateChange],
    _ completion: (@Sendable (Result<Void, StoreError>) -> Void)? = nil
  ) {
    thread.post { database in
      let result = Result { () throws(StoreError) in try database.save(changes()) }
      completion?(result)
    }
  }

  /// Calls a function on the thread "state", after everything that was to be written before.
  public func run(_ function: @escaping @Sendable () -> Void) {
    thread.post { _ in function() }
  }

  /// Waits until everything is written, and closes the file. Returns false if changes are lost. To be called once.
  @discardableResult
  public func close() -> Bool {
    let isSaved = BlockingPromise<Bool>()
    thread.post { isSaved.fulfill($0.finish()) }
    thread.close()
    return isSaved.wait()
  }
}
