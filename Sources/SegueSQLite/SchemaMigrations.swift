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
