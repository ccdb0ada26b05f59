// Used by the threads "index", "search" and "lookup". `state` is guarded by its mutex: opening, migrating and setting aside are
// done by one of them at a time.

internal import Glibc
internal import SegueSystem
internal import Synchronization

/// The file `library.db`: opened at the first use, set aside when it is broken.
final class LibraryFile: Sendable {
  enum Role { case reading, writing }

  let path: FilePath
  private let state = Mutex(State())

  private struct State {
    /// Grows when another file takes the path: connections of the file before are of no use then.
    var generation = 0
    /// Whether this process brought the file up to date.
    var isPrepared = false
    /// The file that holds what was written so far; nil before it was opened, and once it was set aside.
    var identity: FileIdentity?
    /// Whether somebody reads a file that could not be written, which shows nothing that is written later.
    var isFrozen = false
    /// What was told of last, so that a full disk is told of once and not a hundred times.
    var complaint: StoreError?
  }

  private let onBegunAnew = Mutex<@Sendable () -> Void>({})

  init(path: FilePath) { self.path = path }

  /// Calls `then` on the thread that set a broken file aside, once a new one has its place. It may not ask anything of
  /// the library, nor wait.
  func onRecreation(_ then: @escaping @Sendable () -> Void) { onBegunAnew.withLock { $0 = then } }

  /// Of the file that is at `path` now.
  var generation: Int { state.withLock(\.generation) }

  /// A connection for one thread, and the generation it belongs to.
  func open(_ role: Role) throws(StoreError) -> (SQLiteConnection, Int) {
    let result = state.withLock { state in
      Result { () throws(StoreError) in (try openOrBeginAnew(role, &state), state.generation) }
    }
    return try result.get()
  }

  /// The log beside the file, as it is now.
  var log: FileIdentity? { try? FileIdentity(of: path.adding("-wal")) }

  /// Somebody may have removed, replaced or emptied the file of `generation`, or removed or replaced its `log`: what is
  /// written to it then, nobody will find. A new one is begun then, with what `connection` still reads of what the user
  /// made.
  func stayFound(
    _ generation: Int, log: FileIdentity?, rescuing connection: SQLiteConnection
  ) throws(StoreError) {
    let result = state.withLock { state in
      Result { () throws(StoreError) in
        guard state.generation == generation, let loss = loss(of: state) ?? loss(of: log) else { return }
        try beginAnew(because: loss, from: connection, &state)
      }
    }
    try result.get()
  }

  /// The file of `generation` turned out to be broken. The other thread may have found it too.
  func giveUp(_ generation: Int, because error: StoreError) throws(StoreError) {
    let result = state.withLock { state in
      Result { () throws(StoreError) in
        if state.generation == generation { try beginAnew(because: error, &state) }
      }
    }
    try result.get()
  }

  private func openOrBeginAnew(_ role: Role, _ state: inout State) throws(StoreError) -> SQLiteConnection {
    if role == .writing, let loss = loss(of: state) { try beginAnew(because: loss, &state) }
    do {
      return try open(role, &state)
    } catch  where error.kind == .corrupt || error.kind == .newer || isUnreadable(because: error) {
      try beginAnew(because: error, &state)
      return try open(role, &state)
    }
  }

  /// Why what was written so far is not in the file at the path; nil if it is, or nothing was.
  private func loss(of state: State) -> StoreError? {
    guard let identity = state.identity else { return nil }
    var status = stat()
    let isThere = path.withCString { stat($0, &status) } == 0
    if isThere, status.st_size > 0, FileIdentity(status) == identity { return nil }
    return StoreError(.corrupt, path, "\(isThere ? "replaced or emptied" : "removed") while in use")
  }

  private func loss(of log: FileIdentity?) -> StoreError? {
    guard let log, log != self.log else { return nil }
    return StoreError(.corrupt, path, "its log was removed or replaced while in use")
  }

  /// Whether there is something that cannot even be read, where a new file could be begun.
  private func isUnreadable(because error: StoreError) -> Bool {
    guard error.kind == .readOnly || error.kind == .other, path.exists else { return false }
    guard let connection = try? SQLiteConnection(onlyReading: path) else { return true }
    return (try? connection.integer("PRAGMA user_version")) == nil
  }

  /// Tells the log that writing fails, once, or that it goes on.
  func tell(_ error: StoreError?) {
    let isNews = state.withLock { state in
      defer { state.complaint = error }
      return (state.complaint == nil) != (error == nil)
    }
    guard isNews else { return }
    if let error {
      Log.error("the library cannot be saved: \(error)")
    } else {
      Log.notice("\(path): the library is saved again")
    }
  }

  private func open(_ role: Role, _ state: inout State) throws(StoreError) -> SQLiteConnection {
    do {
      try Folder.create(path.parent)
    } catch {
      throw StoreError(error, path.parent)
    }
    let connection: SQLiteConnection
    do {
      connection = try SQLiteConnection(path: path, busyTimeout: .seconds(2))
      try prepare(connection, &state)
    } catch  where role == .reading && (error.kind == .readOnly || error.kind == .full) {
      let connection = try SQLiteConnection(onlyReading: path)
      _ = try connection.addSearchTokenizer()
      try LibrarySchema.steps.check(connection)
      // A file that was made and could not be filled says nothing.
      guard try connection.integer("PRAGMA user_version") == LibrarySchema.steps.version else { throw error }
      state.isFrozen = true
      return connection
    }
    if state.isFrozen {
      state.isFrozen = false
      state.generation += 1
    }
    if role == .reading { try connection.execute("PRAGMA query_only = ON") }
    if state.identity == nil { state.identity = try? FileIdentity(of: path) }
    return connection
  }

  private func prepare(_ connection: SQLiteConnection, _ state: inout State) throws(StoreError) {
    // The search's tables cannot be touched, nor made, by a connection that does not know its words.
    _ = try connection.addSearchTokenizer()
    // Before anything else touches the file: a newer one must stay as it is.
    if !state.isPrepared { try LibrarySchema.steps.check(connection) }
    // No memory-mapped reading: a file that somebody cuts short would end the process by SIGBUS.
    // Debian's SQLite overwrites all that is deleted, and FTS5 deletes what it merges: what is written anyway is enough.
    try connection.execute(
      """
      PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA temp_store = MEMORY;
      PRAGMA wal_autocheckpoint = 4000; PRAGMA journal_size_limit = 4194304; PRAGMA secure_delete = FAST
      """)
    if !state.isPrepared { try LibrarySchema.steps.migrate(connection) }
    state.isPrepared = true
  }

  /// Renames the file, if it is there, and begins a new one, with as much of what the user made as can be read: by
  /// `connection` or, without it, of the file that was renamed.
  private func beginAnew(
    because error: StoreError, from connection: SQLiteConnection? = nil, _ state: inout State
  ) throws(StoreError) {
    let before = state
    var source = connection
    if path.exists {
      let moved = try path.setAside(because: error)
      if source == nil { source = try? SQLiteConnection(onlyReading: moved) }
    } else {
      // They belong to what is gone: a new file must not take them for its own.
      for suffix in ["-wal", "-shm"] { Folder.removeFile(path.adding(suffix)) }
      Log.warning("\(error); a new one is begun")
    }
    (state.isPrepared, state.identity) = (false, nil)
    state.generation += 1
    do {
      let new = try open(.writing, &state)
      let count = try source.map { source throws(StoreError) in try UserDataRecovery.carry(from: source, to: new) } ?? 0
      if count > 0 {
        Log.notice("\(path): \(count) favourites, ratings, plays, searches and bookmarks were carried over")
      }
    } catch {
      // Nobody else has what was written: it is tried again with the next change.
      if connection != nil {
        for suffix in ["", "-wal", "-shm"] { Folder.removeFile(path.adding(suffix)) }
        state = before
      }
      throw error
    }
    onBegunAnew.withLock(\.self)()
  }
}
