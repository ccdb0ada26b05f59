// On the thread of its connection only ("search" or "lookup"), inside the transaction of a `LibraryStore.read` or
// `lookUp`.

/// What can be asked of the library.
public final class LibraryReader: LibraryRole {
  static let threadsRole = LibraryFile.Role.reading

  let connection: SQLiteConnection
  let search: SearchReader
  let goesOn = false

  init(_ connection: SQLiteConnection) throws(StoreError) {
    self.connection = connection
    search = try SearchReader(connection)
  }

  public func counts() throws(StoreError) -> LibraryCounts { try LibraryCounts(connection) }
}
