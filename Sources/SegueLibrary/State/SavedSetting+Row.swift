internal import SegueSystem

/// Rows of the table `setting`.
extension SavedSetting {
  static func readAll(_ connection: SQLiteConnection) throws(StoreError) -> [String: SavedSetting] {
    // A file of an earlier version that is not writable is not migrated, and has no such table.
    guard try connection.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'setting'") > 0 else { return [:] }
    let rows = try connection.statement("SELECT name, value, instead FROM setting")
    defer { rows.reset() }
    var found: [String: SavedSetting] = [:]
    while try rows.step() {
      guard let name = rows.text(0), let value = rows.text(1) else { continue }
      found[name] = SavedSetting(value: value, replaced: rows.text(2))
    }
    return found
  }

  /// Writes a setting, or deletes it if `setting` is nil.
  static func write(
    _ setting: SavedSetting?, named name: String, to connection: SQLiteConnection
  ) throws(StoreError) {
    guard let setting else {
      let delete = try connection.statement("DELETE FROM setting WHERE name = ?")
      delete.bind(1, name)
      return try delete.run()
    }
    let insert = try connection.statement("INSERT OR REPLACE INTO setting (name, value, instead) VALUES (?, ?, ?)")
    insert.bind(1, name)
    insert.bind(2, setting.value)
    insert.bind(3, setting.replaced)
    try insert.run()
  }
}
