// Each connection on one thread only: "index", "search" or "lookup".

internal import SegueSQLite
internal import SegueSystem
internal import SegueWire

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
  /// The generation of the file that was opened last; nil before the first job. It changes when a damaged file was replaced.
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
