// Thread: "catalog".

internal import SegueCatalogProviders
internal import SegueSQLite
internal import SegueSystem
internal import SegueWire
internal import SegueWorkerProtocol

/// The SQLite file of the cache. It is opened at the first use.
///
/// A damaged file is removed, because it is only a cache. If the file cannot be opened or written, because the disk is
/// full for instance, the next attempt is made after some minutes; a file that is open is read meanwhile.
final class CatalogDatabase {
  private let path: FilePath
  private var connection: SQLiteConnection?
  /// The times after which the next attempts to open the file and to write it are made; nil if the last ones succeeded.
  private var nextOpening: MonotonicTime?
  private var nextWriting: MonotonicTime?
  /// The time at which outdated results are removed.
  private var nextCleaning = MonotonicTime(nanoseconds: 0)

  /// The size of the file, without its log, above which results are removed, in bytes.
  private static let maximumSize: Int64 = 50 << 20
  /// The size that remains when results are removed.
  private static let trimmedSize: Int64 = 40 << 20
  /// A result that has not been confirmed for this time is of no use.
  private static let maximumAge = MediaTime.seconds(31 * 86_400)
  /// The time of the last use is stored with this accuracy, so that reading seldom writes.
  private static let useAccuracy = MediaTime.seconds(3600)
  private static let cleaningInterval = MediaTime.seconds(86_400)
  /// The time between attempts to open or to write the file.
  private let retryInterval: MediaTime

  init(path: FilePath, retryInterval: MediaTime = .seconds(300)) {
    self.path = path
    self.retryInterval = retryInterval
  }

  // MARK: Reading

  /// Returns the last result that contains an item, with only this item; nil if there is none.
  func find(_ uri: CatalogItemURI) -> CachedResult? {
    let condition = "id = (SELECT result FROM item WHERE uri = ?)"
    guard var found = find(where: condition, uri.uri),
      let entry = found.result.entries.first(where: { $0.item.uri == uri.uri })
    else { return nil }
    found.result = CatalogResult([entry])
    return found
  }

  /// Returns a result; nil if there is none.
  func find(_ key: String) -> CachedResult? { find(where: "key = ?", key) }

  /// Finds a result. If it is fresh, only its entries of `page` are returned.
  func find(_ key: String, _ page: PageRequest, _ freshness: Freshness) -> CachedResult? {
    find(where: "key = ?", key, (page, freshness))
  }

  /// Returns the country of the store that has sent the last result that contains an item; nil if there is none.
  func findStore(of uri: CatalogItemURI) -> String? {
    read { (connection) throws(StoreError) -> String? in
      try connection.statement(
        "SELECT store FROM result WHERE id = (SELECT result FROM item WHERE uri = ?)", uri.uri
      ).first { $0.text(0) }
    } ?? nil
  }

  private func find(
    where condition: String, _ value: String, _ part: (page: PageRequest, freshness: Freshness)? = nil
  ) -> CachedResult? {
    let found = read { (connection) throws(StoreError) -> (result: CachedResult, id: Int64, used: UnixTime)? in
      let row = try connection.statement(
        "SELECT id, used, result, etag, modified, scope, received, store, lifetime FROM result WHERE \(condition)",
        value)
      defer { row.reset() }
      guard try row.step(), let scope = row.integer(5).flatMap({ AddressScope(rawValue: Int($0)) }),
        let received = row.time(6), let used = row.time(1)
      else { return nil }
      let origin = CatalogOrigin(
        version: CatalogVersion(etag: row.text(3), lastModified: row.text(4)), scope: scope,
        lifetime: row.integer(8).map(MediaTime.init(nanoseconds:)))
      let page = part.flatMap { $0.freshness.includes(UnixTime.now - received, origin) ? $0.page : nil }
      guard let cached = CatalogResult(lines: row.blob(2), page: page) else { return nil }
      let result = CachedResult(
        result: cached, origin: origin, received: received, store: row.text(7), isPart: page != nil)
      return (result, row.integer(0) ?? 0, used)
    }
    guard case let found?? = found else { return nil }
    if UnixTime.now - found.used > Self.useAccuracy { markUsed(found.id) }
    return found.result
  }

  // MARK: Writing

  private func markUsed(_ id: Int64) {
    write { (connection) throws(StoreError) in
      try connection.statement("UPDATE result SET used = ? WHERE id = ?", UnixTime.now.nanoseconds, id).run()
    }
  }

  func store(_ key: String, _ cached: CachedResult) {
    let bytes = cached.result.lines
    write { (connection) throws(StoreError) in
      if MonotonicTime.now >= nextCleaning { try removeOutdated(connection) }
      try connection.transaction { () throws(StoreError) in
        try connection.statement("DELETE FROM result WHERE key = ?", key).run()
        try insert(key, cached, bytes, connection)
      }
      if try size(connection) > Self.maximumSize { try trim(connection) }
    }
  }

  private func insert(
    _ key: String, _ cached: CachedResult, _ bytes: [UInt8], _ connection: SQLiteConnection
  ) throws(StoreError) {
    let origin = cached.origin
    try connection.statement(
      """
      INSERT INTO result (key, result, etag, modified, scope, received, used, store, lifetime)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      """, key, bytes, origin.version?.etag, origin.version?.lastModified, origin.scope.rawValue,
      cached.received.nanoseconds, UnixTime.now.nanoseconds, cached.store, origin.lifetime?.nanoseconds
    ).run()
    let id = connection.lastInsertedID
    let item = try connection.statement("INSERT OR REPLACE INTO item (uri, result) VALUES (?, ?)")
    for entry in cached.result.entries { try item.run(entry.item.uri, id) }
  }

  func confirm(_ key: String, _ origin: CatalogOrigin, at time: UnixTime) {
    write { (connection) throws(StoreError) in
      try connection.statement(
        "UPDATE result SET etag = ?, modified = ?, scope = ?, received = ?, lifetime = ? WHERE key = ?",
        origin.version?.etag, origin.version?.lastModified, origin.scope.rawValue, time.nanoseconds,
        origin.lifetime?.nanoseconds, key
      ).run()
    }
  }

  // MARK: Size

  /// Returns the size of the pages of the file that are in use, in bytes.
  private func size(_ connection: SQLiteConnection) throws(StoreError) -> Int64 {
    let pages = try connection.integer("PRAGMA page_count") - connection.integer("PRAGMA freelist_count")
    return pages * (try connection.integer("PRAGMA page_size"))
  }

  /// Removes the least recently used results, and returns their pages to the file system.
  private func trim(_ connection: SQLiteConnection) throws(StoreError) {
    while case let excess = try size(connection) - Self.trimmedSize, excess > 0 {
      // With their items, results take more than their length.
      let rows = try connection.statement("SELECT id, length(result) FROM result ORDER BY used, id")
      var ids: [Int64] = []
      var length: Int64 = 0
      while length < excess, try rows.step() {
        ids.append(rows.integer(0) ?? 0)
        length += rows.integer(1) ?? 0
      }
      rows.reset()
      guard !ids.isEmpty else { break }
      try connection.transaction { () throws(StoreError) in
        let remove = try connection.statement("DELETE FROM result WHERE id = ?")
        for id in ids { try remove.run(id) }
      }
    }
    try connection.execute("PRAGMA incremental_vacuum")
  }

  private func removeOutdated(_ connection: SQLiteConnection) throws(StoreError) {
    let oldest = UnixTime.now - Self.maximumAge
    try connection.statement("DELETE FROM result WHERE received < ?", oldest.nanoseconds).run()
    try connection.execute("PRAGMA incremental_vacuum")
    nextCleaning = .now + Self.cleaningInterval
  }

  // MARK: The file

  /// Runs `body`. Returns nil if there is no file, or if `body` fails.
  private func read<Value>(_ body: (SQLiteConnection) throws(StoreError) -> Value) -> Value? {
    guard let connection = openedConnection() else { return nil }
    do throws(StoreError) { return try body(connection) } catch {
      handle(error)
      return nil
    }
  }

  /// Runs `body`, unless the file could not be written a short time ago.
  private func write(_ body: (SQLiteConnection) throws(StoreError) -> Void) {
    if let nextWriting, nextWriting > .now { return }
    guard let connection = openedConnection() else { return }
    do throws(StoreError) {
      try body(connection)
      nextWriting = nil
    } catch {
      if !error.isFileUnusable, nextWriting == nil {
        Log.warning("\(error); new results of online catalogues are not stored")
      }
      nextWriting = error.isFileUnusable ? nil : .now + retryInterval
      handle(error)
    }
  }

  /// Removes a file that is damaged, so that the next call creates a new one.
  private func handle(_ error: StoreError) {
    guard error.isFileUnusable else { return }
    connection = nil
    Log.warning("\(error); the cache of the online catalogues is created anew")
    for suffix in ["", "-wal", "-shm"] { Folder.removeFile(path.adding(suffix)) }
  }

  /// Returns the connection, which is opened if necessary; nil if that fails, or has failed a short time ago.
  private func openedConnection() -> SQLiteConnection? {
    if let connection { return connection }
    if let nextOpening, nextOpening > .now { return nil }
    do throws(StoreError) {
      connection = try open()
      nextOpening = nil
    } catch {
      if error.isFileUnusable {
        handle(error)
      } else {
        if nextOpening == nil { Log.warning("\(error); there is no cache of the online catalogues") }
        nextOpening = .now + retryInterval
      }
    }
    return connection
  }

  private func open() throws(StoreError) -> SQLiteConnection {
    do {
      try Folder.create(path.parent)
    } catch {
      throw StoreError(error, path.parent)
    }
    let opened = try SQLiteConnection(path: path, busyTimeout: .seconds(2))
    try opened.execute("PRAGMA locking_mode = EXCLUSIVE; PRAGMA auto_vacuum = INCREMENTAL")
    try Self.migrations.check(opened)
    // A power failure may damage a cache.
    try opened.execute(
      "PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA cache_size = -1024; PRAGMA journal_size_limit = 1048576;"
        + "PRAGMA foreign_keys = ON")
    try Self.migrations.migrate(opened)
    return opened
  }

  private static let migrations = SchemaMigrations(steps: [
    """
    CREATE TABLE result (
      id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, result BLOB NOT NULL, etag TEXT, modified TEXT,
      scope INTEGER NOT NULL, received INTEGER NOT NULL, used INTEGER NOT NULL, store TEXT
    );
    CREATE INDEX result_used ON result (used);
    CREATE TABLE item (uri TEXT PRIMARY KEY, result INTEGER NOT NULL REFERENCES result ON DELETE CASCADE) WITHOUT ROWID;
    CREATE INDEX item_result ON item (result);
    """,
    "ALTER TABLE result ADD COLUMN lifetime INTEGER",
  ])
}

extension SQLiteStatement {
  /// Returns the time in a column; nil if it is NULL. In a damaged file, it may be any number, and the difference
  /// between two times must not overflow.
  fileprivate func time(_ column: Int32) -> UnixTime? {
    integer(column).map { UnixTime(nanoseconds: $0.clamped(to: 0...Int64.max)) }
  }
}
