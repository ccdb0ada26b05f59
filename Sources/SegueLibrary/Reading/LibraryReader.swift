// Thread: "search" or "lookup", inside the transaction of a `LibraryStore.read` or `lookUp`.

public import SegueFiles
public import SegueSQLite
internal import SegueSystem

/// The reading side of the library.
public final class LibraryReader: LibraryAccess {
  static let mode = LibraryFile.Mode.reading

  let connection: SQLiteConnection
  let search: SearchReader
  let expectsMoreWork = false

  init(_ connection: SQLiteConnection) throws(StoreError) {
    self.connection = connection
    search = try SearchReader(connection)
  }

  public func counts() throws(StoreError) -> LibraryCounts { try LibraryCounts(connection) }
}

extension LibraryReader {
  /// Returns the first `limit` files and folders that have moved and were not removed (`LibraryWriter.removeMoves`),
  /// and the number of the last one.
  public func moves(limit: Int) throws(StoreError) -> (moves: FileMoves, last: Int64) {
    let rows = try connection.statement("SELECT id, old, new FROM move ORDER BY id LIMIT ?", limit)
    defer { rows.reset() }
    var (moves, last) = (FileMoves(), Int64(0))
    while try rows.step() {
      moves.append(FilePath(bytes: rows.blob(1)), FilePath(bytes: rows.blob(2)))
      last = rows.integer(0) ?? 0
    }
    return (moves, last)
  }
}
