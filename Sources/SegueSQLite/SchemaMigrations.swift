internal import SegueSystem
internal import SegueWire

/// The migrations of a database. Step n leads from version n to version n + 1; `user_version` is the version. A
/// released step is never changed.
public struct SchemaMigrations: Sendable {
  public let steps: [String]

  public init(steps: [String]) { self.steps = steps }

  public var version: Int64 { Int64(steps.count) }

  /// Throws `newer` if a later version wrote the file.
  public func check(_ connection: SQLiteConnection) throws(StoreError) {
    let found = try connection.integer("PRAGMA user_version")
    guard found <= version else {
      throw StoreError(
        .newer, connection.path, "written by a later version (schema \(found), this one knows \(version))")
    }
  }

  /// Throws `corrupt` if a file that has passed `check` has other tables, indexes, triggers or views than the steps up
  /// to its version make: another program has changed it.
  public func checkObjects(_ connection: SQLiteConnection) throws(StoreError) {
    // Another process may apply steps meanwhile.
    let (found, objects) = try connection.transaction(isReading: true) { () throws(StoreError) in
      (try connection.integer("PRAGMA user_version"), try Self.objects(connection))
    }
    let model = try SQLiteConnection(path: FilePath(":memory:"), busyTimeout: .zero)
    for step in steps[..<Int(max(found, 0))] { try model.execute(step) }
    guard try Self.objects(model) == objects else {
      throw StoreError(.corrupt, connection.path, "the file has objects that Segue did not make, or lacks some")
    }
  }

  /// Returns the objects of a schema with the SQL that made them.
  private static func objects(_ connection: SQLiteConnection) throws(StoreError) -> [[String?]] {
    try connection.statement("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name").map { row in
      (0..<4).map { row.text($0) }
    }
  }

  /// Applies the missing steps to a file that has passed `check`.
  public func migrate(_ connection: SQLiteConnection) throws(StoreError) {
    guard try connection.integer("PRAGMA user_version") < version else { return }
    try connection.transaction { () throws(StoreError) in
      // Another process may have applied steps since.
      let found = try connection.integer("PRAGMA user_version")
      guard found < version else { return }
      for step in steps[Int(max(found, 0))...] { try connection.execute(step) }
      try connection.execute("PRAGMA user_version = \(version)")
    }
  }
}
