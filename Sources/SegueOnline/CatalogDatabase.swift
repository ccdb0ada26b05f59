// On the thread "catalog" only.

internal import SegueCatalog
internal import SegueLink
internal import SegueSQLite
internal import SegueSystem
internal import SegueWire

/// The SQLite file of the cache. It is opened at the first use. A file that cannot be used is removed, because it is only a
/// cache; if that fails, too, there is no cache until the daemon starts again.
final class CatalogDatabase {
  private let path: FilePath
  private var connection: SQLiteConnection?
  private var isUnusable = false
  /// The number of bytes of all results.
  private var size = 0

  private static let maximumSize = 50 << 20
  /// The size that remains when results are removed.
  private static let trimmedSize = 40 << 20
  /// A result that has not been confirmed for this time is of no use.
  private static let maximumAge = MediaTime.seconds(31 * 86_400)
  /// The time of the last use is stored with this accuracy, so that reading seldom writes.
  private static let useAccuracy = MediaTime.seconds(3600)

  init(path: FilePath) { self.path = path }

  /// Returns the last result that contains an item, with only this item; nil if there is none.
  func find(_ uri: CatalogItemURI) -> CachedResult? {
    let key = attempt { (connection) throws(StoreError) -> String? in
      let row = try connection.statement("SELECT key FROM item WHERE uri = ?")
      row.bind(1, uri.uri)
      defer { row.reset() }
      return try row.step() ? row.text(0) : nil
    }
    guard let key = key ?? nil, var found = find(key),
      let entry = found.result.entries.first(where: { $0.item.uri == uri.uri })
    else { return nil }
    found.result = CatalogResult([entry])
    return found
  }

  func find(_ key: String) -> CachedResult? {
    attempt { (connection) throws(StoreError) -> CachedResult? in
      let row = try connection.statement(
        "SELECT result, etag, modified, scope, received, used FROM result WHERE key = ?")
      row.bind(1, key)
      defer { row.reset() }
      guard try row.step(), let json = try? JSON(parsing: row.blob(0)),
        let scope = row.integer(3).flatMap({ AddressScope(rawValue: Int($0)) }), let received = row.integer(4)
      else { return nil }
      let found = CachedResult(
        result: CatalogResult(json),
        origin: CatalogOrigin(
          version: CatalogVersion(etag: row.text(1), lastModified: row.text(2)), scope: scope),
        received: UnixTime(nanoseconds: received))
      let now = UnixTime.now
      if now - UnixTime(nanoseconds: row.integer(5) ?? 0) > Self.useAccuracy {
        let update = try connection.statement("UPDATE result SET used = ? WHERE key = ?")
        update.bind(1, now.nanoseconds)
        update.bind(2, key)
        try update.run()
      }
      return found
    } ?? nil
  }

  func store(_ key: String, _ cached: CachedResult) {
    var json = JSONWriter()
    cached.result.encode(into: &json)
    let bytes = json.bytes
    _ = attempt { (connection) throws(StoreError) in
      try connection.transaction { () throws(StoreError) in
        try remove("key = ?", connection) { $0.bind(1, key) }
        try insert(key, cached, bytes, connection)
      }
      if size > Self.maximumSize { try trim(connection) }
    }
  }

  private func insert(
    _ key: String, _ cached: CachedResult, _ bytes: [UInt8], _ connection: SQLiteConnection
  ) throws(StoreError) {
    let insert = try connection.statement(
      """
      INSERT INTO result (key, result, size, etag, modified, scope, received, used) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """)
    insert.bind(1, key)
    insert.bind(2, blob: bytes)
    insert.bind(3, Int64(bytes.count))
    insert.bind(4, cached.origin.version?.etag)
    insert.bind(5, cached.origin.version?.lastModified)
    insert.bind(6, Int64(cached.origin.scope.rawValue))
    insert.bind(7, cached.received.nanoseconds)
    insert.bind(8, UnixTime.now.nanoseconds)
    try insert.run()
    let item = try connection.statement("INSERT OR REPLACE INTO item (uri, key) VALUES (?, ?)")
    for entry in cached.result.entries {
      item.bind(1, entry.item.uri)
      item.bind(2, key)
      try item.run()
    }
    size += bytes.count
  }

  func confirm(_ key: String, _ origin: CatalogOrigin, at time: UnixTime) {
    _ = attempt { (connection) throws(StoreError) in
      let update = try connection.statement(
        "UPDATE result SET etag = ?, modified = ?, scope = ?, received = ? WHERE key = ?")
      update.bind(1, origin.version?.etag)
      update.bind(2, origin.version?.lastModified)
      update.bind(3, Int64(origin.scope.rawValue))
      update.bind(4, time.nanoseconds)
      update.bind(5, key)
      try update.run()
    }
  }

  // MARK: Size

  /// Removes the least recently used results.
  private func trim(_ connection: SQLiteConnection) throws(StoreError) {
    let rows = try connection.statement("SELECT key, size FROM result ORDER BY used, key")
    var keys: [String] = []
    var excess = size - Self.trimmedSize
    while excess > 0, try rows.step() {
      keys.append(rows.text(0) ?? "")
      excess -= Int(rows.integer(1) ?? 0)
    }
    rows.reset()
    try connection.transaction { () throws(StoreError) in
      for key in keys { try remove("key = ?", connection) { $0.bind(1, key) } }
    }
  }

  private func remove(
    _ condition: String, _ connection: SQLiteConnection, _ bind: (SQLiteStatement) -> Void
  ) throws(StoreError) {
    let sum = try connection.statement("SELECT sum(size) FROM result WHERE \(condition)")
    bind(sum)
    let removed = try sum.step() ? sum.integer(0) ?? 0 : 0
    sum.reset()
    guard removed > 0 else { return }
    for table in ["item WHERE key IN (SELECT key FROM result WHERE \(condition))", "result WHERE \(condition)"] {
      let delete = try connection.statement("DELETE FROM \(table)")
      bind(delete)
      try delete.run()
    }
    size -= Int(removed)
  }

  // MARK: The file

  /// Runs `body`. Returns nil if the file cannot be used; it is removed then, so that the next call creates a new one.
  private func attempt<Value>(_ body: (SQLiteConnection) throws(StoreError) -> Value) -> Value? {
    guard !isUnusable else { return nil }
    do throws(StoreError) {
      if let connection { return try body(connection) }
      let opened = try open()
      connection = opened
      return try body(opened)
    } catch {
      connection = nil
      if error.isFileUnusable {
        Log.warning("\(error); the cache of the online catalogues is created anew")
        for suffix in ["", "-wal", "-shm"] { Folder.removeFile(path.adding(suffix)) }
      } else {
        isUnusable = true
        Log.warning("\(error); there is no cache of the online catalogues")
      }
      return nil
    }
  }

  private func open() throws(StoreError) -> SQLiteConnection {
    do {
      try Folder.create(path.parent)
    } catch {
      throw StoreError(error, path.parent)
    }
    let opened = try SQLiteConnection(path: path, busyTimeout: .seconds(2))
    try opened.execute("PRAGMA locking_mode = EXCLUSIVE")
    try Self.migrations.check(opened)
    // A power failure may damage a cache.
    try opened.execute(
      "PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA cache_size = -1024; PRAGMA journal_size_limit = 1048576"
    )
    try Self.migrations.migrate(opened)
    size = Int(try opened.integer("SELECT coalesce(sum(size), 0) FROM result"))
    let oldest = UnixTime.now.nanoseconds - Self.maximumAge.nanoseconds
    try remove("received < ?", opened) { $0.bind(1, oldest) }
    return opened
  }

  private static let migrations = SchemaMigrations(steps: [
    """
    CREATE TABLE result (
      key TEXT PRIMARY KEY, result BLOB NOT NULL, size INTEGER NOT NULL, etag TEXT, modified TEXT,
      scope INTEGER NOT NULL, received INTEGER NOT NULL, used INTEGER NOT NULL
    );
    CREATE INDEX result_used ON result (used);
    CREATE TABLE item (uri TEXT PRIMARY KEY, key TEXT NOT NULL) WITHOUT ROWID;
    CREATE INDEX item_key ON item (key);
    """
  ])
}
