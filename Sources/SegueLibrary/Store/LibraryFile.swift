// Thread: "index", "search" or "lookup". `state` is guarded by its mutex: one thread at a time opens, migrates or sets
// aside the file.

internal import Glibc
internal import SegueSQLite
internal import SegueSystem
internal import SegueWire
internal import Synchronization

/// The file `library.db`. It is opened at the first use, and set aside if it is damaged.
final class LibraryFile: Sendable {
  enum Mode { case reading, writing }

  let path: FilePath
  private let state = Mutex(State())

  private struct State {
    /// Incremented when another file takes the path. Connections to the previous file are useless then.
    var generation = 0
    /// Whether this process has migrated the file.
    var isPrepared = false
    /// The file that contains what was written so far; nil before it was opened, and after it was set aside.
    var identity: FileIdentity?
    /// Whether a thread reads a file that could not be written. Its connection does not see later changes.
    var isFrozen = false
    /// The time before which no new file is created, because the last attempt has failed.
    var nextRecreation: MonotonicTime?
    /// The last write error, which is logged once.
    var writeError: StoreError?
  }

  private let recreationHandler = Mutex<@Sendable () -> Void>({})

  init(path: FilePath) { self.path = path }

  /// Sets a function that is called when a damaged file was set aside and a new one was created. It runs on the thread
  /// that did so. It must not use the library, and must not wait.
  func onRecreation(_ handler: @escaping @Sendable () -> Void) { recreationHandler.withLock { $0 = handler } }

  /// The generation of the file that is at `path` now.
  var generation: Int { state.withLock(\.generation) }

  /// Opens a connection for one thread. Returns it with the generation that it belongs to.
  func open(_ mode: Mode) throws(StoreError) -> (SQLiteConnection, Int) {
    let result = state.withLock { state in
      Result { () throws(StoreError) in (try openOrRecreate(mode, &state), state.generation) }
    }
    return try result.get()
  }

  /// The identity of the write-ahead log, as it is now.
  var log: FileIdentity? { try? FileIdentity(of: path.adding("-wal")) }

  /// Creates a new file if the file of `generation` was removed, replaced or emptied, or its `log` was removed or
  /// replaced: everything that is written to such a file is lost. The new file contains the user data that `connection`
  /// can still read.
  func recreateIfLost(
    _ generation: Int, log: FileIdentity?, recoveringFrom connection: SQLiteConnection
  ) throws(StoreError) {
    let result = state.withLock { state in
      Result { () throws(StoreError) in
        guard state.generation == generation, let loss = loss(of: state) ?? loss(of: log) else { return }
        try recreate(because: loss, from: connection, &state)
      }
    }
    try result.get()
  }

  /// Replaces the file of `generation`, which is damaged, by a new one, unless another thread has already done so.
  func discard(_ generation: Int, because error: StoreError) throws(StoreError) {
    let result = state.withLock { state in
      Result { () throws(StoreError) in
        if state.generation == generation { try recreate(because: error, &state) }
      }
    }
    try result.get()
  }

  private func openOrRecreate(_ mode: Mode, _ state: inout State) throws(StoreError) -> SQLiteConnection {
    if mode == .writing, let loss = loss(of: state) { try recreate(because: loss, &state) }
    do {
      return try retryingAfterDiskError(of: path) { () throws(StoreError) in try open(mode, &state) }
    } catch  where error.kind == .corrupt || error.kind == .newer || isUnreadable(because: error) {
      if let next = state.nextRecreation, MonotonicTime.now < next { throw error }
      try recreate(because: error, &state)
      return try open(mode, &state)
    }
  }

  /// Returns why the file at the path is not the one that was written so far, or nil if it is, or if nothing was
  /// written.
  private func loss(of state: State) -> StoreError? {
    guard let identity = state.identity else { return nil }
    var status = stat()
    let exists = path.withCString { stat($0, &status) } == 0
    if exists, status.st_size > 0, FileIdentity(status) == identity { return nil }
    return StoreError(
      .corrupt, path, exists ? "replaced or emptied while in use" : "removed while in use")
  }

  private func loss(of log: FileIdentity?) -> StoreError? {
    guard let log, log != self.log else { return nil }
    return StoreError(.corrupt, path, "its write-ahead log was removed or replaced while in use")
  }

  /// Returns whether a file exists that cannot even be read.
  private func isUnreadable(because error: StoreError) -> Bool {
    guard error.kind == .readOnly || error.kind == .other, path.exists else { return false }
    guard let connection = try? SQLiteConnection(onlyReading: path) else { return true }
    return (try? connection.integer("PRAGMA user_version")) == nil
  }

  /// Logs that writing fails, once, or that it works again.
  func logWriteResult(_ error: StoreError?) {
    let hasChanged = state.withLock { state in
      defer { state.writeError = error }
      return (state.writeError == nil) != (error == nil)
    }
    guard hasChanged else { return }
    if let error {
      Log.error("the library cannot be saved: \(error)")
    } else {
      Log.notice("\(path): saving the library works again")
    }
  }

  private func open(_ mode: Mode, _ state: inout State) throws(StoreError) -> SQLiteConnection {
    do {
      try Folder.create(path.parent)
    } catch {
      throw StoreError(error, path.parent)
    }
    let connection: SQLiteConnection
    do {
      connection = try SQLiteConnection(path: path, busyTimeout: .seconds(2))
      try prepare(connection, &state)
    } catch  where mode == .reading && (error.kind == .readOnly || error.kind == .full) {
      let connection = try SQLiteConnection(onlyReading: path)
      _ = try connection.addSearchTokenizer()
      try LibrarySchema.migrations.check(connection)
      // A file that was created but could not be migrated is of no use.
      guard try connection.integer("PRAGMA user_version") == LibrarySchema.migrations.version else { throw error }
      state.isFrozen = true
      return connection
    }
    if state.isFrozen {
      state.isFrozen = false
      state.generation += 1
    }
    if mode == .reading { try connection.execute("PRAGMA query_only = ON") }
    if state.identity == nil { state.identity = try? FileIdentity(of: path) }
    return connection
  }

  private func prepare(_ connection: SQLiteConnection, _ state: inout State) throws(StoreError) {
    // A connection without the tokenizer can neither create nor use the search tables.
    _ = try connection.addSearchTokenizer()
    // This comes before everything else that changes the file: a file of a later version must stay as it is.
    if !state.isPrepared { try LibrarySchema.migrations.check(connection) }
    // There is no memory-mapped reading: if another process truncates the file, SIGBUS would end this process.
    // Debian's SQLite overwrites all deleted content by default, and FTS5 deletes what it merges. FAST overwrites only
    // what is written anyway.
    try connection.execute(
      """
      PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA temp_store = MEMORY;
      PRAGMA wal_autocheckpoint = 4000; PRAGMA journal_size_limit = 4194304; PRAGMA secure_delete = FAST
      """)
    if !state.isPrepared { try LibrarySchema.migrations.migrate(connection) }
    state.isPrepared = true
  }

  private static let recreationInterval = MediaTime.seconds(60)

  /// Renames the file, if it exists, and creates a new one with the user data that can be read: from `connection` or,
  /// if it is nil, from the renamed file.
  private func recreate(
    because error: StoreError, from connection: SQLiteConnection? = nil, _ state: inout State
  ) throws(StoreError) {
    let before = state
    var source = connection
    var moved: FilePath?
    if path.exists {
      let place = try path.setAside(because: error)
      if source == nil { source = try? SQLiteConnection(onlyReading: place) }
      moved = place
    } else {
      // These files belong to the removed file. The new file must not use them.
      for suffix in ["-wal", "-shm"] { Folder.removeFile(path.adding(suffix)) }
      Log.warning("\(error); a new one is created")
    }
    (state.isPrepared, state.identity) = (false, nil)
    state.generation += 1
    do {
      let new = try open(.writing, &state)
      let count = try source.map { source throws(StoreError) in try UserDataRecovery.copy(from: source, to: new) } ?? 0
      if count > 0 {
        Log.notice("\(path): recovered \(count) favorites, ratings, plays, searches and bookmarks")
      }
    } catch {
      if let moved, connection == nil {
        // The disk is at fault and not the file, which may be readable later.
        source = nil
        for suffix in ["", "-wal", "-shm"] {
          Folder.removeFile(path.adding(suffix))
          try? Folder.rename(moved.adding(suffix), path.adding(suffix))
        }
        Log.warning("\(error); \(moved) was renamed to \(path) again")
        state = before
        state.nextRecreation = .now + Self.recreationInterval
      } else if connection != nil {
        // Only the connection has the data. The next change tries again.
        for suffix in ["", "-wal", "-shm"] { Folder.removeFile(path.adding(suffix)) }
        state = before
      }
      throw error
    }
    state.nextRecreation = nil
    recreationHandler.withLock(\.self)()
  }
}
