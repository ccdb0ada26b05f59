// Any thread may call this. Its work is done on the thread "library", which owns the SQLite connection, may block in
// it, and is waited for by nobody but `close`.

public import SegueSystem

/// What outlives the daemon, in one SQLite file.
///
/// What a save confirmed survives the death of the process (WAL, `synchronous=NORMAL`; a power cut may take the last
/// transactions, never the file). A save that fails is kept and tried again with the next one.
public final class StateStore: Sendable {
  private let thread: SerialThread<StateDatabase>

  /// Opens nothing yet. The folder of `path` is made when it is needed.
  public init(path: FilePath) { thread = SerialThread(name: "library") { StateDatabase(path: path) } }

  /// Reads everything. A database that is broken, or that a later version wrote, is set aside under another name (which
  /// the log tells) and a new one begun: then the answer is an empty state. One that cannot be written is read all the
  /// same; one that cannot even be read is set aside as soon as something can be saved. `completion` runs on the
  /// library thread.
  public func load(_ completion: @escaping @Sendable (Result<SavedState, StoreError>) -> Void) {
    thread.post { database in
      completion(Result { () throws(StoreError) in try database.load() })
    }
  }

  /// Writes `orders` in one transaction, after all that was ordered before. `completion` runs on the library thread,
  /// once they are durable or have failed. An error that condemns the file, which is set aside then, is answered until
  /// everything is saved anew, the whole queue (`replaceEntries`) with it: the new file never holds less.
  public func save(
    _ orders: [StateChange], _ completion: (@Sendable (Result<Void, StoreError>) -> Void)? = nil
  ) {
    save(making: { orders }, completion)
  }

  /// The same, the orders being made on the library thread.
  public func save(
    making orders: @escaping @Sendable () -> [StateChange],
    _ completion: (@Sendable (Result<Void, StoreError>) -> Void)? = nil
  ) {
    thread.post { database in
      let result = Result { () throws(StoreError) in try database.save(orders()) }
      completion?(result)
    }
  }

  /// Waits until everything is written, and lets go of the file. False if some of it is lost. Once.
  @discardableResult
  public func close() -> Bool {
    let isSaved = BlockingPromise<Bool>()
    thread.post { isSaved.fulfill($0.finish()) }
    thread.close()
    return isSaved.wait()
  }
}
