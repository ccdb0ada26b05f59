// On the thread "index" only, inside the transaction of a `LibraryStore.write`.

/// What may be changed in the library.
public final class LibraryWriter: LibraryRole {
  static let threadsRole = LibraryFile.Role.writing

  let connection: SQLiteConnection

  init(_ connection: SQLiteConnection) throws(StoreError) { self.connection = connection }
}

/// What the index remembers of a file.
public struct KnownFile: Hashable, Sendable {
  public var stamp: FileStamp
  /// Whether it was looked into in vain; such a file is asked again when its stamp changes.
  public var hasFailed: Bool
}
