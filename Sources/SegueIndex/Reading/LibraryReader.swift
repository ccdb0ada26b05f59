// On the thread of its connection only ("search" or "lookup"), inside the transaction of a `LibraryStore.read` or
// `lookUp`.

public import SegueSQLite

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
