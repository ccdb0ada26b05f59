import SegueSystem
import SegueTestKit
import Testing

@testable import SegueLibrary

/// A library with the tables of the daemon's, and tracks in it.
final class SearchStage {
  let connection: SQLiteConnection
  let writer: SearchWriter
  let reader: SearchReader
  private let folder: TemporaryFolder
  private var texts: [Int64: SearchText] = [:]

  init() throws {
    folder = try TemporaryFolder()
    let path = folder.path.appending("library.db")
    connection = try SQLiteConnection(path: path, busyTimeout: .zero)
    writer = try SearchWriter(connection)
    try LibrarySchema.migrate(connection)
    reader = try SearchReader(connection)
  }
}
