// Thread: the creator's: SQLite is used without its mutexes.

internal import CSQLite
public import SegueSystem
internal import SegueWire

/// A connection to a database file, with its prepared statements.
public final class SQLiteConnection {
  public let path: FilePath
  let handle: OpaquePointer
  private var statements: [String: SQLiteStatement] = [:]

  /// Opens a file, which is created if it does not exist. Its folder must exist. Throws `readOnly` if the file is not
  /// writable.
  ///
  /// - Parameter busyTimeout: The maximum time to wait for a lock of another process.
  public init(path: FilePath, busyTimeout: MediaTime) throws(StoreError) {
    self.path = path
    try Self.refuseSpecial(path)
    handle = try Self.open(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
    sqlite3_busy_timeout(handle, Int32(clamping: busyTimeout.nanoseconds / 1_000_000))
    // SQLite opens such a file for reading, and would report the error at the first write.
    if sqlite3_db_readonly(handle, "main") == 1 { throw StoreError(.readOnly, path, "the file is read-only") }
  }

  /// Opens a file that is not writable, or whose folder is not. Takes no locks, and creates no other files.
  ///
  /// - Precondition: No process has the file open for writing.
  public init(onlyReading path: FilePath) throws(StoreError) {
    self.path = path
    try Self.refuseSpecial(path)
    if path.adding("-wal").exists {
      // The log belongs to the file. Without locks, SQLite keeps the index of the log in memory.
      handle = try Self.open(path, SQLITE_OPEN_READONLY, "unix-none")
      try execute("PRAGMA locking_mode = EXCLUSIVE")
    } else {
      let uri = FilePath(FileURI.encode(path) + "?immutable=1")
      handle = try Self.open(uri, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
    }
  }

  /// Throws an error for pipes, devices and sockets. For a pipe, SQLite would wait forever.
  private static func refuseSpecial(_ path: FilePath) throws(StoreError) {
    guard case .special = try? FileKind(path) else { return }
    throw StoreError(.other, path, "a pipe, device or socket, not a file")
  }

  /// Configures SQLite for the whole process when the first connection is opened.
  private static let configuration: Void = segue_sqlite_disable_memory_statistics()

  private static func open(
    _ path: FilePath, _ flags: Int32, _ system: String? = nil
  ) throws(StoreError) -> OpaquePointer {
    _ = configuration
    var opened: OpaquePointer?
    let flags = flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let code = path.withCString { sqlite3_open_v2($0, &opened, flags, system) }
    guard code == SQLITE_OK, let opened else {
      let error = StoreError(code: code, handle: opened, path: path)
      sqlite3_close_v2(opened)
      throw error
    }
    return opened
  }

  deinit {
    statements = [:]
    sqlite3_close_v2(handle)
  }

  /// Runs statements whose results are not needed.
  public func execute(_ sql: String) throws(StoreError) {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw error(code) }
  }

  /// Protects the connection from a schema that another program may have written into the file: its triggers and views
  /// are not executed, and damaged pages are found before they are used. Actions of foreign keys are executed.
  public func distrustSchema() throws(StoreError) {
    let code = segue_sqlite_distrust_schema(handle)
    guard code == SQLITE_OK else { throw error(code) }
    try execute("PRAGMA cell_size_check = ON")
  }

  /// Returns the statement for `sql`, which is prepared once. It is reset, and has the bindings `values` in the order
  /// of the parameters: the first value belongs to the first `?`, or to `?1`, which may occur several times. The others
  /// are NULL.
  ///
  /// The connection has one statement for each SQL: while the rows of one are read, the same SQL must not be used.
  public func statement(_ sql: String, _ values: any SQLiteBindable...) throws(StoreError) -> SQLiteStatement {
    try statement(sql, values: values)
  }

  /// Returns the statement for `sql` with the bindings `values`, as the function with single values does.
  public func statement(_ sql: String, values: [any SQLiteBindable]) throws(StoreError) -> SQLiteStatement {
    let statement = try prepared(sql)
    statement.bind(values)
    return statement
  }

  private func prepared(_ sql: String) throws(StoreError) -> SQLiteStatement {
    if let cached = statements[sql] {
      cached.reset()
      return cached
    }
    var raw: OpaquePointer?
    let code = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &raw, nil)
    guard code == SQLITE_OK, let raw else { throw error(code) }
    let statement = SQLiteStatement(owning: raw, of: self)
    statements[sql] = statement
    return statement
  }

  /// Returns the first column of the first row of a statement, or 0 if there is none or if it is NULL.
  public func integer(_ sql: String, _ values: any SQLiteBindable...) throws(StoreError) -> Int64 {
    try statement(sql, values: values).first { $0.integer(0) } ?? 0
  }

  /// The id of the row that was inserted last.
  public var lastInsertedID: Int64 { sqlite3_last_insert_rowid(handle) }

  /// The number of rows that the last statement changed.
  public var changedRowCount: Int { Int(sqlite3_changes64(handle)) }

  public var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// Runs `body` in a transaction, which is rolled back if `body` throws. A reading transaction does not wait for
  /// writers, and sees a consistent snapshot of the file.
  public func transaction<Value>(
    isReading: Bool = false, _ body: () throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    try execute(isReading ? "BEGIN" : "BEGIN IMMEDIATE")
    do {
      let value = try body()
      try execute("COMMIT")
      return value
    } catch {
      // SQLite may have rolled back already, because the disk is full.
      if isInTransaction { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
      throw error
    }
  }

  /// The number of rows that were changed since the connection was opened.
  public var totalChanges: Int { Int(sqlite3_total_changes64(handle)) }

  /// Releases the page cache.
  public func releaseMemory() { sqlite3_db_release_memory(handle) }

  /// The FTS5 interface of this connection.
  var searchExtension: UnsafeMutablePointer<fts5_api> {
    get throws(StoreError) {
      var api: UnsafeMutablePointer<fts5_api>?
      let code = segue_sqlite_fts5(handle, &api)
      guard code == SQLITE_OK, let api else { throw error(code) }
      return api
    }
  }

  func error(_ code: Int32) -> StoreError { StoreError(code: code, handle: handle, path: path) }
}

extension StoreError {
  /// Creates the error for an extended result code. `handle` has the message, if there is a special one.
  init(code: Int32, handle: OpaquePointer? = nil, path: FilePath) {
    let reason = String(cString: handle.map { sqlite3_errmsg($0) } ?? sqlite3_errstr(code))
    self.init(
      Kind(code: code, systemCode: handle.map { sqlite3_system_errno($0) } ?? 0), path,
      LocalizableMessage(sqlite: reason))
  }
}

extension StoreError.Kind {
  fileprivate init(code: Int32, systemCode: Int32) {
    switch code & 0xFF {
    case SQLITE_FULL: self = .full
    case SQLITE_READONLY, SQLITE_PERM: self = .readOnly
    // Our statements are correct, so an error in one means that the tables are not those of Segue.
    case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_ERROR: self = .corrupt
    case SQLITE_BUSY, SQLITE_LOCKED: self = .busy
    // A short read: the file or its log was truncated.
    case SQLITE_IOERR where code == SQLITE_IOERR | 2 << 8: self = .corrupt
    case SQLITE_CANTOPEN, SQLITE_IOERR: self = StoreError.Kind(systemCode: systemCode)
    default: self = .other
    }
  }
}
