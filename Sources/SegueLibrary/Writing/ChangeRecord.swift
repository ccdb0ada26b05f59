// Thread: any. `ChangeRecord` is used on the thread "index" only.

internal import SegueSQLite

/// The lists that writing to the library has changed.
public struct LibraryChanges: OptionSet, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The tracks, albums, artists, genres and folders, their order, or the files that could not be read.
  public static let items = LibraryChanges(rawValue: 1)
  public static let favorites = LibraryChanges(rawValue: 1 << 1)
  public static let ratings = LibraryChanges(rawValue: 1 << 2)
  public static let history = LibraryChanges(rawValue: 1 << 3)

  public static let all: LibraryChanges = [.items, .favorites, .ratings, .history]
}

/// A record of the lists that the current transaction has changed. The tables add to it.
final class ChangeRecord {
  private let connection: SQLiteConnection
  private var changes: LibraryChanges = []

  init(_ connection: SQLiteConnection) { self.connection = connection }

  func add(_ changes: LibraryChanges) { self.changes.formUnion(changes) }

  /// Runs a statement, and adds `changes` if it has changed a row.
  func run(_ statement: SQLiteStatement, changing changes: LibraryChanges) throws(StoreError) {
    try statement.run()
    if connection.changedRowCount > 0 { add(changes) }
  }

  /// Returns what has changed since the last call.
  func take() -> LibraryChanges {
    defer { changes = [] }
    return changes
  }
}
