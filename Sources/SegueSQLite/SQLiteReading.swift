// Thread: the creator's.

internal import CSQLite
public import SegueSystem

/// A pass over all rows of a database file in parts, which finds damage of its structure: SQLite reports a page that
/// does not belong to its table, and a row that is not complete.
public final class SQLiteReading {
  private let connection: SQLiteConnection
  /// The tables that are still to be read.
  private var tables: [String] = []
  private var current: SQLiteStatement?

  /// Opens the file at `path`, which no process may change meanwhile.
  public init(of path: FilePath) throws(StoreError) {
    connection = try SQLiteConnection(onlyReading: path)
    try connection.execute("PRAGMA cell_size_check = ON; PRAGMA cache_size = -512")
    tables = try connection.statement("SELECT name FROM sqlite_schema WHERE type = 'table'").map { $0.text(0) ?? "" }
  }

  /// Reads at most `rows` more rows. Returns whether all have been read.
  public func read(rows: Int) throws(StoreError) -> Bool {
    for _ in 0..<rows {
      if try current?.step() == true { continue }
      current = nil
      guard let table = tables.popLast() else { return true }
      current = try connection.statement("SELECT * FROM \"\(table)\"")
    }
    return false
  }
}
