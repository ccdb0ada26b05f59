// On the thread "library" only.

internal import Glibc
internal import SegueSystem

/// The SQLite file: opened at the first use, and again after a failure. What could not be written waits here.
final class StateDatabase {
  private let path: FilePath
  private var connection: SQLiteConnection?
  private var pending = PendingChanges()
  /// Why the file was set aside while it was in use, until all there is was ordered anew: a part of it is not to pass
  /// for the whole.
  private var wantsAll: StoreError?
  /// The file that holds what was saved so far; nil before it was opened, and once it was set aside.
  private var file: FileIdentity?
  /// Whether there may be a file that nobody could read: nothing is mixed into it.
  private var isUnread = false

  init(path: FilePath) { self.path = path }

  func load() throws(StoreError) -> SavedState {
    isUnread = false
    // An orderly end leaves no log behind.
    let wasKilled = connection == nil && path.adding("-wal").exists
    do {
      var state = try read()
      if wasKilled { state.skipIDs() }
      return state
    } catch  where error.isFileUnusable {
      isUnread = true
      return try beginAnew(because: error)
    } catch  where error.kind == .busy {
      throw error
    } catch {
      isUnread = true
      guard path.exists else { throw error }
      var state = try readOnly()
      isUnread = false
      state.skipIDs()
      return state
    }
  }

  private func read() throws(StoreError) -> SavedState {
    let connection = try open()
    defer { connection.releaseMemory() }
    do {
      return try SavedState(reading: connection)
    } catch {
      self.connection = nil
      throw error
    }
  }

  /// What is in a file that cannot be written.
  private func readOnly() throws(StoreError) -> SavedState {
    let connection = try SQLiteConnection(onlyReading: path)
    try StateSchema.steps.check(connection)
    return try SavedState(reading: connection)
  }

  private func beginAnew(because error: StoreError) throws(StoreError) -> SavedState {
    try setAside(because: error)
    var state = try read()
    state.noteLoss()
    pending.add([.beginning(state.beginning)])
    return state
  }

  /// Writes `orders` and what failed before. After an error that condemns the file, every save fails with the same one
  /// until `orders` tells of the whole queue.
  func save(_ orders: [StateChange]) throws(StoreError) {
    pending.add(orders)
    if let wantsAll, !orders.contains(where: \.isOfWholeQueue) { throw wantsAll }
    wantsAll = nil
    do {
      try write()
    } catch  where error.isFileUnusable {
      try setAside(because: error)
      wantsAll = error
      throw error
    }
  }

  /// The last try for what failed before. False if it is lost.
  func finish() -> Bool {
    guard !pending.orders.isEmpty else { return true }
    do {
      try write()
      return true
    } catch {
      Log.error("what was changed last is lost: \(error)")
      return false
    }
  }

  private func write() throws(StoreError) {
    try checkFile()
    let connection = try open()
    defer { connection.releaseMemory() }
    do {
      try connection.transaction { () throws(StoreError) in
        for order in pending.orders { try order.write(to: connection) }
      }
    } catch {
      self.connection = nil
      pending.compact()
      throw error
    }
    pending = PendingChanges()
  }

  /// Somebody may have removed, replaced or emptied the file: what is written to it then, nobody will find.
  private func checkFile() throws(StoreError) {
    guard let file else { return }
    var status = stat()
    let isThere = path.withCString { stat($0, &status) } == 0
    if isThere, status.st_size > 0, FileIdentity(status) == file { return }
    throw StoreError(.corrupt, path, "\(isThere ? "replaced or emptied" : "removed") while in use")
  }

  private func open() throws(StoreError) -> SQLiteConnection {
    if let connection { return connection }
    do {
      try Folder.create(path.parent)
    } catch {
      throw StoreError(error, path.parent)
    }
    if isUnread, path.exists { try setAside(because: StoreError(.other, path, "it could not be read at the start")) }
    let opened = try SQLiteConnection(path: path, busyTimeout: .seconds(2))
    // Nobody else reads it while the daemon runs: no index of the log in shared memory, no lock around every statement.
    try opened.execute("PRAGMA locking_mode = EXCLUSIVE")
    // Before anything else touches the file: a newer one must stay as it is.
    try StateSchema.steps.check(opened)
    // A small cache: rows are written and read once. The log is cut back after a big transaction.
    try opened.execute(
      """
      PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -512;
      PRAGMA journal_size_limit = 1048576
      """)
    try StateSchema.steps.migrate(opened)
    var status = stat()
    file = path.withCString { stat($0, &status) } == 0 ? FileIdentity(status) : nil
    connection = opened
    isUnread = false
    return opened
  }

  /// Renames the file, so that nothing is lost and a new one can begin.
  private func setAside(because error: StoreError) throws(StoreError) {
    connection = nil
    file = nil
    guard path.exists else { return Log.warning("\(error); a new one is begun") }
    _ = try path.setAside(because: error)
    isUnread = false
  }
}

extension StateChange {
  fileprivate var isOfWholeQueue: Bool { if case .replaceEntries = self { true } else { false } }
}
