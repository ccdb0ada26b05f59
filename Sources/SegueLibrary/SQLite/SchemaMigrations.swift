internal import SegueSystem

/// How the tables of a file came to be what they are: each step leads from its index to the next version, and
/// `user_version` counts those that were taken. A step that was released is never changed.
struct SchemaMigrations {
  let steps: [String]

  var version: Int64 { Int64(steps.count) }

  /// Throws `newer` if the file is ahead of us.
  func check(_ connection: SQLiteConnection) throws(StoreError) {
    let found = try connection.integer("PRAGMA user_version")
    guard found <= version else {
      throw StoreError(
        .newer, connection.path, "written by a later version (schema \(found), this one knows \(version))")
    }
  }

  /// Brings a file that `check` passed up to date.
  func migrate(_ connection: SQLiteConnection) throws(StoreError) {
    let found = try connection.integer("PRAGMA user_version")
    guard found < version else { return }
    try connection.transaction { () throws(StoreError) in
      for step in steps[Int(max(found, 0))...] { try connection.execute(step) }
      try connection.execute("PRAGMA user_version = \(version)")
    }
  }
}
