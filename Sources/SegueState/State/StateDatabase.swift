// Thread: "state".

internal import Glibc
internal import SegueSQLite
internal import SegueSystem
internal import SegueWire

/// The SQLite file of the state, and the changes that are not written yet. It is opened at the first use, and again
/// after a failure.
final class StateDatabase {
  private let path: FilePath
  private var connection: SQLiteConnection? {
    didSet { if connection == nil { copy.abandon() } }
  }
  private var pending = PendingChanges()
  /// Why the file was set aside while it was in use. It is set until the whole queue is saved again, so that the new
  /// file never contains only a part of the state.
  private var incompleteBecause: StoreError?
  /// The file that contains what was saved so far; nil before it was opened, and after it was set aside.
  private var file: FileIdentity?
  /// Whether a file may exist that could not be read. Nothing is written to such a file.
  private var isUnread = false
  private var copy: StateCopy

  init(path: FilePath) {
    self.path = path
    copy = StateCopy(of: path)
  }

  func load() throws(StoreError) -> SavedState {
    isUnread = false
    // An orderly shutdown removes the log.
    let wasKilled = connection == nil && path.adding("-wal").exists
    do {
      var state = try retryingAfterDiskError(of: path) { () throws(StoreError) in try read() }
      if wasKilled { state.skipIDs() }
      return state
    } catch  where error.isFileUnusable {
      isUnread = true
      return try recreate(because: error)
    } catch  where error.kind == .busy {
      throw error
    } catch {
      isUnread = true
      guard path.exists else { throw error }
      if var state = try? readOnly() {
        isUnread = false
        state.skipIDs()
        return state
      }
      guard let rescued = rescue() else { throw error }
      Log.warning("\(error); the queue is that of the last copy")
      pending.add(rescued.changes)
      return rescued
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

  /// Reads a file that is not writable.
  private func readOnly() throws(StoreError) -> SavedState {
    let connection = try SQLiteConnection(onlyReading: path)
    try StateSchema.migrations.check(connection)
    return try SavedState(reading: connection)
  }

  /// Sets the file aside, and creates a new one with what can be read of it and of its copy.
  private func recreate(because error: StoreError) throws(StoreError) -> SavedState {
    let rescued = rescue()
    try setAside(because: error)
    var state = try read()
    if let rescued {
      state = rescued
      Log.notice("\(path): recovered \(state.entries.count) entries of the queue")
    } else {
      state.markQueueLost()
    }
    pending.add(state.changes)
    return state
  }

  private func rescue() -> SavedState? {
    var damaged = try? SQLiteConnection(onlyReading: path)
    // The tables of a later version may have another meaning.
    if let file = damaged, (try? StateSchema.migrations.check(file)) == nil { damaged = nil }
    return SavedState(rescuedFrom: damaged, copy: copy.open())
  }

  /// Writes `changes`, and those that failed before. After an error that makes the file unusable, every call throws the
  /// same error until `changes` contains the whole queue.
  func save(_ changes: [StateChange]) throws(StoreError) {
    pending.add(changes)
    if let incompleteBecause, !changes.contains(where: \.replacesQueue) { throw incompleteBecause }
    incompleteBecause = nil
    do {
      try write()
    } catch  where error.isFileUnusable {
      try setAside(because: error)
      incompleteBecause = error
      throw error
    }
  }

  /// Writes the changes that failed before. Returns false if they are lost.
  func finish() -> Bool {
    do {
      if !pending.changes.isEmpty { try write() }
      _ = updateCopy(atEnd: true)
      return true
    } catch {
      Log.error("the last changes are lost: \(error)")
      return false
    }
  }

  private func write() throws(StoreError) {
    try checkFile()
    let connection = try open()
    defer { connection.releaseMemory() }
    do {
      try connection.transaction { () throws(StoreError) in
        try copy.prepare(for: pending.changes, in: connection)
        for change in pending.changes { try change.write(to: connection) }
      }
    } catch {
      self.connection = nil
      pending.compact()
      throw error
    }
    copy.record(pending.changes)
    pending = PendingChanges()
  }

  /// Does a part of the work on the copy of the file, or all of it if `atEnd`. To be called while there is nothing else
  /// to do and, with `atEnd`, before the file is closed. Returns whether more is left.
  func updateCopy(atEnd: Bool = false) -> Bool {
    guard let connection, pending.changes.isEmpty else { return false }
    let isUnfinished = copy.update(from: connection, atEnd: atEnd)
    connection.releaseMemory()
    return isUnfinished
  }

  /// Throws an error if the file was removed, replaced or emptied while in use. Everything that is written to such a
  /// file is lost.
  private func checkFile() throws(StoreError) {
    guard let file else { return }
    var status = stat()
    let exists = path.withCString { stat($0, &status) } == 0
    if exists, status.st_size > 0, FileIdentity(status) == file { return }
    throw StoreError(
      .corrupt, path, exists ? "replaced or emptied while in use" : "removed while in use")
  }

  private func open() throws(StoreError) -> SQLiteConnection {
    if let connection { return connection }
    do {
      try Folder.create(path.parent)
    } catch {
      throw StoreError(error, path.parent)
    }
    if isUnread, path.exists { try setAside(because: StoreError(.other, path, "it was not readable at startup")) }
    let opened = try SQLiteConnection(path: path, busyTimeout: .seconds(2))
    // No other process uses the file while the daemon runs. Exclusive locking needs no index of the log in shared
    // memory, and no lock for each statement.
    try opened.execute("PRAGMA locking_mode = EXCLUSIVE")
    // This comes before everything else that changes the file: a file of a later version must stay as it is.
    try StateSchema.migrations.check(opened)
    // The cache is small, because rows are written and read once. The log is truncated after a large transaction.
    try opened.execute(
      """
      PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -512;
      PRAGMA journal_size_limit = 1048576
      """)
    try StateSchema.migrations.migrate(opened)
    var status = stat()
    file = path.withCString { stat($0, &status) } == 0 ? FileIdentity(status) : nil
    connection = opened
    isUnread = false
    return opened
  }

  /// Renames the file, so that a new one can be created and nothing is lost.
  private func setAside(because error: StoreError) throws(StoreError) {
    connection = nil
    file = nil
    guard path.exists else { return Log.warning("\(error); a new one is created") }
    _ = try path.setAside(because: error)
    isUnread = false
  }
}

extension StateChange {
  fileprivate var replacesQueue: Bool { if case .replaceEntries = self { true } else { false } }
}

/// The tables of `segue.db`.
enum StateSchema {
  static let migrations = SchemaMigrations(steps: [
    """
    CREATE TABLE queue (
      id INTEGER PRIMARY KEY, rank INTEGER NOT NULL, uri TEXT NOT NULL, duration INTEGER, kind TEXT,
      error TEXT, probed INTEGER NOT NULL, title TEXT, artist TEXT, artists TEXT, album TEXT, album_artist TEXT,
      composer TEXT, genre TEXT, date TEXT, year INTEGER, track INTEGER, track_total INTEGER, disc INTEGER,
      disc_total INTEGER, art TEXT, stream TEXT
    );
    CREATE TABLE state (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
    """,
    // The settings, with the values of the configuration that they replace. For the three older settings, the latter
    // are unknown.
    """
    CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL, instead TEXT) WITHOUT ROWID;
    INSERT INTO setting SELECT 'output.device', value, NULL FROM state WHERE key = 'device' AND value IS NOT NULL;
    INSERT INTO setting SELECT 'player.replayGain', value, NULL FROM state WHERE key = 'gain' AND value IS NOT NULL;
    INSERT INTO setting SELECT 'player.preamp', value / 1000.0, NULL FROM state
      WHERE key = 'preamp' AND value IS NOT NULL;
    DELETE FROM state WHERE key IN ('device', 'gain', 'preamp');
    """,
    "ALTER TABLE queue ADD COLUMN error_kind TEXT",
    // The changes of the queue that can be undone or redone.
    """
    CREATE TABLE history (
      number INTEGER PRIMARY KEY, undone INTEGER NOT NULL, action TEXT NOT NULL, tracks INTEGER NOT NULL,
      removals TEXT NOT NULL, current INTEGER, position INTEGER
    );
    CREATE TABLE history_entry (
      step INTEGER NOT NULL, id INTEGER NOT NULL, rank INTEGER NOT NULL, uri TEXT NOT NULL, duration INTEGER, kind TEXT,
      error TEXT, probed INTEGER NOT NULL, title TEXT, artist TEXT, artists TEXT, album TEXT, album_artist TEXT,
      composer TEXT, genre TEXT, date TEXT, year INTEGER, track INTEGER, track_total INTEGER, disc INTEGER,
      disc_total INTEGER, art TEXT, stream TEXT, error_kind TEXT, PRIMARY KEY (step, id)
    ) WITHOUT ROWID;
    CREATE TABLE history_rank (
      step INTEGER NOT NULL, id INTEGER NOT NULL, rank INTEGER NOT NULL, PRIMARY KEY (step, id)
    ) WITHOUT ROWID;
    """,
    // The templates of errors, with which clients translate them.
    """
    ALTER TABLE queue ADD COLUMN error_template TEXT;
    ALTER TABLE history_entry ADD COLUMN error_template TEXT;
    """,
    // The order in which a shuffled queue is played.
    "CREATE TABLE shuffle_order (number INTEGER PRIMARY KEY, entries BLOB NOT NULL)",
  ])
}
