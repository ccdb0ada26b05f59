// On the thread that made it only: opened without SQLite's own mutexes.

internal import CSQLite
internal import SegueSystem

/// One connection to a database file, and the statements that were prepared on it.
final class SQLiteConnection {
  let path: FilePath
  let handle: OpaquePointer
  private var statements: [String: SQLiteStatement] = [:]

  /// Opens `path`, making the file if there is none; its folder must be there. `busyTimeout` is how long another
  /// process's lock is waited for. `readOnly` if the file can be read and not written.
  init(path: FilePath, busyTimeout: MediaTime) throws(StoreError) {
    self.path = path
    try Self.refuseSpecial(path)
    handle = try Self.open(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
    sqlite3_busy_timeout(handle, Int32(clamping: busyTimeout.nanoseconds / 1_000_000))
    // SQLite opens such a file for reading, and finds out at the first writing.
    if sqlite3_db_readonly(handle, "main") == 1 { throw StoreError(.readOnly, path, "the file may not be written") }
  }

  /// Opens a file that nobody can write, or whose folder nobody can: with no lock, and nothing made beside it.
  /// Precondition: nobody else has it open for writing.
  init(onlyReading path: FilePath) throws(StoreError) {
    self.path = path
    try Self.refuseSpecial(path)
    if path.adding("-wal").exists {
      // The log belongs to it. Its index is made in memory, since no other process has part in it.
      handle = try Self.open(path, SQLITE_OPEN_READONLY, "unix-none")
      try execute("PRAGMA locking_mode = EXCLUSIVE")
    } else {
      let uri = FilePath(FileURI.encode(path) + "?immutable=1")
      handle = try Self.open(uri, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
    }
  }

  /// SQLite would wait for the other end of a pipe, for ever.
  private static func refuseSpecial(_ path: FilePath) throws(StoreError) {
    guard case .special = try? FileKind(path) else { return }
    throw StoreError(.other, path, "a pipe, device or socket, not a file")
  }

  /// Done once, whichever thread comes first.
  private static let configuration: Void = segue_sqlite_count_no_memory()

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

  /// Runs statements that answer nothing of interest.
  func execute(_ sql: String) throws(StoreError) {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw error(code) }
  }

  /// The statement for `sql`, prepared once, reset and without bindings.
  func statement(_ sql: String) throws(StoreError) -> SQLiteStatement {
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

  /// The first column of the first row, or 0.
  func integer(_ sql: String) throws(StoreError) -> Int64 {
    let statement = try statement(sql)
    defer { statement.reset() }
    return try statement.step() ? statement.integer(0) ?? 0 : 0
  }

  /// The number of the row that was inserted last.
  var lastRow: Int64 { sqlite3_last_insert_rowid(handle) }

  /// How many rows the statement that ran last changed.
  var changedByLast: Int { Int(sqlite3_changes64(handle)) }

  /// Runs `body` in one transaction, which a throw takes back. One that is reading waits for no writer, and sees one
  /// state of the file.
  func transaction<Value>(
    isReading: Bool = false, _ body: () throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    try execute(isReading ? "BEGIN" : "BEGIN IMMEDIATE")
    do {
      let value = try body()
      try execute("COMMIT")
      return value
    } catch {
      // A full disk may have ended the transaction already.
      if sqlite3_get_autocommit(handle) == 0 { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
      throw error
    }
  }

  /// Rows that were written since it was opened.
  var totalChanges: Int { Int(sqlite3_total_changes64(handle)) }

  /// Gives the page cache back: the daemon sleeps between saves.
  func releaseMemory() { sqlite3_db_release_memory(handle) }

  /// FTS5's functions for this connection.
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
  /// `code` is an extended result code; `handle` has the words for it.
  fileprivate init(code: Int32, handle: OpaquePointer?, path: FilePath) {
    let reason = String(cString: handle.map { sqlite3_errmsg($0) } ?? sqlite3_errstr(code))
    self.init(Kind(code: code, systemCode: handle.map { sqlite3_system_errno($0) } ?? 0), path, reason)
  }
}

extension StoreError.Kind {
  fileprivate init(code: Int32, systemCode: Int32) {
    switch code & 0xFF {
    case SQLITE_FULL: self = .full
    case SQLITE_READONLY, SQLITE_PERM: self = .readOnly
    // What we say is right, so an error in it means that the tables are not ours.
    case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_ERROR: self = .corrupt
    case SQLITE_BUSY, SQLITE_LOCKED: self = .busy
    // Somebody cut the file or its log short.
    case SQLITE_IOERR where code == SQLITE_IOERR | 2 << 8: self = .corrupt
    case SQLITE_CANTOPEN, SQLITE_IOERR: self = StoreError.Kind(systemCode: systemCode)
    default: self = .other
    }
  }
}
