// Thread: the connection's.

internal import CSQLite
public import SegueSystem

/// A copy of a database file that is made in parts, between which the connection may change the file: the copy follows.
/// If another connection changes the file, the copy begins anew.
public final class SQLiteBackup {
  private let source: SQLiteConnection
  private let target: SQLiteConnection
  private var raw: OpaquePointer?

  /// Begins a copy to `path`, where there is no file. The copy is not usable before it is complete.
  public init(of source: SQLiteConnection, to path: FilePath) throws(StoreError) {
    self.source = source
    target = try SQLiteConnection(path: path, busyTimeout: .zero)
    // A copy that is not complete is removed.
    try target.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -512")
    raw = sqlite3_backup_init(target.handle, "main", source.handle, "main")
    if raw == nil { throw target.error(sqlite3_extended_errcode(target.handle)) }
  }

  deinit { if let raw { sqlite3_backup_finish(raw) } }

  /// Copies at most `pages` more pages. Returns whether the copy is complete.
  public func copy(pages: Int) throws(StoreError) -> Bool {
    guard let raw else { return true }
    switch sqlite3_backup_step(raw, Int32(clamping: pages)) {
    case SQLITE_OK: return false
    case SQLITE_DONE:
      self.raw = nil
      let code = sqlite3_backup_finish(raw)
      guard code == SQLITE_OK else { throw target.error(code) }
      return true
    case let code: throw StoreError(code: code, path: source.path)
    }
  }
}
