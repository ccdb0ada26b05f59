// Thread: any. The work is done on three threads, each of which starts with its first job. Only `close` waits for them.
// "index" owns the connection that writes; "search" and "lookup" each own one that reads (with WAL, they never wait for
// a write transaction). All of them may block in SQLite. A `LibraryConnection` belongs to one of these threads.

public import SegueSQLite
public import SegueSystem
public import SegueWire
internal import Synchronization

/// The index of the music folders, and the user data: favorites, ratings, plays, searches, bookmarks. It has an SQLite
/// file of its own, so that a scan never delays saving the queue.
public final class LibraryStore: Sendable {
  private let index: SerialThread<LibraryConnection<LibraryWriter>>
  private let search: SerialThread<LibraryConnection<LibraryReader>>
  private let lookup: SerialThread<LibraryConnection<LibraryReader>>

  private let file: LibraryFile
  private let observer = Mutex(Observer())

  /// Handles changes of lists, and the numbers of items after them; nil if they are unknown, because the last job has
  /// failed.
  public typealias ChangeHandler = @Sendable (_ changes: LibraryChanges, _ counts: LibraryCounts?) -> Void

  private struct Observer {
    var handler: ChangeHandler?
    /// The counts that were reported last.
    var counts: LibraryCounts?
  }

  /// Opens nothing yet. The folder of `path` is created when it is needed.
  public init(path: FilePath) {
    let file = LibraryFile(path: path)
    self.file = file
    index = SerialThread(name: "index") { LibraryConnection(file, cacheSize: 16_384) }
    // A search in very many tracks reads some hundred pages of the file, and the next search many of the same pages.
    search = SerialThread(name: "search", onIdle: Self.release) {
      LibraryConnection(file, cacheSize: 20_480, keepsCache: true)
    }
    lookup = SerialThread(name: "lookup") { LibraryConnection(file) }
  }

  /// Releases the page cache that was kept for the next search.
  private static let release: SerialThread<LibraryConnection<LibraryReader>>.IdleJob = { connection in
    connection.releaseMemory()
    CurrentProcess.trimHeap()
    return false
  }

  /// Reads from the library. `body` and `completion` run on the thread "search"; `body` sees a consistent snapshot of
  /// the library. An error is passed as a failure of kind `unavailable`, with a message for the user.
  public func read<Value: Sendable>(
    _ body: @escaping @Sendable (LibraryReader) throws(StoreError) -> Value,
    _ completion: @escaping @Sendable (Result<Value, Failure>) -> Void
  ) {
    search.post { connection in completion(connection.run(body)) }
  }

  /// Reads from the library on the thread "lookup", which never waits for a search. It is meant for items that are
  /// found by id or URI, and for which playback waits.
  public func lookUp<Value: Sendable>(
    _ body: @escaping @Sendable (LibraryReader) throws(StoreError) -> Value,
    _ completion: @escaping @Sendable (Result<Value, Failure>) -> Void
  ) {
    lookup.post { connection in completion(connection.run(body)) }
  }

  /// Writes to the library in one transaction. If `body` throws, nothing is written. `body` and `completion` run on the
  /// thread "index"; `completion` runs when the changes survive the end of the process.
  public func write<Value: Sendable>(
    _ body: @escaping @Sendable (LibraryWriter) throws(StoreError) -> Value,
    _ completion: @escaping @Sendable (Result<Value, Failure>) -> Void
  ) {
    index.post { [self] connection in
      let generation = connection.generation
      let result = connection.run(body)
      let isReplaced = generation != nil && generation != connection.generation
      report(isReplaced ? .all : connection.access?.takeChanges() ?? [], connection.access?.currentCounts)
      completion(result)
      if connection.access?.scheduleSearchMaintenance() == true { maintainSearch() }
    }
  }

  /// Posts a step of the maintenance of the search tables. The jobs that are already in the queue, such as changes of
  /// the user, come first.
  private func maintainSearch() {
    index.post { [self] connection in
      let result = connection.run { writer throws(StoreError) in try writer.maintainSearch() }
      let goesOn = if case .success(true) = result { true } else { false }
      // The number of tracks that a search finds has changed.
      report([], connection.access?.currentCounts)
      if goesOn { return maintainSearch() }
      // A scan that has started in the meantime needs the caches.
      guard connection.access?.isScanning != true else { return }
      if connection.access?.search.hasIndexedLargeStep == true { connection.reopen() }
      CurrentProcess.trimHeap()
    }
  }

  /// Reports a failure, changes, and counts that differ from those that were reported last. On the thread "index".
  private func report(_ changes: LibraryChanges, _ counts: LibraryCounts?) {
    let handler = observer.withLock { observer -> ChangeHandler? in
      guard !changes.isEmpty || counts == nil || counts != observer.counts else { return nil }
      observer.counts = counts
      return observer.handler
    }
    handler?(changes, counts)
  }

  /// Sets a function that is called on the thread "index" after a job that has failed, or has changed lists or counts,
  /// before the completion of the job.
  public func onChange(_ handler: @escaping ChangeHandler) { observer.withLock { $0.handler = handler } }

  /// Sets a function that is called when the file was damaged and a new one was created, which has no index. It runs on
  /// one of the threads of the library, in the middle of a job, and must not use the library.
  public func onRecreation(_ handler: @escaping @Sendable () -> Void) { file.onRecreation(handler) }

  /// Waits until all jobs are done, and closes the file.
  public func close() {
    search.close()
    lookup.close()
    index.close()
  }
}

/// The operations of a thread on its connection: reading (`LibraryReader`) or writing (`LibraryWriter`).
protocol LibraryAccess: AnyObject {
  static var mode: LibraryFile.Mode { get }
  init(_ connection: SQLiteConnection) throws(StoreError)
  /// Whether more work of the same kind follows immediately. The page cache is kept then.
  var expectsMoreWork: Bool { get }
}

/// A thread's connection to the library. It is opened with the first job, and again after a failure.
final class LibraryConnection<Access: LibraryAccess> {
  private let file: LibraryFile
  private let cacheSize: Int
  private let keepsCache: Bool
  private var opened: Opened?
  /// The generation of the file that was opened last; nil before the first job. It changes when a damaged file was
  /// replaced.
  private(set) var generation: Int?

  private struct Opened {
    let connection: SQLiteConnection
    let access: Access
    let generation: Int
    /// The identity of the write-ahead log, which contains written data until it is in the file; nil if it is unknown.
    let log: FileIdentity?
    /// The version of the file that the caches of `access` belong to. It changes when another connection writes (PRAGMA
    /// data_version).
    let version: Int64
  }

  /// Opens nothing yet.
  ///
  /// - Parameters:
  ///   - cacheSize: The size of the page cache in KiB.
  ///   - keepsCache: Whether the page cache is kept between jobs, until `releaseMemory`.
  init(_ file: LibraryFile, cacheSize: Int = 2048, keepsCache: Bool = false) {
    self.file = file
    self.cacheSize = cacheSize
    self.keepsCache = keepsCache
  }

  /// The operations of the thread; nil before the first job and after a failure.
  var access: Access? { opened?.access }

  /// Runs `body` in a transaction.
  func run<Value>(_ body: (Access) throws(StoreError) -> Value) -> Result<Value, Failure> {
    do {
      let value = try attempt(body)
      if Access.mode == .writing { file.logWriteResult(nil) }
      return .success(value)
    } catch {
      if Access.mode == .writing { file.logWriteResult(error) }
      return .failure(Failure(.unavailable, "the library: \(error)"))
    }
  }

  private func attempt<Value>(_ body: (Access) throws(StoreError) -> Value) throws(StoreError) -> Value {
    let opened = try open()
    defer { if !keepsCache, access?.expectsMoreWork != true { releaseMemory() } }
    do {
      return try opened.connection.transaction(isReading: Access.mode == .reading) { () throws(StoreError) in
        try body(try access(of: opened))
      }
    } catch {
      // The caches of rows may be wrong now.
      self.opened = nil
      if error.kind == .corrupt { try file.discard(opened.generation, because: error) }
      throw error
    }
  }

  /// Releases the page cache.
  func releaseMemory() { opened?.connection.releaseMemory() }

  /// Opens a new connection, which releases what FTS5 and the statements have allocated. The old connection is closed
  /// after the new one is open, so that there is always one from which user data can be recovered. If this fails,
  /// the next job tries again and reports the failure.
  func reopen() {
    let old = opened
    opened = nil
    withExtendedLifetime(old) { _ = try? open() }
  }

  /// Returns the operations, with empty caches if another process has written to the file. Called in a transaction.
  private func access(of opened: Opened) throws(StoreError) -> Access {
    guard Access.mode == .writing else { return opened.access }
    let version = try opened.connection.integer("PRAGMA data_version")
    guard version != opened.version else { return opened.access }
    let access = try Access(opened.connection)
    self.opened = Opened(
      connection: opened.connection, access: access, generation: opened.generation, log: opened.log, version: version)
    return access
  }

  private func open() throws(StoreError) -> Opened {
    if let opened, opened.generation == file.generation {
      if Access.mode == .reading { return opened }
      try file.recreateIfLost(opened.generation, log: opened.log, recoveringFrom: opened.connection)
      if opened.generation == file.generation { return opened }
    }
    opened = nil
    let (connection, generation) = try file.open(Access.mode)
    do {
      try connection.execute("PRAGMA cache_size = -\(cacheSize)")
      let version = try connection.integer("PRAGMA data_version")
      let access = try Access(connection)
      // SQLite does not replace the log as long as a connection is open.
      let new = Opened(
        connection: connection, access: access, generation: generation, log: file.log, version: version)
      opened = new
      self.generation = generation
      return new
    } catch {
      if error.kind == .corrupt { try file.discard(generation, because: error) }
      throw error
    }
  }
}
