// Used by the threads "index" and "search". `state` is guarded by its mutex: opening, migrating and setting aside are
// done by one of them at a time.

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
    /// Whether somebody reads a file that could not be written, which shows nothing that is written later.
    var isFrozen = false
    /// What was told of last, so that a full disk is told of once and not a hundred times.
    var complaint: StoreError?
  }

  private let onBegunAnew = Mutex<@Sendable () -> Void>({})

  init(path: FilePath) { self.path = path }

  /// Calls `then` on the thread that set a broken file aside, once a new one has its place. It may not ask anything of
  /// the library, nor wait.
  func whenBegunAnew(_ then: @escaping @Sendable () -> Void) { onBegunAnew.withLock { $0 = then } }

  /// Of the file that is at `path` now.
  var generation: Int { state.withLock(\.generation) }

  /// A connection for one thread, and the generation it belongs to.
  func open(_ role: Role) throws(StoreError) -> (SQLiteConnection, Int) {
    let result = state.withLock { state in
      Result { () throws(StoreError) in (try openOrBeginAnew(role, &state), state.generation) }
    }
    return try result.get()
  }

  /// The file of `generation` turned out to be broken. The other thread may have found it too.
  func giveUp(_ generation: Int, because error: StoreError) throws(StoreError) {
    let result = state.withLock { state in
      Result { () throws(StoreError) in
        if state.generation == generation { try setAside(because: error, &state) }
      }
    }
    try result.get()
  }

  private func openOrBeginAnew(_ role: Role, _ state: inout State) throws(StoreError) -> SQLiteConnection {
    do {
      return try open(role, &state)
    } catch  where error.kind == .corrupt || error.kind == .newer || isUnreadable(because: error) {
      try setAside(because: error, &state)
      return try open(role, &state)
    }
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
      connection = try SQLiteConnection(path: path, busyTimeout: MediaTime(nanoseconds: 2_000_000_000))
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
    return connection
  }

  private func prepare(_ connection: SQLiteConnection, _ state: inout State) throws(StoreError) {
    // The search's tables cannot be touched, nor made, by a connection that does not know its words.
    _ = try connection.addSearchTokenizer()
    // Before anything else touches the file: a newer one must stay as it is.
    if !state.isPrepared { try LibrarySchema.steps.check(connection) }
    // No memory-mapped reading: a file that somebody cuts short would end the process by SIGBUS.
    try connection.execute(
      """
      PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -2048; PRAGMA temp_store = MEMORY;
      PRAGMA wal_autocheckpoint = 4000; PRAGMA journal_size_limit = 4194304
      """)
    if !state.isPrepared { try LibrarySchema.steps.migrate(connection) }
    state.isPrepared = true
  }

  /// Renames the file and begins a new one, with as much of what the user made as can be read.
  private func setAside(because error: StoreError, _ state: inout State) throws(StoreError) {
    state.isPrepared = false
    state.generation += 1
    let moved = try path.setAside(because: error)
    let connection = try open(.writing, &state)
    let count = try LibraryRescue.carry(from: moved, to: connection)
    if count > 0 {
      Log.notice("\(path): \(count) favourites, ratings, plays, searches and bookmarks were carried over")
    }
    onBegunAnew.withLock(\.self)()
  }
}
